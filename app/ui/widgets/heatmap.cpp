#include "app/ui/widgets/heatmap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "app/ui/ui.h"
#include "app/ui/widgets/axis.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/number.h"

namespace vitrine {
namespace {

/// Ticks at whole numbers, for indices along an axis.
std::vector<int> index_ticks(int count, int most) {
    std::vector<int> ticks;
    for (const double tick : ticks_of(0, count - 1, std::max(1, most)).at) {
        if (tick == std::floor(tick)) ticks.push_back(static_cast<int>(tick));
    }
    if (ticks.empty()) ticks.push_back(0);
    return ticks;
}

/// Space for the axes' labels to the left of and above the cells.
Point margins(const Canvas& canvas, const Ui& ui, const HeatFigure& figure) {
    const Point digits = canvas.measure(std::to_string(std::max(0, figure.map.rows - 1)), Font::caption);
    const float gap = ui.theme.px(6);
    const bool named = !figure.row_axis.empty() || !figure.column_axis.empty();
    return named ? Point{digits.x + gap, 2 * digits.y + gap} : Point{};
}

Rect cells_of(Rect room, const HeatFigure& figure) {
    if (!figure.square_cells) return room;
    const auto columns = static_cast<float>(figure.map.columns), rows = static_cast<float>(figure.map.rows);
    float side = std::min(room.width() / columns, room.height() / rows);
    if (side >= 1) side = std::floor(side);
    return {room.x0, room.y0, room.x0 + side * columns, room.y0 + side * rows};
}

void draw_axes(Canvas& canvas, const Ui& ui, Rect cells, const HeatFigure& figure) {
    const TextStyle style = {Font::caption, ui.theme.palette.muted, Align::centre};
    const float height = canvas.measure("", Font::caption).y, gap = ui.theme.px(4);
    const GridSize size = {figure.map.rows, figure.map.columns};
    for (const int column : index_ticks(size.columns, static_cast<int>(cells.width() / ui.theme.px(48)))) {
        const Rect cell = cell_rect(cells, size, {0, column});
        canvas.text({cell.centre().x, cells.y0 - height - gap}, std::to_string(column), style);
    }
    for (const int row : index_ticks(size.rows, static_cast<int>(cells.height() / ui.theme.px(36)))) {
        const Rect cell = cell_rect(cells, size, {row, 0});
        canvas.text({cells.x0 - gap, cell.centre().y - height / 2}, std::to_string(row),
                    {Font::caption, style.color, Align::right});
    }
    const std::string arrows =
        figure.row_axis.empty() ? figure.column_axis + " →" : figure.row_axis + " ↓   " + figure.column_axis + " →";
    canvas.text({cells.x0, cells.y0 - 2 * height - gap}, arrows, {Font::caption, style.color});
}

/// Number of decimals in a formatted number; none for a power of ten.
std::optional<int> decimals_of(const std::string& words) {
    if (words.find("\u00D7") != std::string::npos) return std::nullopt;
    const std::size_t point = words.find('.');
    return point == std::string::npos ? 0 : static_cast<int>(words.size() - point) - 1;
}

using Marks = std::vector<std::pair<double, std::string>>;

/// 1, 2 and 5 times powers of ten below the upper end, from the largest down to a thousandth of it.
std::vector<double> root_ticks(double high) {
    std::vector<double> ticks;
    for (double power = std::pow(10.0, std::floor(std::log10(high))); power > high / 1000; power /= 10)
        for (const double digit : {5.0, 2.0, 1.0})
            if (digit * power < high * (1 - 1e-6)) ticks.push_back(digit * power);
    return ticks;
}

/// Decimals needed for a round number.
int decimals_needed(double tick) { return std::max(0, static_cast<int>(std::ceil(-std::log10(tick) - 1e-9))); }

/// The ticks above 0 and their labels, the most important first.
Marks marks_above_zero(const ColourScale& scale, int most, std::optional<int> decimals) {
    const auto high = static_cast<double>(scale.high);
    Marks marks;
    if (scale.curve == Curve::root) {
        for (const double tick : root_ticks(high))
            marks.emplace_back(tick, high < 1e-3
                                         ? number_text(tick)
                                         : fixed_text(tick, std::max(decimals.value_or(0), decimals_needed(tick))));
        return marks;
    }
    const Ticks ticks = ticks_of(is_signed(scale.map) ? 0 : static_cast<double>(scale.low), high, most);
    for (const double tick : ticks.at)
        if (tick != 0) marks.emplace_back(tick, decimals ? fixed_text(tick, *decimals) : ticks.words(tick));
    return marks;
}

Marks decades_above(double least, double high) {
    Marks marks;
    for (double exponent = std::ceil(std::log10(least)); std::pow(10.0, exponent) < high; ++exponent)
        marks.emplace_back(std::pow(10.0, exponent), power_text(static_cast<int>(exponent)));
    return marks;
}

/// The ticks below a bar: each is placed unless its label would overlap others; for two sides only in pairs.
void draw_bar_ticks(Canvas& canvas, const Ui& ui, Rect bar, const ColourScale& scale) {
    const TextStyle style = {Font::caption, ui.theme.palette.text, Align::centre};
    const float top = bar.y1 + ui.theme.px(6), gap = ui.theme.px(12);
    const bool two_sided = is_signed(scale.map), decades = !two_sided && scale.curve == Curve::logarithm;
    const float least = decades ? scale.low + (scale.high - scale.low) * std::pow(10.0F, -log_decades) : scale.low;
    const std::string low = (decades ? "≤ " : "") + number_text(least), high = number_text(scale.high);
    canvas.text({bar.x0, top}, low, {Font::caption, style.color, Align::left});
    canvas.text({bar.x1, top}, high, {Font::caption, style.color, Align::right});
    std::vector<std::pair<float, float>> taken = {{bar.x0 - gap, bar.x0 + canvas.measure(low, Font::caption).x},
                                                  {bar.x1 - canvas.measure(high, Font::caption).x, bar.x1 + gap}};
    const auto place_of = [&](double tick) {
        return std::round(std::lerp(bar.x0, bar.x1, scale.position(static_cast<float>(tick))));
    };
    const auto is_free = [&](double tick, const std::string& words) {
        const float x = place_of(tick), half = canvas.measure(words, Font::caption).x / 2 + gap;
        return std::ranges::none_of(taken, [&](const auto& t) { return x - half < t.second && t.first < x + half; });
    };
    const auto draw = [&](double tick, const std::string& words) {
        const float x = place_of(tick), half = canvas.measure(words, Font::caption).x / 2;
        canvas.line({x, bar.y1}, {x, bar.y1 + ui.theme.px(4)}, ui.theme.palette.muted, ui.theme.px(1));
        canvas.text({x, top}, words, {Font::caption, ui.theme.palette.muted, Align::centre});
        taken.emplace_back(x - half, x + half);
    };
    const int most = std::max(1, static_cast<int>(bar.width() / ui.theme.px(72)) / (two_sided ? 2 : 1));
    const Marks marks = decades ? decades_above(static_cast<double>(least), static_cast<double>(scale.high))
                                : marks_above_zero(scale, most, two_sided ? decimals_of(high) : std::nullopt);
    if (scale.low < 0 && scale.high > 0) draw(0, "0");
    for (const auto& [tick, words] : marks) {
        const std::string below = (tick > 0 ? "\u2212" : "") + words;
        if (!is_free(tick, words) || (two_sided && !is_free(-tick, below))) continue;
        draw(tick, words);
        if (two_sided) draw(-tick, below);
    }
}

}  // namespace

std::optional<GridCell> cell_at(Rect figure, GridSize size, Point at) {
    if (!figure.contains(at) || size.rows < 1 || size.columns < 1) return std::nullopt;
    const float down = (at.y - figure.y0) / figure.height() * static_cast<float>(size.rows);
    const float right = (at.x - figure.x0) / figure.width() * static_cast<float>(size.columns);
    return GridCell{std::min(static_cast<int>(down), size.rows - 1),
                    std::min(static_cast<int>(right), size.columns - 1)};
}

Rect cell_rect(Rect figure, GridSize size, GridCell cell) {
    const float width = figure.width() / static_cast<float>(size.columns);
    const float height = figure.height() / static_cast<float>(size.rows);
    const float x = figure.x0 + width * static_cast<float>(cell.column);
    const float y = figure.y0 + height * static_cast<float>(cell.row);
    return {x, y, x + width, y + height};
}

void outline_cell(Canvas& canvas, const Ui& ui, Rect cell, Color color) {
    const float thickness = ui.theme.px(2);
    const Rect edge = {std::round(cell.x0) - thickness, std::round(cell.y0) - thickness,
                       std::round(cell.x1) + thickness, std::round(cell.y1) + thickness};
    constexpr Color black{0, 0, 0, 255}, white{255, 255, 255, 255};
    const Color other = contrast(color, black) > contrast(color, white) ? black : white;
    canvas.stroke(edge.inset(-ui.theme.px(1)), other.with_alpha(0.75F), ui.theme.px(1));
    canvas.stroke(edge, color, thickness);
    canvas.stroke(edge.inset(thickness), other.with_alpha(0.75F), ui.theme.px(1));
}

Rect heat_figure(Canvas& canvas, const Ui& ui, Rect rect, const HeatFigure& figure) {
    const Point margin = margins(canvas, ui, figure);
    const Rect room = {rect.x0 + margin.x, rect.y0 + margin.y, rect.x1, rect.y1};
    if (room.empty() || figure.map.rows < 1 || figure.map.columns < 1) return {};
    const Rect cells = cells_of(room, figure);
    canvas.heat_map(cells, figure.map);
    canvas.stroke(cells.inset(-ui.theme.px(1)), ui.theme.palette.line, ui.theme.px(1));
    if (margin.x > 0) draw_axes(canvas, ui, cells, figure);
    return cells;
}

float colour_bar(Canvas& canvas, const Ui& ui, Rect rect, const ColourBar& bar) {
    const Palette& palette = ui.theme.palette;
    const float line = canvas.measure("", Font::caption).y, gap = ui.theme.px(6), thickness = ui.theme.px(12);
    // A bar too narrow for both words keeps the caption.
    const float wide = canvas.measure(bar.scope, Font::caption).x;
    const std::string scope = wide > rect.width() * 0.7F ? "" : bar.scope;
    const float room = rect.width() - (scope.empty() ? 0 : wide + ui.theme.px(16));
    const bool whole = bar.shorter.empty() || canvas.measure(bar.caption, Font::caption).x <= room;
    canvas.text({rect.x0, rect.y0}, fitted(canvas, whole ? bar.caption : bar.shorter, Font::caption, room),
                {Font::caption, palette.text});
    canvas.text({rect.x1, rect.y0}, scope, {Font::caption, palette.muted, Align::right});

    std::array<float, colour_map_steps> ramp;
    for (int i = 0; i < colour_map_steps; ++i) ramp[i] = static_cast<float>(i);
    const HeatMap map = {ramp.data(), 1, colour_map_steps, {bar.scale.map, 0.0F, colour_map_steps - 1.0F}};
    const Rect strip = {rect.x0, rect.y0 + line + gap, rect.x1, rect.y0 + line + gap + thickness};
    canvas.heat_map(strip, map);
    canvas.stroke(strip, palette.line, ui.theme.px(1));
    draw_bar_ticks(canvas, ui, strip, bar.scale);
    return line + gap + thickness + gap + line;
}

}  // namespace vitrine
