#pragma once

#include <functional>
#include <string>

#include "app/ui/geometry.h"
#include "app/ui/theme.h"

namespace vitrine {

struct ButtonLook;
struct Control;
struct Ui;

/// A row of words and controls above a figure, from left to right; items that do not fit continue in a row below.
class ButtonRow {
public:
    ButtonRow(const Ui& ui, Rect area);
    ~ButtonRow();  // returns ImGui's cursor to its place before the row
    ButtonRow(const ButtonRow&) = delete;
    ButtonRow& operator=(const ButtonRow&) = delete;

    void words(const std::string& words, Color color);
    /// A button; true if it is clicked in this frame.
    bool press(const Control& control, const ButtonLook& look);
    bool press(const Control& control);
    /// Any control of that width, drawn at ImGui's cursor.
    void place(float width, const std::function<void()>& draw);

    /// The height of all rows so far, with the space below them, px; the figure begins there.
    float height() const;

private:
    /// Begins another row if this one has no room for the width.
    void make_room(float width);

    const Ui& ui_;
    Rect area_;
    Point at_;             // where the next item begins
    Point cursor_before_;  // ImGui's cursor before the row
};

}  // namespace vitrine
