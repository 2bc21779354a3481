#include "app/platform/input_queue.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "app/platform/imgui_compat.h"

namespace vitrine {

namespace {

constexpr double patience = 1;        // seconds after which a key press is stale
constexpr int most_old_strokes = 4;   // stale presses that are still carried out
constexpr int most_strokes = 64;      // longest queue of presses
constexpr int first_that_types = 32;  // GLFW's numbers of keys that type a character: from here to first_silent_key

double machine_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_modifier(int glfw_key) {
    const Key key = key_of_glfw(glfw_key);
    return key == Key::ctrl || key == Key::shift || key == Key::alt;
}

/// True if a text field takes what is typed; true from the frame in which the field gets the focus.
bool goes_into_field() {
    return ImGui::GetIO().WantTextInput || ImGui::GetCurrentContext()->WantTextInputNextFrame == 1;
}

/// True for keys such as Enter and Backspace, which edit text but type no character.
bool edits_text(int glfw_key) { return glfw_key >= first_silent_key && !is_modifier(glfw_key); }

}  // namespace

struct InputQueue::Sent {
    bool moved = false, wheeled = false, typed = false, keyed = false, modified = false;
    bool edited = false;  // by a key such as Enter, which a text field carries out after a frame's characters
    std::set<int> buttons, keys;
};

InputQueue::InputQueue(std::function<double()> seconds)
    : seconds_(seconds ? std::move(seconds) : std::function<double()>(machine_seconds)) {}

void InputQueue::push(Event event) {
    event.at = seconds_();
    events_.push_back(event);
}

void InputQueue::take_back_key(int glfw_key) {
    if (events_.empty()) return;
    const Event& last = events_.back();
    if (last.kind == Kind::key && last.code == glfw_key && last.down) events_.pop_back();
}

/// A single action of the user: a key or button press, or a turn of the wheel.
bool InputQueue::is_stroke(const Event& e) {
    return e.kind == Kind::wheel || ((e.kind == Kind::button || e.kind == Kind::key) && e.down && !is_modifier(e.code));
}

/// Keeps only the last pointer move before each action; typed characters are no action, since they need no pointer.
void InputQueue::forget_passed_moves() {
    Event* before = nullptr;
    for (Event& e : events_) {
        if (e.kind == Kind::move) {
            if (before != nullptr) before->kind = Kind::forgotten;
            before = &e;
        } else if (e.kind != Kind::character) {
            before = nullptr;
        }
    }
}

/// Drops the oldest presses beyond the limit, with their releases; one that is still held stays.
void InputQueue::forget_stale_strokes() {
    const double now = seconds_();
    const bool types = goes_into_field();
    const auto counts_as_stroke = [&](const Event& e) {
        return is_stroke(e) && !(types && e.kind == Kind::key && edits_text(e.code));
    };
    int strokes = 0, old_strokes = 0;
    for (const Event& e : events_)
        if (counts_as_stroke(e)) {
            ++strokes;
            old_strokes += now - e.at > patience ? 1 : 0;
        }
    int too_many = std::max(strokes - most_strokes, old_strokes - most_old_strokes);
    if (too_many <= 0) return;
    for (auto e = events_.begin(); e != events_.end() && too_many > 0; ++e) {
        if (!counts_as_stroke(*e)) continue;
        --too_many;
        const auto up = std::find_if(std::next(e), events_.end(), [&](const Event& other) {
            return other.kind == e->kind && other.code == e->code && !other.down;
        });
        if (e->kind != Kind::wheel && up == events_.end()) continue;
        if (e->kind != Kind::wheel) up->kind = Kind::forgotten;
        e->kind = Kind::forgotten;
    }
    forget_idle_modifiers();
}

/// Drops modifiers pressed and released without anything in between.
void InputQueue::forget_idle_modifiers() {
    for (auto e = events_.begin(); e != events_.end(); ++e) {
        if (e->kind != Kind::key || !e->down || !is_modifier(e->code)) continue;
        const auto next = std::find_if(std::next(e), events_.end(), [&](const Event& other) {
            return is_stroke(other) || (other.kind == Kind::key && other.code == e->code && !other.down);
        });
        if (next == events_.end() || is_stroke(*next)) continue;
        next->kind = e->kind = Kind::forgotten;
    }
}

/// Drops the presses and releases of letter keys while a text field has the focus: it needs only their characters.
void InputQueue::forget_typing() {
    const ImGuiIO& io = ImGui::GetIO();
    const bool types = goes_into_field() && !io.KeyCtrl && !io.KeyAlt;
    if (!types) return;
    for (Event& e : events_) {
        if (e.kind != Kind::key) continue;
        if (e.down && is_modifier(e.code) && key_of_glfw(e.code) != Key::shift) return;
        const bool letter = e.code >= first_that_types && e.code < first_silent_key;
        if (letter && !keys_.contains(e.code)) e.kind = Kind::forgotten;
    }
}

bool InputQueue::send_key(const Event& e, Sent& sent) {
    if (sent.keys.contains(e.code) || sent.moved || !sent.buttons.empty() || sent.wheeled || sent.typed) return false;
    if (sent.keyed && (sent.modified || is_modifier(e.code))) return false;
    feed_key(e.code, e.down);
    e.down ? static_cast<void>(keys_.insert(e.code)) : static_cast<void>(keys_.erase(e.code));
    sent.keys.insert(e.code);
    sent.keyed = true;
    sent.modified = sent.modified || is_modifier(e.code);
    sent.edited = sent.edited || (e.down && edits_text(e.code) && goes_into_field());
    return true;
}

/// Two quick presses are a double click, even if the frames between them are slow.
void InputQueue::send_double_click(const Event& e) {
    constexpr float quick = 0.3F;
    if (!e.down || e.code < 0 || e.code >= 5) return;
    const double since = e.at - std::exchange(pressed_at_[e.code], e.at);
    ImGui::GetIO().MouseDoubleClickTime = since < static_cast<double>(quick) ? 60.0F : quick;
}

/// Passes an event to ImGui; returns false if the frame must first process the events passed so far.
bool InputQueue::send(const Event& e, Sent& sent) {
    const bool pressed = !sent.buttons.empty() || sent.wheeled || sent.keyed || sent.typed;
    switch (e.kind) {
        case Kind::move:
            if (pressed) return false;
            x_ = e.x;
            y_ = e.y;
            sent.moved = true;
            return true;
        case Kind::leave:
            if (pressed) return false;
            if (std::find(std::begin(buttons_), std::end(buttons_), true) != std::end(buttons_)) return true;
            x_ = y_ = nowhere;
            sent.moved = true;
            return true;
        case Kind::button:
            if (sent.buttons.contains(e.code) || sent.wheeled) return false;
            send_double_click(e);
            if (e.code >= 0 && e.code < 5) buttons_[e.code] = e.down;
            sent.buttons.insert(e.code);
            return true;
        case Kind::wheel:
            if (sent.moved || !sent.buttons.empty()) return false;
            feed_wheel(e.x, e.y);
            sent.wheeled = true;
            return true;
        case Kind::key: return send_key(e, sent);
        case Kind::character:
            if (sent.moved || !sent.buttons.empty() || sent.wheeled || sent.edited) return false;
            feed_character(static_cast<unsigned>(e.code));
            sent.typed = true;
            return true;
        case Kind::forgotten: return true;
    }
    return true;
}

void InputQueue::apply() {
    const auto tidy = [&] { std::erase_if(events_, [](const Event& e) { return e.kind == Kind::forgotten; }); };
    forget_typing();
    forget_stale_strokes();
    tidy();
    forget_passed_moves();
    tidy();
    Sent sent;
    while (!events_.empty() && send(events_.front(), sent)) events_.pop_front();
    feed_mouse_position(x_, y_);
    for (int i = 0; i < 5; ++i) feed_mouse_button(i, buttons_[i]);
}

}  // namespace vitrine
