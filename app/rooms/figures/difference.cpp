#include "app/rooms/figures/difference.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

std::string number_at(const std::vector<float>& numbers, int i) {
    return number_text(static_cast<double>(numbers[static_cast<std::size_t>(i)]));
}

/// Shows a readout of number i in A, in B, and of the difference, with the digits that give it as it is written.
void show_both(const Ui& ui, Rect rect, const ComparedNumbers& what, const std::vector<float>& difference, int i) {
    const auto at = [i](const std::vector<float>& numbers) {
        return static_cast<double>(numbers[static_cast<std::size_t>(i)]);
    };
    const double a = at(what.a), b = at(what.b), by = at(difference);
    const int digits = digits_for(by, std::minus<>{}, a, b);
    std::vector<std::string> lines = {"A = " + digits_text(a, digits), "B = " + digits_text(b, digits),
                                      "A − B = " + signed_text(by)};
    if (what.name) lines.insert(lines.begin(), what.name(i));
    readout(ui, lines);
    ui.probe.mark(what.id + ".both", rect, by, lines.front());
    if (what.pointed) what.pointed(i);
}

/// Draws bars around 0, below their title and range.
void draw_as_bars(const Ui& ui, Canvas& canvas, Rect rect, const ComparedNumbers& what,
                  const std::vector<float>& difference) {
    const float reach = reach_of(difference);
    const std::string range = "± " + number_text(static_cast<double>(reach));
    const float wide = canvas.measure(range, Font::caption).x + ui.theme.px(12);
    canvas.text({rect.x0, rect.y0}, fitted(canvas, what.title, Font::caption, rect.width() - wide),
                {Font::caption, ui.theme.palette.muted, Align::left});
    canvas.text({rect.x1, rect.y0}, range, {Font::caption, ui.theme.palette.muted, Align::right});
    const Rect bars{rect.x0, rect.y0 + canvas.measure("", Font::caption).y + ui.theme.px(3), rect.x1, rect.y1};
    feature_bars(canvas, ui, bars, {difference, reach, {}, {}});
    const int count = static_cast<int>(difference.size());
    const Hit hit = hot_area(ui, what.id, bars, what.title, {1, count});
    if (const auto at = hit.at ? feature_at(bars, count, *hit.at) : std::nullopt)
        show_both(ui, bars, what, difference, *at);
}

/// Draws a map of cells with its colour bar.
void draw_as_cells(const Ui& ui, Canvas& canvas, Rect rect, const ComparedNumbers& what,
                   const std::vector<float>& difference) {
    const float reach = reach_of(difference), bar = ui.theme.px(64);
    const ColourScale scale{ColourMap::diverging, -reach, reach};
    const float line = what.axes.empty() ? 0 : canvas.measure("", Font::caption).y + ui.theme.px(3);
    canvas.text({rect.x0, rect.y0}, fitted(canvas, what.axes, Font::caption, rect.width()),
                {Font::caption, ui.theme.palette.muted, Align::left});
    const Rect cells = heat_figure(canvas, ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1 - bar},
                                   {{difference.data(), what.cells.rows, what.cells.columns, scale}});
    if (cells.empty()) return;
    colour_bar(canvas, ui, {rect.x0, cells.y1 + ui.theme.px(8), rect.x1, rect.y1}, {scale, what.title});
    const Hit hit = hot_area(ui, what.id, cells, what.title, {what.cells.rows, what.cells.columns});
    const auto cell = hit.at ? cell_at(cells, what.cells, *hit.at) : std::nullopt;
    if (!cell) return;
    outline_cell(canvas, ui, cell_rect(cells, what.cells, *cell), ui.theme.palette.accent);
    show_both(ui, cells, what, difference, cell->row * what.cells.columns + cell->column);
}

/// Writes the best classes of both runs; returns the lower edge.
float draw_answers(const Scene& scene, Rect rect) {
    float y = rect.y0;
    for (const Result* const now : {&scene.now, &scene.other->now}) {
        std::string words = now == &scene.now ? "A:" : "B:";
        for (const Prediction& each : top_predictions(*now->trace.head, 3))
            words += "  " + class_name(scene.ui, *now->model, each.index) + " " +
                     probability_text(static_cast<double>(each.probability));
        y += text_block(scene, {rect.x0, y, rect.x1, rect.y1}, words, Font::caption) + scene.ui.theme.px(4);
    }
    scene.ui.probe.mark("difference.answers", {rect.x0, rect.y0, rect.x1, y});
    return y;
}

/// Draws how much attention adds to the residual stream, by relative depth.
void draw_depth(const Scene& scene, Rect rect) {
    const Palette& palette = scene.ui.theme.palette;
    struct Curve {
        std::vector<double> x, attention;
        double most = 0;
    };
    const auto curve_of = [](const Result& now) {
        Curve curve;
        const auto blocks = static_cast<double>(now.skip_ratios.size());
        for (const SkipRatio& ratio : now.skip_ratios) {
            curve.x.push_back((static_cast<double>(curve.x.size()) + 1) / blocks);
            curve.attention.push_back(ratio.attention);
            if (std::isfinite(ratio.attention)) curve.most = std::max(curve.most, ratio.attention);
        }
        return curve;
    };
    const Curve a = curve_of(scene.now), b = curve_of(scene.other->now);
    const float title = text_block(scene, rect, scene.ui.text("difference.depth"), Font::caption);
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + title, rect.x1, rect.y1},
              {0, 1, scene.ui.text("difference.depth_axis")}, {0, std::max({a.most, b.most, 1e-6}) * 1.1, {}});
    plot.line({a.x, a.attention, palette.accent, "A"});
    plot.line({b.x, b.attention, palette.key, "B"});
    const Hit hit = hot_area(scene.ui, "difference.depth", plot.area());
    if (hit.at) plot.readout(*hit.at);
}

}  // namespace

void Comparison::add(ComparedNumbers part, const std::string& otherwise, bool fits) {
    if (fits && !part.a.empty() && part.a.size() == part.b.size())
        parts.push_back(std::move(part));
    else
        why = otherwise;
}

bool same_tokens(const Config& a, const Config& b) {
    return a.leading == b.leading && a.grid_width() == b.grid_width() && a.tokens() == b.tokens();
}

bool same_classes(const Config& a, const Config& b) { return a.labels == b.labels; }

ComparedNumbers compared_tokens(const Scene& scene, Selection& selection, const std::string& id,
                                const std::string& title) {
    const auto figure = [&scene, &selection](Rect rect, const ComparedNumbers& what,
                                             const std::vector<float>& difference) {
        const float reach = reach_of(difference);
        std::string symbol = "A − B";
        if (const auto token = selection.hovered_token(); token && *token < static_cast<int>(difference.size())) {
            const std::string both = scene.ui.text(
                "difference.pointed", {{"a", number_at(what.a, *token)}, {"b", number_at(what.b, *token)}});
            symbol = both + " · " + symbol;
            scene.ui.probe.mark(what.id + ".both", rect,
                                static_cast<double>(difference[static_cast<std::size_t>(*token)]), both);
        }
        const Scene alone{scene.ui, scene.now, scene.canvas, rect, 1.0F};
        token_map(alone, rect,
                  {what.id, what.title, difference, {ColourMap::diverging, -reach, reach}, {}, {}, false, {}, symbol},
                  selection);
    };
    return {.id = id, .title = title, .figure = figure};
}

ComparedNumbers compared_patches(const Scene& scene, Selection& selection, const std::string& id,
                                 const std::string& title) {
    const Config& c = scene.now.model->config;
    return {.id = id,
            .title = title,
            .name = [&scene, &c](int patch) { return token_name(scene.ui, scene.now, c.token_of(patch)); },
            .cells = {c.grid_height(), c.grid_width()},
            .pointed = [&selection, &c](int patch) { selection.hover_token(c.token_of(patch)); }};
}

ComparedNumbers compared_heads(const Ui& ui, Selection& selection, const std::string& id, const std::string& title,
                               GridSize size) {
    const int heads = size.columns;
    return {.id = id,
            .title = title,
            .name =
                [&ui, heads](int i) {
                    return ui.text("lab.head", {{"block", ui.ordinal(i / heads)}, {"head", ui.ordinal(i % heads)}});
                },
            .cells = size,
            .axes = ui.text("causes.axes", {{"parts", ui.text("causes.head")}}),
            .pointed = [&selection, heads](int i) { selection.hover_head(i % heads, i / heads + 1); }};
}

void draw_comparison(const Ui& ui, Canvas& canvas, Rect area, const Comparison& what,
                     const std::function<void(Rect rest)>& rest) {
    const float gap = ui.theme.px(14);
    const auto places = static_cast<float>(std::max(std::size_t{2}, what.parts.size() + (what.why.empty() ? 0 : 1)));
    const float height = (area.height() - gap * (places - 1)) / places;
    float y = area.y0;
    for (const ComparedNumbers& part : what.parts) {
        std::vector<float> difference(part.a.size());
        std::ranges::transform(part.a, part.b, difference.begin(), std::minus<>());
        const Rect place{area.x0, y, area.x1, y + height};
        const bool same = std::ranges::all_of(difference, [](float x) { return x == 0; });
        const double most = same ? 0 : static_cast<double>(reach_of(difference));
        ui.probe.mark(part.id + ".reach", place, most, number_text(most));
        if (part.figure)
            part.figure(place, part, difference);
        else if (part.cells.rows > 0)
            draw_as_cells(ui, canvas, place, part, difference);
        else
            draw_as_bars(ui, canvas, place, part, difference);
        y += height + gap;
    }
    if (what.why.empty()) return;
    const Rect below{area.x0, y, area.x1, area.y1};
    const float told = rich_text(canvas, ui, below, {what.why, Font::caption, ui.theme.palette.text, Align::left});
    ui.probe.mark("difference.shapes", {below.x0, below.y0, below.x1, below.y0 + told}, 0, what.why);
    rest({below.x0, below.y0 + told + gap, below.x1, below.y1});
}

void draw_in_common(const Scene& scene, Rect rect) {
    const float gap = scene.ui.theme.px(14), below = draw_answers(scene, rect);
    if (rect.y1 - below > scene.ui.theme.px(180)) draw_depth(scene, {rect.x0, below + gap, rect.x1, rect.y1});
}

}  // namespace vitrine
