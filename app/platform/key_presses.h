#pragma once

#include <map>

#include "app/platform/key_names.h"

namespace vitrine {

class InputQueue;

/// Returns a key's place (GLFW's number), given the system's number `scancode`: `place`, or Enter's place for X's line
/// feed, which programs that type for their user send as a new line. Negative for a key without a place.
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
    std::map<int, int> down_;  // by place: GLFW's number of the key passed to the queue, 0 if none
    int last_place_ = -1;      // place of the last press, while its character may still arrive; else −1
    Keyboard::Shift shift_ = Keyboard::Shift::up;
};

}  // namespace vitrine
