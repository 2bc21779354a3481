#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

struct BarRow {
    std::string label;
    double value = 0;
    std::optional<double> baseline = {};  // without the what-ifs: a ghost behind the bar and the change beside it
};

/// Of the words of a change: by its sign, grey where it is next to nothing.
Color change_color(const Palette& palette, double change);

enum class BarUnit { fraction, number };  // fractions read as percent, changes as percentage points

/// Horizontal bars, one a row, all from 0 to `high`.
struct BarList {
    std::span<const BarRow> rows;
    double high = 1;
    BarUnit unit = BarUnit::fraction;
    Color color = {};
};

/// Draws the rows from the top of the rectangle; returns the height they take.
float bar_list(Canvas& canvas, const Ui& ui, Rect rect, const BarList& list);
/// The rectangle of one of its rows, for pointing.
Rect bar_row_rect(const Ui& ui, Rect rect, int row);

/// A vector of D numbers as thin vertical bars around 0; what exceeds ±`reach` is cut.
struct FeatureBars {
    std::span<const float> values;
    float reach = 1;
    std::optional<int> hovered = {};
    std::optional<Color> color = {};  // of all bars; without it by their sign
};

void feature_bars(Canvas& canvas, const Ui& ui, Rect rect, const FeatureBars& bars);

/// The same vector as one row of a diverging map.
void feature_strip(Canvas& canvas, const Ui& ui, Rect rect, const FeatureBars& bars);

/// Which of `count` features a point is on.
std::optional<int> feature_at(Rect rect, int count, Point at);

}  // namespace vitrine
