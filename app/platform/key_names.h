#pragma once

#include <map>
#include <string>

#include "app/platform/imgui_compat.h"

namespace vitrine {

// Maps the user's keyboard to our keys by the letter on a key, not by its place. The window asks at every key press;
// shortcuts on the screen use its labels.

/// The text that each key types without Shift, in UTF-8, by GLFW's number of its place on a US keyboard; empty for a
/// key that types nothing by itself (a dead key).
using KeyNames = std::map<int, std::string>;

/// GLFW's numbers of the keys whose labels differ between layouts: letters, digits, punctuation.
const KeyNames& us_key_names();

/// The keys of one layout. Letters and punctuation are found by what they type, and digits also by their place if they
/// need Shift (AZERTY). A layout without Latin letters (Russian, Greek) uses the US places.
class Keyboard {
public:
    explicit Keyboard(const KeyNames& names = us_key_names());

    /// Our key at a place (GLFW's number); Key::count if there is none. With Ctrl, a key of the digit row that types
    /// one of our signs is that sign: on AZERTY, Ctrl and the key of 6 are Ctrl −.
    enum class With { nothing, ctrl };
    Key key(int place, With with) const;

    /// Our key at a place, given the character that it typed: a digit or a sign is the key of that character. Letters,
    /// and digit keys without Shift, are found by place.
    enum class Shift { up, down };
    Key key_that_typed(unsigned code_point, int place, Shift shift) const;

    /// A key's label: "Z", "7", "+", "F11", "Esc", "←".
    std::string label(Key key) const;

private:
    void give_places_of_the_us(const KeyNames& names);

    std::map<int, Key> plain_, with_ctrl_;
    std::map<Key, std::string> odd_labels_;  // of keys at their US places that type something else
};

/// The keyboard of the window used last, a US one if there is none; only on the drawing thread.
const Keyboard& keyboard();
void set_keyboard(Keyboard keyboard);

/// A key's label on that keyboard.
inline std::string key_label(Key key) { return keyboard().label(key); }

}  // namespace vitrine
