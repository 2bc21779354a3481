#pragma once

#include <deque>
#include <limits>

namespace vitrine {

/// Input in the order it came, handed to ImGui a little at a time.
///
/// ImGui 1.86 has no queue of its own: a key or button that goes down and up within one frame is lost. The window's
/// callbacks and the tests push here; `apply` runs just before ImGui::NewFrame and stops where the next event would
/// hide one that the frame has not seen.
class InputQueue {
public:
    void move(float x, float y) { events_.push_back({Kind::move, 0, x, y, false}); }
    /// The pointer is over nothing, unless a button holds it: then a drag goes on outside the window.
    void leave() { events_.push_back({Kind::leave, 0, 0, 0, false}); }
    void button(int button, bool down) { events_.push_back({Kind::button, button, 0, 0, down}); }
    void wheel(float x, float y) { events_.push_back({Kind::wheel, 0, x, y, false}); }
    void key(int glfw_key, bool down) { events_.push_back({Kind::key, glfw_key, 0, 0, down}); }
    void character(unsigned code_point) {
        events_.push_back({Kind::character, static_cast<int>(code_point), 0, 0, false});
    }

    void apply();
    bool empty() const { return events_.empty(); }

private:
    enum class Kind { move, leave, button, wheel, key, character };
    struct Event {
        Kind kind;
        int code;
        float x, y;
        bool down;
    };
    std::deque<Event> events_;
    static constexpr float nowhere = -std::numeric_limits<float>::max();  // ImGui's word for no pointer
    float x_ = nowhere, y_ = nowhere;  // ImGui forgets a position that a backend overwrites
    bool buttons_[5] = {};
};

}  // namespace vitrine
