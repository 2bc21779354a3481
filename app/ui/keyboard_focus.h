#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/ui/geometry.h"

namespace vitrine {

/// Which control the keyboard is on. Dear ImGui 1.86 tabs to text fields alone, so the controls of a frame announce
/// themselves in the order in which they are drawn, and this keeps the place.
///
/// A dialog begins a layer of its own: while it is open only its controls are in the order, and the place before it is
/// found again behind it.
class KeyboardFocus {
public:
    /// Once per frame, before anything is drawn: last frame's order becomes the one that Tab walks along.
    void begin_frame();
    void begin_layer(const std::string& id);
    void begin_zone(const std::string& id);

    // What the keyboard asks for; it happens to the controls of this frame.
    void move(int by);       // Tab and Shift-Tab, wrapping
    void move_zone(int by);  // F6 and Shift-F6
    void press() { press_ = leads_ = true; }
    void ask_context() { context_ = leads_ = true; }  // X: switches what the cursor is on
    void arrows(int right, int down);
    /// Puts the focus on a control by its id.
    void go_to(const std::string& id);

    /// Hidden by a mouse press or Escape; the place is kept.
    void hide() { visible_ = false; }
    bool visible() const { return visible_ && !focused_.empty(); }
    /// Whether the keyboard points, not the mouse: the one that was used last.
    bool leads() const { return visible() && leads_; }
    /// Whether the focused control uses these keys itself (slider, grid); the others keep their meaning.
    bool takes_right() const { return visible() && takes_.right; }
    bool takes_down() const { return visible() && takes_.down; }
    bool takes_context() const { return visible() && takes_.context; }
    /// Where the keyboard points: the focused control, or the cell of it where the cursor is.
    Rect anchor() const { return anchor_; }
    /// For how many seconds it has pointed there.
    double rested() const;
    const std::string& focused() const { return focused_; }
    const std::vector<std::string>& order() const { return order_; }

    /// A control announces itself; what is said of `last` from then on is said of it.
    void announce(const std::string& id, Rect rect, bool enabled = true);
    /// The last one that was announced has the focus, and it can be seen.
    bool on_last() const { return on_last_ && visible_; }
    /// The focus is on the last one, and that lies there: what announces nothing is drawn after it, too.
    bool on_last_at(Rect rect) const { return on_last() && rect_.overlaps(rect); }
    bool pressed_last() const { return on_last() && press_; }
    bool context_on_last();
    /// The arrows that the last one takes.
    int right_on_last();
    int down_on_last();
    /// A place among `count` cells in rows of `columns`, moved by the arrows; −1 while the keyboard does not point
    /// there.
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

    std::vector<std::string> order_, next_;
    std::vector<Zone> zones_, next_zones_;
    std::map<std::string, int> cursors_;
    std::string focused_, layer_, next_layer_, last_;
    std::map<std::string, std::string> places_;  // by layer
    Takes takes_, next_takes_;
    Rect rect_, anchor_;  // of the last one; of what is pointed at
    Point mouse_;         // in the last frame
    double since_ = 0;    // it points there, in ImGui's seconds
    int right_ = 0, down_ = 0;
    bool visible_ = false, leads_ = false, press_ = false, context_ = false, on_last_ = false, scroll_ = false;
};

}  // namespace vitrine
