#include "app/platform/input_queue.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "app/platform/imgui_compat.h"

namespace vitrine {

namespace {

bool is_modifier(int glfw_key) {
    const Key key = key_of_glfw(glfw_key);
    return key == Key::ctrl || key == Key::shift || key == Key::alt;
}

}  // namespace

void InputQueue::apply() {
    bool moved = false, wheeled = false, typed = false, keyed = false, modified = false;
    std::set<int> buttons, keys;
    for (; !events_.empty(); events_.pop_front()) {
        const Event& e = events_.front();
        const bool pressed = !buttons.empty() || wheeled || keyed || typed;
        if (e.kind == Kind::move) {
            if (pressed) break;
            x_ = e.x;
            y_ = e.y;
            moved = true;
        } else if (e.kind == Kind::leave) {
            if (pressed) break;
            if (std::find(std::begin(buttons_), std::end(buttons_), true) != std::end(buttons_)) continue;
            x_ = y_ = nowhere;
            moved = true;
        } else if (e.kind == Kind::button) {
            if (buttons.contains(e.code) || wheeled) break;
            if (e.code >= 0 && e.code < 5) buttons_[e.code] = e.down;
            buttons.insert(e.code);
        } else if (e.kind == Kind::wheel) {
            if (moved || !buttons.empty()) break;
            feed_wheel(e.x, e.y);
            wheeled = true;
        } else if (e.kind == Kind::key) {
            if (keys.contains(e.code) || moved || !buttons.empty() || wheeled || typed) break;
            if (keyed && (modified || is_modifier(e.code))) break;
            feed_key(e.code, e.down);
            keys.insert(e.code);
            keyed = true;
            modified = modified || is_modifier(e.code);
        } else {
            if (moved || !buttons.empty() || wheeled) break;
            feed_character(static_cast<unsigned>(e.code));
            typed = true;
        }
    }
    feed_mouse_position(x_, y_);
    for (int i = 0; i < 5; ++i) feed_mouse_button(i, buttons_[i]);
}

}  // namespace vitrine
