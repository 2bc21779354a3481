#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "app/ui/probe.h"
#include "app/ui/widgets/axis.h"
#include "app/ui/widgets/number.h"

namespace vitrine {
namespace {

PlotAxis with_width(PlotAxis axis) {
    if (axis.powers) axis.low = std::log10(axis.low), axis.high = std::log10(axis.high);
    if (!(axis.high > axis.low)) axis.high = axis.low + 1;
    return axis;
}

constexpr float least_label_distance = 0.9F;  // least distance of stacked numbers, in line heights

/// "10⁵"
std::string power_words(int power) {
    constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string words = power < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(power))) words += digits[digit - '0'];
    return words;
}

/// The label of a tick.
std::string tick_words(const PlotAxis& axis, const Ticks& ticks, double tick) {
    if (axis.powers) return power_words(static_cast<int>(std::lround(tick)));
    return axis.whole ? std::to_string(std::lround(tick)) : ticks.words(tick);
}

/// True if a tick has a label.
bool has_label(const PlotAxis& axis, double tick) { return !(axis.whole || axis.powers) || tick == std::round(tick); }

/// An axis's length, the least gap between labels, how far a label may reach beyond the axis's end, and the size of a
/// label along the axis; all in px.
struct TickRoom {
    float length, apart, beyond;
    std::function<float(const std::string&)> size;
};

/// Number of ticks whose labels do not overlap the label before.
int labels_that_fit(const PlotAxis& axis, const Ticks& ticks, const TickRoom& room) {
    const double pixels = static_cast<double>(room.length) / (axis.high - axis.low);
    int labels = 0;
    double free = -1e9;  // end of the last label
    for (const double tick : ticks.at) {
        if (!has_label(axis, tick)) continue;
        const double half = static_cast<double>(room.size(tick_words(axis, ticks, tick))) / 2,
                     end = static_cast<double>(room.length + room.beyond),
                     at = std::min((tick - axis.low) * pixels, end - half);
        if (at - half < free) continue;
        free = at + half + static_cast<double>(room.apart);
        ++labels;
    }
    return labels;
}

/// Ticks at a comfortable distance; closer ones if fewer than three would have labels and there is room: with two
/// labels, values between them cannot be estimated.
Ticks ticks_in(const PlotAxis& axis, float usual, const TickRoom& room) {
    const int most = std::max(2, static_cast<int>(room.length / usual));
    const Ticks ticks = ticks_of(axis.low, axis.high, most);
    constexpr int least = 3, closest = 12;
    if (labels_that_fit(axis, ticks, room) >= least) return ticks;
    for (int more = most + 1; more <= closest; ++more) {
        const Ticks closer = ticks_of(axis.low, axis.high, more);
        if (labels_that_fit(axis, closer, room) >= least) return closer;
    }
    return ticks;
}

Ticks y_ticks(const Canvas& canvas, const Ui& ui, const PlotAxis& y, float height) {
    const float line = least_label_distance * canvas.measure("", Font::caption).y;
    return ticks_in(y, ui.theme.px(44), {height, 0, line, [line](const std::string&) { return line; }});
}

Ticks x_ticks(const Canvas& canvas, const Ui& ui, const PlotAxis& x, float width) {
    const auto size = [&canvas](const std::string& words) { return canvas.measure(words, Font::caption).x; };
    return ticks_in(x, ui.theme.px(72), {width, ui.theme.px(6), ui.theme.px(12), size});
}

/// Heights above and below a plot's area.
struct PlotEnds {
    float top, bottom;
};
PlotEnds ends_of(const Canvas& canvas, const Ui& ui, const PlotAxis& x, const PlotAxis& y) {
    const float line = canvas.measure("", Font::caption).y, gap = ui.theme.px(6);
    // The highest label is below the axis name.
    return {y.name.empty() ? line / 2 : 1.5F * line, line + gap + (x.name.empty() ? 0 : line + gap / 2)};
}

std::size_t nearest(const std::vector<double>& ascending, double x) {
    const auto distance = [x](double value) { return std::abs(value - x); };
    return static_cast<std::size_t>(std::ranges::min_element(ascending, {}, distance) - ascending.begin());
}

struct ReadoutLine {
    std::string words;
    std::optional<Color> color;  // of the row's curve; none for the first line, the position on the axis
};

struct Readout {
    Rect plot;
    Point pointer;
    std::vector<ReadoutLine> lines;
};

/// A box with the lines beside the pointer, kept inside the plot.
void draw_readout(Canvas& canvas, const Ui& ui, const Readout& readout) {
    const auto& [plot, pointer, lines] = readout;
    const Palette& palette = ui.theme.palette;
    const float line = canvas.measure("", Font::caption).y, pad = ui.theme.px(8);
    float widest = 0;
    for (const ReadoutLine& row : lines) widest = std::max(widest, canvas.measure(row.words, Font::caption).x);
    const float width = widest + 2 * pad, height = line * static_cast<float>(lines.size()) + 2 * pad;
    const bool right = pointer.x + 2 * pad + width < plot.x1;
    const float x0 = std::max(plot.x0, right ? pointer.x + 2 * pad : pointer.x - 2 * pad - width);
    const float y0 = std::clamp(pointer.y - height / 2, plot.y0, std::max(plot.y0, plot.y1 - height));
    const Rect box = {x0, y0, x0 + width, y0 + height};
    canvas.fill(box, palette.raised, pad);
    canvas.stroke(box, palette.line, ui.theme.px(1), pad);
    for (float y = y0 + pad; const ReadoutLine& row : lines) {
        canvas.text({x0 + pad, y}, row.words, {Font::caption, row.color ? palette.text : palette.muted});
        if (row.color) canvas.fill({x0, y, x0 + ui.theme.px(3), y + line}, *row.color);
        y += line;
    }
}

}  // namespace

Plot::Plot(Canvas& canvas, const Ui& ui, Rect rect, const PlotAxis& x, const PlotAxis& y)
    : canvas_(canvas), ui_(ui), x_(with_width(x)), y_(with_width(y)), rect_(rect) {
    const float gap = ui.theme.px(6);
    const auto [top, bottom] = ends_of(canvas, ui, x_, y_);
    area_ = {std::round(rect.x0 + plot_margin(canvas, ui, rect.height(), x, y)), std::round(rect.y0 + top),
             std::round(rect.x1 - 2 * gap), std::round(rect.y1 - bottom)};
    if (!area_.empty()) draw_axes();
}

float Plot::x_of(double x) const {
    return area_.x0 + static_cast<float>((x - x_.low) / (x_.high - x_.low)) * area_.width();
}

float Plot::y_of(double y) const {
    const double at = y_.powers ? std::log10(std::max(y, std::pow(10.0, y_.low))) : y;
    return area_.y1 - static_cast<float>((at - y_.low) / (y_.high - y_.low)) * area_.height();
}

double Plot::x_at(float pixel) const { return x_.low + (pixel - area_.x0) / area_.width() * (x_.high - x_.low); }

void Plot::draw_axes() {
    const Palette& palette = ui_.theme.palette;
    const float hairline = ui_.theme.px(1), gap = ui_.theme.px(6), line = canvas_.measure("", Font::caption).y;
    const Ticks down = y_ticks(canvas_, ui_, y_, area_.height());
    float above = 1e9F;  // y of the last label
    for (const double tick : down.at) {
        if (!has_label(y_, tick)) continue;
        const float y = std::round(y_of(y_.powers ? std::pow(10.0, tick) : tick));
        canvas_.line({area_.x0, y}, {area_.x1, y}, palette.line, hairline);
        if (std::fabs(above - y) < least_label_distance * line) continue;  // would overlap the last label
        above = y;
        canvas_.text({area_.x0 - gap, y - line / 2}, tick_words(y_, down, tick),
                     {Font::caption, palette.muted, Align::right});
    }
    float free = -1e9F;  // end of the last label
    const Ticks across = x_ticks(canvas_, ui_, x_, area_.width());
    for (const double tick : across.at) {
        if (!has_label(x_, tick)) continue;
        const std::string words = tick_words(x_, across, tick);
        const float x = std::round(x_of(tick)), half = canvas_.measure(words, Font::caption).x / 2;
        canvas_.line({x, area_.y1}, {x, area_.y1 + gap / 2}, palette.muted, hairline);
        const float inside = std::clamp(x, rect_.x0 + half, std::max(rect_.x0 + half, rect_.x1 - half));
        if (inside - half < free) continue;  // would overlap the last label
        free = inside + half + gap;
        canvas_.text({inside, area_.y1 + gap}, words, {Font::caption, palette.muted, Align::centre});
    }
    canvas_.line({area_.x0, area_.y1}, {area_.x1, area_.y1}, palette.muted, hairline);
    canvas_.text({rect_.x0, rect_.y0}, y_.name, {Font::caption, palette.muted});
    canvas_.text({area_.x1, area_.y1 + gap + line + gap / 2}, x_.name, {Font::caption, palette.muted, Align::right});
}

void Plot::line(const PlotLine& line) {
    if (area_.empty()) return;
    const float thickness = ui_.theme.px(line.thickness);
    canvas_.push_clip(area_.inset(-thickness));
    std::vector<Point> piece;
    const auto flush = [&] {
        if (piece.size() == 1) canvas_.circle(piece[0], thickness, line.color);
        if (piece.size() > 1) canvas_.polyline(piece, line.color, thickness);
        piece.clear();
    };
    for (std::size_t i = 0; i < line.x.size(); ++i) {
        if (std::isfinite(line.y[i]))
            piece.push_back({x_of(line.x[i]), y_of(line.y[i])});
        else
            flush();
    }
    flush();
    canvas_.pop_clip();
    rows_.push_back({line.name, line.color, {line.x.begin(), line.x.end()}, {line.y.begin(), line.y.end()}});
}

void Plot::bars(const PlotBars& bars) {
    if (area_.empty()) return;
    Row row = {bars.name, bars.color, {}, {}};
    for (std::size_t i = 0; i < bars.heights.size(); ++i) {
        const float left = x_of(bars.edges[i]), right = x_of(bars.edges[i + 1]);
        const float gap = right - left >= 4 ? ui_.theme.px(1) : 0;
        const float top = std::clamp(y_of(bars.heights[i]), area_.y0, area_.y1);
        const float foot = std::clamp(y_of(0), area_.y0, area_.y1);
        // Non-zero bars are at least one pixel high.
        const float height = bars.heights[i] != 0 ? std::max(ui_.theme.px(1), std::abs(foot - top)) : 0;
        const float y0 = bars.heights[i] >= 0 ? foot - height : foot;
        if (height > 0) canvas_.fill({left, y0, std::max(left + 1, right - gap), y0 + height}, bars.color);
        row.x.push_back((bars.edges[i] + bars.edges[i + 1]) / 2);
        row.y.push_back(bars.heights[i]);
    }
    rows_.push_back(std::move(row));
}

void Plot::marker(double x, Color color, const std::string& name) {
    if (area_.empty() || x < x_.low || x > x_.high) return;
    const float at = std::round(x_of(x)), gap = ui_.theme.px(6);
    canvas_.line({at, area_.y0}, {at, area_.y1}, color, ui_.theme.px(2));
    const Point size = canvas_.measure(name, Font::caption);
    const bool fits = at + gap + size.x < area_.x1;
    const float left = fits ? at + gap : at - gap - size.x;
    if (!name.empty())  // readable over bars
        canvas_.fill({left - gap / 2, area_.y0, left + size.x + gap / 2, area_.y0 + size.y},
                     ui_.theme.palette.panel.with_alpha(0.85F));
    canvas_.text({fits ? at + gap : at - gap, area_.y0}, name,
                 {Font::caption, color, fits ? Align::left : Align::right});
}

void Plot::readout(Point pointer) {
    if (!area_.contains(pointer) || rows_.empty() || rows_.front().x.empty()) return;
    const double x = rows_.front().x[nearest(rows_.front().x, x_at(pointer.x))];
    const float at = std::round(x_of(x));
    canvas_.line({at, area_.y0}, {at, area_.y1}, ui_.theme.palette.muted, ui_.theme.px(1));
    const std::string place = x_.whole && x == std::round(x) ? std::to_string(std::lround(x)) : number_text(x);
    std::vector<ReadoutLine> lines = {{(x_.name.empty() ? "" : x_.name + " = ") + place, {}}};
    for (const Row& row : rows_) {
        if (row.x.empty()) continue;
        const std::size_t i = nearest(row.x, x);
        if (!std::isfinite(row.y[i])) continue;
        if (const float y = y_of(row.y[i]); y >= area_.y0 && y <= area_.y1)
            canvas_.circle({x_of(row.x[i]), y}, ui_.theme.px(4), row.color);
        lines.push_back({(row.name.empty() ? "" : row.name + "  ") + number_text(row.y[i]), row.color});
    }
    draw_readout(canvas_, ui_, {rect_, pointer, std::move(lines)});
}

bool Plot::touches(Rect rect) const {
    const auto passes = [&](Point a, Point b) {
        if (a.x > b.x) std::swap(a, b);
        const float from = std::max(a.x, rect.x0), to = std::min(b.x, rect.x1);
        if (!(from <= to)) return false;
        const auto y_at = [&](float x) { return std::lerp(a.y, b.y, (x - a.x) / (b.x - a.x)); };
        const auto [low, high] = a.x < b.x ? std::minmax({y_at(from), y_at(to)}) : std::minmax({a.y, b.y});
        return low <= rect.y1 && high >= rect.y0;
    };
    for (const Row& row : rows_)
        for (std::size_t i = 1; i < row.x.size(); ++i)
            if (passes({x_of(row.x[i - 1]), y_of(row.y[i - 1])}, {x_of(row.x[i]), y_of(row.y[i])})) return true;
    return false;
}

std::vector<LegendEntry> Plot::entries() const {
    std::vector<LegendEntry> all;
    for (const Row& row : rows_) all.push_back({row.name, row.color});
    return all;
}

float plot_margin(const Canvas& canvas, const Ui& ui, float height, const PlotAxis& x, const PlotAxis& y) {
    const auto [top, bottom] = ends_of(canvas, ui, x, y);
    const Ticks ticks = y_ticks(canvas, ui, with_width(y), height - top - bottom);
    float widest = 0;
    for (const double tick : ticks.at)
        widest = std::max(widest, canvas.measure(tick_words(with_width(y), ticks, tick), Font::caption).x);
    return widest + ui.theme.px(6);
}

bool legend(Canvas& canvas, const Ui& ui, Rect rect, std::span<const LegendEntry> entries, const std::string& id) {
    const float stroke = ui.theme.px(18), gap = ui.theme.px(6), apart = ui.theme.px(18);
    float width = -apart;
    std::string all;
    for (const LegendEntry& entry : entries) {
        width += stroke + gap + canvas.measure(entry.name, Font::caption).x + apart;
        all += (all.empty() ? "" : " · ") + entry.name;
    }
    if (entries.empty() || width > rect.width()) return false;
    const float line = canvas.measure("", Font::caption).y, y = rect.y0 + line / 2;
    float x = rect.x1 - width;
    for (const LegendEntry& entry : entries) {
        canvas.line({x, y}, {x + stroke, y}, entry.color, ui.theme.px(3));
        canvas.text({x + stroke + gap, rect.y0}, entry.name, {Font::caption, ui.theme.palette.text});
        x += stroke + gap + canvas.measure(entry.name, Font::caption).x + apart;
    }
    ui.probe.mark(id, {rect.x1 - width, rect.y0, rect.x1, rect.y0 + line}, static_cast<double>(entries.size()), all);
    return true;
}

Histogram histogram(std::span<const float> values, int bins, double low, double high) {
    Histogram counts;
    for (int i = 0; i <= bins; ++i) counts.edges.push_back(low + (high - low) * i / bins);
    counts.heights.assign(static_cast<std::size_t>(bins), 0.0);
    for (const float value : values) {
        if (!(value >= low && value <= high) || !(high > low)) continue;
        const int bin = static_cast<int>((value - low) / (high - low) * bins);
        ++counts.heights[static_cast<std::size_t>(std::min(bin, bins - 1))];
    }
    return counts;
}

}  // namespace vitrine
