#pragma once

#include <map>

#include "app/platform/key_names.h"

namespace vitrine {

class InputQueue;

/// The place (GLFW's number) of a key, given its number by the system: that of Enter for X's line feed, which programs
/// that type for their user send as a new line; negative for a key without a place.
int place_of_key(int place, int scancode);

/// Translates the places of a window's keys to our keys, by the layout of `keyboard()`, and queues them.
class KeyPresses {
public:
    explicit KeyPresses(InputQueue& queue) : queue_(queue) {}

    struct Modifiers {
        bool ctrl = false, shift = false;
    };
    /// A key was pressed, at a place (GLFW's number).
    void press(int place, Modifiers modifiers);
    /// The key at that place was released: it counts as the same key as at the press, even if the layout has changed.
    void release(int place);
    /// The character that the last press typed; a character that needs Shift is known only by this call.
    void type(unsigned code_point);

private:
    void put_down(int place, Key key);

    InputQueue& queue_;
    std::map<int, int> down_;  // by place: the key that was passed to the queue, 0 if none
    int last_place_ = -1;      // that may still type
    Keyboard::Shift shift_ = Keyboard::Shift::up;
};

}  // namespace vitrine
