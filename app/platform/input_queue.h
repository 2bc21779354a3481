#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <set>

namespace vitrine {

/// From here on, GLFW's key numbers type nothing or belong to the keypad.
constexpr int first_silent_key = 256;

/// Input events in order of arrival, passed to ImGui a few at a time.
///
/// ImGui 1.86 has no queue of its own: it loses a key or button that goes down and up within one frame. The window's
/// callbacks and the tests push here; `apply` runs just before ImGui::NewFrame and stops before an event that would
/// undo an earlier one within the frame, or that a text field would process before an earlier one. The queue never lags
/// behind: if frames are slow, it keeps every character, and what edits a text field, but only the newest few other
/// presses older than a second.
class InputQueue {
public:
    /// `seconds` is a clock for tests; null means the machine's.
    explicit InputQueue(std::function<double()> seconds = {});

    void move(float x, float y) { push({Kind::move, 0, x, y, false}); }
    /// The pointer left the window; ignored while a button is held, since a drag continues outside.
    void leave() { push({Kind::leave, 0, 0, 0, false}); }
    void button(int button, bool down) { push({Kind::button, button, 0, 0, down}); }
    void wheel(float x, float y) { push({Kind::wheel, 0, x, y, false}); }
    void key(int glfw_key, bool down) { push({Kind::key, glfw_key, 0, 0, down}); }
    void character(unsigned code_point) { push({Kind::character, static_cast<int>(code_point), 0, 0, false}); }
    /// Forgets the last press of this key if no other event followed.
    void take_back_key(int glfw_key);

    void apply();
    bool empty() const { return events_.empty(); }

private:
    enum class Kind { move, leave, button, wheel, key, character, forgotten };
    struct Event {
        Kind kind;
        int code;
        float x, y;
        bool down;
        double at = 0;  // seconds
    };
    /// Events passed to ImGui in this frame so far.
    struct Sent;

    void push(Event event);
    static bool is_stroke(const Event& event);
    void forget_passed_moves();
    void forget_stale_strokes();
    void forget_idle_modifiers();
    void forget_typing();
    bool send(const Event& event, Sent& sent);
    void send_double_click(const Event& event);
    bool send_key(const Event& event, Sent& sent);

    std::function<double()> seconds_;
    std::deque<Event> events_;
    static constexpr float nowhere = -std::numeric_limits<float>::max();  // ImGui's value for no pointer
    float x_ = nowhere, y_ = nowhere;  // fed in each frame, since a backend may overwrite it
    bool buttons_[5] = {};
    double pressed_at_[5] = {-1e9, -1e9, -1e9, -1e9, -1e9};  // seconds
    std::set<int> keys_;                                     // keys that ImGui counts as down
};

}  // namespace vitrine
