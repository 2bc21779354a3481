#include "app/platform/key_presses.h"

#include <algorithm>

#include "app/platform/input_queue.h"

namespace vitrine {

int place_of_key(int place, int scancode) {
    constexpr int line_feed = 109;  // evdev's number 101 plus 8, as in X
    return place < 0 && scancode == line_feed ? glfw_number(Key::enter) : place;
}

void KeyPresses::put_down(int place, Key key) {
    const int number = key != Key::count ? glfw_number(key) : place >= first_silent_key ? place : 0;
    const bool is_down = std::any_of(down_.begin(), down_.end(), [&](const auto& row) { return row.second == number; });
    down_[place] = number;
    if (number != 0 && !is_down) queue_.key(number, true);
}

void KeyPresses::press(int place, Modifiers modifiers) {
    release(place);
    last_place_ = place;
    shift_ = modifiers.shift ? Keyboard::Shift::down : Keyboard::Shift::up;
    put_down(place, keyboard().key(place, modifiers.ctrl ? Keyboard::With::ctrl : Keyboard::With::nothing));
}

void KeyPresses::release(int place) {
    last_place_ = -1;
    const auto found = down_.find(place);
    if (found == down_.end()) return;
    const int number = found->second;
    down_.erase(found);
    const bool still_down =
        std::any_of(down_.begin(), down_.end(), [&](const auto& row) { return row.second == number; });
    if (number != 0 && !still_down) queue_.key(number, false);
}

void KeyPresses::type(unsigned code_point) {
    const int place = last_place_;
    last_place_ = -1;
    if (const auto found = down_.find(place); found != down_.end()) {
        const Key key = keyboard().key_that_typed(code_point, place, shift_);
        if (key != Key::count && glfw_number(key) != found->second) {
            queue_.take_back_key(found->second);
            down_.erase(found);
            put_down(place, key);
        }
    }
    queue_.character(code_point);
}

}  // namespace vitrine
