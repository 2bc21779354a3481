#pragma once

#include <map>

#include "app/platform/key_names.h"

namespace vitrine {

class InputQueue;

/// From the places that a window's keys have to our keys in its queue, by the layout of `keyboard()`.
class KeyPresses {
public:
    explicit KeyPresses(InputQueue& queue) : queue_(queue) {}

    struct Modifiers {
        bool ctrl = false, shift = false;
    };
    /// A key went down at a place (GLFW's number).
    void press(int place, Modifiers modifiers);
    /// It went up: the key that went down there, whatever the layout is by then.
    void release(int place);
    /// What the key that has just gone down typed; a sign reached with Shift is known only by it.
    void type(unsigned code_point);

private:
    void put_down(int place, Key key);

    InputQueue& queue_;
    std::map<int, int> down_;  // by place: what the queue was told, 0 where nothing
    int last_place_ = -1;      // that may still type
    Keyboard::Shift shift_ = Keyboard::Shift::up;
};

}  // namespace vitrine
