#include "app/ui/widgets/bars.h"

#include <algorithm>
#include <cmath>

#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number.h"

namespace vitrine {
namespace {

constexpr float row_height = 52, bar_thickness = 14;

struct Words {
    std::string value, change;
};

Words words_beside(const Ui& ui, const BarRow& row, BarUnit unit) {
    const bool fraction = unit == BarUnit::fraction;
    Words words = {fraction ? probability_text(row.value) : number_text(row.value), ""};
    if (row.baseline && *row.baseline != row.value) {
        const double change = row.value - *row.baseline;
        words.change =
            fraction ? share_change_text(*row.baseline, row.value, ui.text("glossary.pp")) : signed_text(change);
    }
    return words;
}

/// First line: label, and on the right change and value. Second line: the bar on its track, with the
/// baseline's bar, pale.
void draw_row(Canvas& canvas, const Ui& ui, Rect room, const BarList& list, const BarRow& row) {
    const Palette& palette = ui.theme.palette;
    const Words words = words_beside(ui, row, list.unit);
    const float value_width = canvas.measure(words.value, Font::strong).x, gap = ui.theme.px(12);
    const float change_width = words.change.empty() ? 0 : canvas.measure(words.change, Font::body).x + gap;
    canvas.text({room.x0, room.y0},
                fitted(canvas, row.label, Font::body, room.width() - value_width - change_width - gap),
                {Font::body, palette.text});
    canvas.text({room.x1, room.y0}, words.value, {Font::strong, palette.text, Align::right});
    if (!words.change.empty()) {
        const Color color = change_color(palette, row.value - *row.baseline);
        canvas.text({room.x1 - value_width - gap, room.y0}, words.change, {Font::body, color, Align::right});
    }
    const float rounding = ui.theme.px(3);
    const float top = std::round(room.y0 + canvas.measure("", Font::body).y + ui.theme.px(5));
    const Rect groove = {room.x0, top, room.x1, top + ui.theme.px(bar_thickness)};
    const auto length = [&](double value) {
        const double part = list.high > 0 ? std::clamp(value / list.high, 0.0, 1.0) : 0.0;
        return Rect{groove.x0, groove.y0, groove.x0 + static_cast<float>(part) * groove.width(), groove.y1};
    };
    canvas.fill(groove, palette.raised, rounding);
    const Rect bar = length(row.value), ghost = length(row.baseline.value_or(0));
    if (!ghost.empty()) canvas.fill(ghost, list.color.with_alpha(0.25F), rounding);
    if (!bar.empty()) canvas.fill(bar, list.color, rounding);
    if (!row.baseline) return;
    const float over = ui.theme.px(2);
    canvas.line({ghost.x1, ghost.y0 - over}, {ghost.x1, ghost.y1 + over}, palette.muted, ui.theme.px(2));
}

}  // namespace

Color change_color(const Palette& palette, double change) {
    if (std::abs(change) < next_to_nothing) return palette.muted;
    return change > 0 ? palette.positive : palette.negative;
}

float bar_list(Canvas& canvas, const Ui& ui, Rect rect, const BarList& list) {
    for (std::size_t i = 0; i < list.rows.size(); ++i) {
        draw_row(canvas, ui, bar_row_rect(ui, rect, static_cast<int>(i)), list, list.rows[i]);
    }
    return ui.theme.px(row_height) * static_cast<float>(list.rows.size());
}

Rect bar_row_rect(const Ui& ui, Rect rect, int row) {
    const float height = ui.theme.px(row_height);
    const float top = rect.y0 + height * static_cast<float>(row);
    return {rect.x0, top, rect.x1, top + height};
}

void feature_bars(Canvas& canvas, const Ui& ui, Rect rect, const FeatureBars& bars) {
    const Palette& palette = ui.theme.palette;
    const auto count = static_cast<int>(bars.values.size());
    const float middle = std::round(rect.centre().y), half = rect.height() / 2;
    canvas.fill(rect, palette.raised, ui.theme.px(4));
    const float width = rect.width() / static_cast<float>(std::max(1, count));
    const float gap = width >= 4 ? ui.theme.px(1) : 0;
    for (int i = 0; i < count; ++i) {
        const float value = bars.values[static_cast<std::size_t>(i)];
        if (!(bars.reach > 0) || !std::isfinite(value)) continue;
        const float end = middle - std::clamp(value / bars.reach, -1.0F, 1.0F) * half;
        const float x = rect.x0 + width * static_cast<float>(i);
        const bool lit = bars.hovered == i;
        if (lit) canvas.fill({x, rect.y0, x + std::max(width, ui.theme.px(2)), rect.y1}, palette.line);
        const Color color = lit          ? palette.text
                            : bars.color ? *bars.color
                            : value > 0  ? palette.positive
                                         : palette.negative;
        canvas.fill({x, std::min(end, middle), x + width - gap, std::max(end, middle)}, color);
    }
    canvas.line({rect.x0, middle}, {rect.x1, middle}, palette.muted, ui.theme.px(1));
}

std::optional<int> feature_at(Rect rect, int count, Point at) {
    const std::optional<GridCell> cell = cell_at(rect, {1, count}, at);
    return cell ? std::optional(cell->column) : std::nullopt;
}

}  // namespace vitrine
