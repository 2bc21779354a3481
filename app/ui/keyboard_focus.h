#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/ui/geometry.h"

namespace vitrine {

/// The control that has the keyboard focus. Dear ImGui 1.86 only tabs to text fields, so the controls of a frame
/// register in drawing order, and this class keeps the place.
///
/// A dialog begins a layer of its own: while it is open, only its controls are in the order, and the focus before it
/// returns when it closes.
class KeyboardFocus {
public:
    /// Called once per frame, before anything is drawn: the order of the last frame's controls becomes that of Tab.
    void begin_frame();
    void begin_layer(const std::string& id);
    void begin_zone(const std::string& id);

    // Actions of the keys, applied to this frame's controls.
    void move(int by);       // Tab and Shift-Tab, wrapping
    void move_zone(int by);  // F6 and Shift-F6
    void press() { press_ = leads_ = true; }
    void ask_context() { context_ = leads_ = true; }  // X: toggles the item at the cursor
    void arrows(int right, int down);
    /// Moves the focus to a control by its id.
    void go_to(const std::string& id);
    /// The same for a page that opens: nobody asked for that control's tooltip, so it has none until a key moves.
    void begin_at(const std::string& id);

    /// Notes the text field that is being edited, however it was activated: Tab continues from there.
    void type_in(const std::string& id) { typed_in_ = focused_ = id; }

    /// Hides the focus after a mouse press or Escape; its place is kept.
    void hide() { visible_ = false; }
    bool visible() const { return visible_ && !focused_.empty(); }
    /// True if the keyboard was used more recently than the mouse.
    bool leads() const { return visible() && leads_; }
    /// True if the focused control (slider, grid) uses these keys itself; otherwise they keep their meaning.
    bool takes_right() const { return visible() && takes_.right; }
    bool takes_down() const { return visible() && takes_.down; }
    bool takes_context() const { return visible() && takes_.context; }
    /// Called after a click or a key that continues a lecture: the resting pointer has no tooltip until the mouse moves
    /// away.
    void rest_pointer();
    bool pointer_rests() const { return pointer_rests_; }
    /// Notes where words are drawn, and on which draw list (`on`); tips keep clear of the words of the last frame,
    /// `words_below`.
    void see_words(Rect rect, const void* on) { next_words_.push_back({rect, on}); }
    /// The area of words that a tip would cover, apart from those drawn on `own`.
    float words_below(Rect tip, const void* own) const;
    /// The same for maps, pictures, equations and curves: tips may cover these, but notices keep clear of them.
    void see_figure(Rect rect) { next_figures_.push_back(rect); }
    float figures_below(Rect notice) const;
    /// Rectangle of the focused control, or of its cell under the cursor.
    Rect anchor() const { return anchor_; }
    /// Seconds since keys last moved the focus or the cursor.
    double rested() const;
    const std::string& focused() const { return focused_; }
    const std::vector<std::string>& order() const { return order_; }

    /// Registers a control; calls that name `last` refer to it.
    void announce(const std::string& id, Rect rect, bool enabled = true);
    /// True if the last control has a visible focus.
    bool on_last() const { return on_last_ && visible_; }
    /// True if the last control has a visible focus and overlaps a rectangle: for items that register nothing
    /// themselves.
    bool on_last_at(Rect rect) const { return on_last() && rect_.overlaps(rect); }
    bool pressed_last() const { return on_last() && press_; }
    bool context_on_last();
    /// Steps by the arrow keys for the last control, 0 if none. A control that calls this uses the keys itself.
    int right_on_last();
    int down_on_last();
    /// The cell, of `count` in rows of `columns`, that the arrow keys have reached; −1 without keyboard focus.
    int cursor_on_last(int count, int columns);

private:
    struct Zone {
        std::string id;
        std::size_t first = 0;  // in order_
    };
    struct Takes {
        bool right = false, down = false, context = false;
    };
    void point();

    struct Words {
        Rect rect;
        const void* on = nullptr;
    };
    std::vector<Words> words_, next_words_;
    std::vector<Rect> figures_, next_figures_;
    std::vector<std::string> order_, next_;
    std::vector<Zone> zones_, next_zones_;
    std::map<std::string, int> cursors_;
    std::string focused_, typed_in_, layer_, next_layer_, last_;
    std::map<std::string, std::string> places_;  // by layer
    Takes takes_, next_takes_;
    Rect rect_, anchor_;  // of the last control; of the focused control or cell
    Point mouse_;         // in the last frame
    Point rested_at_;     // where the pointer was when it was last set to rest
    double since_ = 0;    // when keys last moved the focus, in ImGui's seconds
    int right_ = 0, down_ = 0;
    bool visible_ = false, leads_ = false, press_ = false, context_ = false, on_last_ = false, scroll_ = false;
    bool pointer_rests_ = false;
};

}  // namespace vitrine
