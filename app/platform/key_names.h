#pragma once

#include <map>
#include <string>

#include "app/platform/imgui_compat.h"

namespace vitrine {

// Which of our keys a key of the user's keyboard is: by the letter on it, not by its place. The window asks with every
// key; whoever tells a shortcut on the screen asks for its label.

/// What each key types without Shift, in UTF-8, by GLFW's number of its place on a US keyboard; empty for one that
/// types nothing by itself (a dead key).
using KeyNames = std::map<int, std::string>;

/// The places whose names differ between layouts, as GLFW numbers them: letters, digits, punctuation.
const KeyNames& us_key_names();

/// The keys of one layout. Letters and punctuation are found by what they type, digits also by their place where they
/// need Shift (AZERTY); a layout without Latin letters (Russian, Greek) has them at their US places.
class Keyboard {
public:
    explicit Keyboard(const KeyNames& names = us_key_names());

    /// Our key at a place (GLFW's number), Key::count where there is none. With Ctrl a key of the digits' row that
    /// types a sign of ours is that sign: on AZERTY Ctrl and the key of 6 are Ctrl −.
    enum class With { nothing, ctrl };
    Key key(int place, With with) const;

    /// The same where it is known what the key typed, with Shift too: a digit or a sign is what it says.
    enum class Shift { up, down };
    Key key_that_typed(unsigned code_point, int place, Shift shift) const;

    /// What stands on the key: "Z", "7", "+", "F11", "Esc", "←".
    std::string label(Key key) const;

private:
    void give_places_of_the_us(const KeyNames& names);

    std::map<int, Key> plain_, with_ctrl_;
    std::map<Key, std::string> odd_labels_;  // of keys that are at their US place and type something else
};

/// The keyboard of the window that was last used, a US one where there is none; only on the thread that draws.
const Keyboard& keyboard();
void set_keyboard(Keyboard keyboard);

/// What stands on a key of that keyboard.
inline std::string key_label(Key key) { return keyboard().label(key); }

}  // namespace vitrine
