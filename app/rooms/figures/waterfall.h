#pragma once

#include <span>
#include <string>

#include "app/ui/geometry.h"

namespace vitrine {

class Canvas;
class Selection;
struct Ui;

/// A line of a waterfall chart: one contribution, or the sum of a block's contributions.
struct WaterfallLine {
    std::string id, name;
    double amount = 0;
    int block = 0;  // ℓ of a block's line and of its parts; 0: outside the blocks
    int part = -1;  // the caller's number of a block's part, such as the head's; −1: a click opens nothing
    bool inside = false, chosen = false;
    bool open = false;  // its parts are listed below it, and `amount` is their sum

    double added() const { return open ? 0 : amount; }
    bool is_block() const { return block > 0 && !inside; }
};

/// Lines that add up from 0 to their sum.
struct Waterfall {
    std::string id;  // probe ids "<id>.<line>.amount", with words "<id>.<line>.written", and "<id>.sum"
    std::span<const WaterfallLine> lines;
};

/// Draws every line as a bar from the sum before it to the sum with it, orange if it adds and blue if it takes away,
/// and the sum below all, on the scale of both runs if there are two. A tooltip shows the sum so far. Returns the
/// clicked line's index; −1 for none.
int waterfall_figure(Canvas& canvas, const Ui& ui, Rect rect, const Waterfall& figure, Selection& selection);

}  // namespace vitrine
