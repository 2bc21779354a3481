#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/ui/geometry.h"
#include "app/ui/theme.h"

namespace vitrine {

class Canvas;
struct Ui;

struct BarRow {
    std::string label;
    double value = 0;
    std::optional<double> baseline = {};  // without the what-ifs: a pale bar behind it, with the change beside it
};

/// Colour of a change by its sign, grey if negligible.
Color change_color(const Palette& palette, double change);

enum class BarUnit { fraction, number };  // fractions read as percent, changes as percentage points

/// Horizontal bars, one per row, all on the scale 0 to `high`.
struct BarList {
    std::span<const BarRow> rows;
    double high = 1;
    BarUnit unit = BarUnit::fraction;
    Color color = {};
};

/// Draws the rows from the top of the rectangle; returns their height.
float bar_list(Canvas& canvas, const Ui& ui, Rect rect, const BarList& list);
/// The rectangle of a row, for hit tests.
Rect bar_row_rect(const Ui& ui, Rect rect, int row);

/// A vector of D numbers as thin vertical bars around 0; values beyond ±`reach` are cut off.
struct FeatureBars {
    std::span<const float> values;
    float reach = 1;
    std::optional<int> hovered = {};
    std::optional<Color> color = {};  // of all bars; by sign if none
};

void feature_bars(Canvas& canvas, const Ui& ui, Rect rect, const FeatureBars& bars);

/// The index of the feature at a point; none outside the rectangle.
std::optional<int> feature_at(Rect rect, int count, Point at);

}  // namespace vitrine
