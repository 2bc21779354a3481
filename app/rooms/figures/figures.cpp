#include "app/rooms/figures/figures.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"

namespace vitrine {

float phase(float time, float begin, float end) {
    const float t = std::clamp((time - begin) / (end - begin), 0.0F, 1.0F);
    return t * t * (3 - 2 * t);
}

Rect RectStack::next(float height) {
    const Rect r{rect_.x0, y_, rect_.x1, y_ + height};
    y_ += height + gap_;
    return r;
}

Rect columns(Rect rect, float from, float to) {
    return {rect.x0 + rect.width() * from, rect.y0, rect.x0 + rect.width() * to, rect.y1};
}

Tiling tiling_of(int count, Rect rect, float aspect, Point room) {
    Tiling best;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const float width = std::min(rect.width() / static_cast<float>(columns) - room.x,
                                     (rect.height() / static_cast<float>(rows) - room.y) * aspect);
        if (width > best.width) best = {columns, rows, width};
    }
    return best;
}

float reach_of(std::span<const float> values) {
    float reach = 0.0F;
    for (const float x : values)
        if (std::isfinite(x)) reach = std::max(reach, std::abs(x));
    return reach > 0.0F ? reach : 1.0F;
}

ColourScale named_scale(Selection& selection, const std::string& figure, ColourScale own) {
    own.high = selection.reach(figure, own.high);
    if (is_signed(own.map)) own.low = -own.high;
    return own;
}

void scale_bar(const Scene& scene, Rect rect, const ColourBar& bar) {
    colour_bar(scene.canvas, scene.ui, rect, {bar.scale, bar.caption, range_words(scene, bar.scope), bar.shorter});
}

std::shared_ptr<const BlockTrace> block_of(const Scene& scene, const Selection& selection) {
    return scene.now.trace.block(selection.focus.block);
}

const BlockWeights& weights_of(const Scene& scene, const Selection& selection) {
    return scene.now.model->weights.blocks[static_cast<std::size_t>(selection.focus.block - 1)];
}

std::span<const float> row_of(const Tensor2& tensor, int row) {
    return {&tensor(static_cast<std::size_t>(row), 0), tensor.shape()[1]};
}

std::span<const float> row_of(const Tensor3& tensor, int head, int row) {
    return {&tensor(static_cast<std::size_t>(head), static_cast<std::size_t>(row), 0), tensor.shape()[2]};
}

Region row_region(Quantity quantity, int block, int head, int row, int columns) {
    return {quantity, block, head, row, row + 1, 0, columns};
}

std::string shape_words(const std::string& name, std::initializer_list<int> shape) {
    std::string words = name + " (";
    bool first = true;
    for (const int n : shape) {
        words += (first ? "" : ", ") + count_text(n);
        first = false;
    }
    return words + ")";
}

float ranged_title(const Scene& scene, Rect rect, const std::string& title, float reach, Color color) {
    const Theme& theme = scene.ui.theme;
    const std::string plain = "± " + number_text(static_cast<double>(reach)), both = range_words(scene, plain);
    const float needed = scene.canvas.measure(without_markup(title) + both, Font::caption).x + theme.px(12);
    const std::string& range = needed <= rect.width() ? both : plain;
    const float range_width = scene.canvas.measure(range, Font::caption).x;
    text_line(scene, {rect.x0, rect.y0}, rect.width() - range_width - theme.px(12), title, Font::caption, color);
    scene.canvas.text({rect.x1, rect.y0}, range, {Font::caption, theme.palette.muted, Align::right});
    return scene.canvas.measure("", Font::caption).y + theme.px(3);
}

CellHit vector_figure(const Scene& scene, Rect rect, const VectorFigure& f, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const float reach = selection.reach(f.id, f.reach > 0 ? f.reach : reach_of(f.values));
    const float line = ranged_title(scene, rect, f.title, reach, f.color ? *f.color : theme.palette.muted);
    const Rect bars{rect.x0, rect.y0 + line, rect.x1, rect.y1};
    feature_bars(scene.canvas, scene.ui, bars, {f.values, reach, f.lit, f.color});
    if (!f.region) {
        scene.ui.probe.mark(f.id, bars, static_cast<double>(f.values.empty() ? 0.0F : f.values.front()), f.title);
        return {};
    }
    return point_at_cells(scene, bars, {f.id, *f.region, {1, static_cast<int>(f.values.size())}}, selection);
}

void outline_patches(const Scene& scene, Rect figure, const Selection& selection) {
    const Config& c = scene.now.model->config;
    const auto outline = [&](int token, Color color) {
        if (!c.is_patch(token)) return;
        const GridCell cell{c.patch_of(token) / c.grid_width(), c.patch_of(token) % c.grid_width()};
        outline_cell(scene.canvas, scene.ui, cell_rect(figure, {c.grid_height(), c.grid_width()}, cell), color);
    };
    outline(selection.focus.token, scene.ui.theme.palette.query);
    if (const auto hovered = selection.hovered_token(); hovered && hovered != selection.focus.token)
        outline(*hovered, {255, 255, 255, 255});
}

Picture picture_below(const Scene& scene, float brightness) {
    constexpr float grey = 0.25F, usual = 0.42F;  // dimmed and nearly grey, so that only weights make cells bright
    constexpr float lift = 0.5F;  // exponent of the brightness in a lecture, where a projector loses dark tones
    const float colours = std::max(0.0F, brightness - usual) / (1 - usual);
    return {scene.now.patched,
            {},
            true,
            scene.hall ? std::pow(brightness, lift) : brightness,
            std::lerp(grey, 1.0F, colours)};
}

void brightness_slider(const Ui& ui, Selection& selection) {
    float percent = 100 * selection.focus.brightness;
    const auto words = [](float value) { return fixed_text(static_cast<double>(value), 0) + " %"; };
    if (slider(ui, {"brightness", ui.text("brightness"), ui.text("brightness_tip"), {}}, {0, 100, 5, words}, percent))
        selection.focus.brightness = std::round(percent) / 100;
}

void point_at_tokens(const Scene& scene, Rect rect, const CellFigure& figure, Selection& selection) {
    const CellHit hit = point_at_cells(scene, rect, figure, selection);
    const auto token_of = [](const Cell& cell) { return is_vector(cell.quantity) ? cell.column : cell.row; };
    if (hit.hovered) selection.hover_token(token_of(*hit.hovered));
    if (hit.menu) selection.ask_menu({token_of(*hit.hovered)});
    if (!hit.clicked) return;
    selection.focus.token = token_of(*hit.clicked);
    selection.focus.cell.reset();  // a click chooses the token, so it pins no number
}

namespace {

constexpr float map_bar = 62;  // px at scale 1: the height of a map's colour bar

/// Width of the tokens without a place in the image, beside a map; 0 if there are none.
float leading_width(const Scene& scene) {
    float width = 0;
    for (int token = 0; token < scene.now.model->config.leading_tokens(); ++token) {
        const float words = scene.canvas.measure(short_token_name(scene.ui, scene.now, token), Font::caption).x;
        width = std::max({width, scene.ui.theme.px(26), words + scene.ui.theme.px(4)});
    }
    return width;
}

/// Shows a readout of the token under the pointer; a click chooses the token, unless clicks are guesses.
void point_at_value(const Scene& scene, const TokenMap& m, int token, const Hit& hit, Selection& selection) {
    selection.hover_token(token);
    readout(scene.ui,
            std::vector<std::string>{token_name(scene.ui, scene.now, token),
                                     (m.symbol.empty() ? m.title : m.symbol) + " = " +
                                         number_text(static_cast<double>(m.values[static_cast<std::size_t>(token)]))});
    if (hit.clicked && !selection.guess().open) selection.focus.token = token;
    if (hit.menu) selection.ask_menu({token});
}

/// Draws a token without a place in the image: its cell to the left of a map's patches, its name below.
void leading_cell(const Scene& scene, Rect figure, const TokenMap& m, int token, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const float width = leading_width(scene), line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    const float each = figure.height() / static_cast<float>(c.leading_tokens());
    const float side = std::min(width, figure.height() / static_cast<float>(c.grid_height()));
    const float step = std::min(side + line, each), left = figure.x0 - theme.px(8) - width;
    const float top = figure.y0 + step * static_cast<float>(token);
    const bool named = step > line + theme.px(4);  // if there are too many, they are close together and have no names
    const Rect own{left, top, left + width, top + std::min(side, named ? step - line : step)};
    scene.canvas.fill(own, colour_at(m.scale, m.values[static_cast<std::size_t>(token)], theme.kind));
    scene.canvas.stroke(own, selection.focus.token == token ? theme.palette.query : theme.palette.line, theme.px(1));
    if (named)
        scene.canvas.text({own.x0, own.y1 + theme.px(2)}, short_token_name(scene.ui, scene.now, token),
                          {Font::caption, theme.palette.muted, Align::left});
    const bool is_class = c.kind_of(token) == TokenKind::class_token;
    const std::string id = m.id + (is_class ? ".class" : "." + std::to_string(token));
    if (!m.region) {
        if (const Hit hit = hot_area(scene.ui, id, own); hit.at) point_at_value(scene, m, token, hit, selection);
        const auto value = static_cast<double>(m.values[static_cast<std::size_t>(token)]);
        return scene.ui.probe.mark(id + ".value", own, value, number_text(value));
    }
    Region r = *m.region;
    (is_vector(r.quantity) ? r.first_column : r.first_row) = token;
    (is_vector(r.quantity) ? r.last_column : r.last_row) = token + 1;
    point_at_tokens(scene, own, {id, r, {1, 1}}, selection);
}

}  // namespace

void leading_cells(const Scene& scene, Rect figure, const TokenMap& map, Selection& selection) {
    for (int token = 0; token < scene.now.model->config.leading_tokens(); ++token)
        leading_cell(scene, figure, map, token, selection);
}

float leading_room(const Scene& scene) {
    const float width = leading_width(scene);
    return width > 0 ? width + scene.ui.theme.px(8) : 0;
}

Rect patches_of_map(const Scene& scene, Rect rect) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const Rect room{rect.x0 + leading_room(scene), rect.y0, rect.x1, rect.y1 - theme.px(map_bar) - theme.px(6)};
    return fit(room, static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height()));
}

float width_of_map_bar(const Scene& scene, Rect rect) {
    return std::min(rect.width(), std::max(patches_of_map(scene, rect).width(), scene.ui.theme.px(300)));
}

void token_map(const Scene& scene, Rect rect, const TokenMap& map, Selection& selection) {
    TokenMap m = map;
    m.scale = named_scale(selection, m.id, m.scale);
    m.scope = range_words(scene, m.scope);
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const float bar = theme.px(map_bar);
    const Rect figure = patches_of_map(scene, rect);
    if (m.image_below) {
        scene.canvas.fill(figure, {8, 10, 14, 255});
        scene.canvas.picture(figure, picture_below(scene, selection.focus.brightness));
    }
    scene.canvas.heat_map(
        figure, {c.patches_of(m.values).data(), c.grid_height(), c.grid_width(), m.scale, m.image_below ? 0.0F : 1.0F});
    for (const int token : tokens_off(scene.now.experiment.what_ifs)) {
        if (!c.is_patch(token)) continue;
        const int place = c.patch_of(token);
        const Rect cell =
            cell_rect(figure, {c.grid_height(), c.grid_width()}, {place / c.grid_width(), place % c.grid_width()});
        hatch(scene.canvas, cell, theme.palette.muted, theme.px(6));
        scene.ui.probe.mark(m.id + ".off." + std::to_string(token), cell);
    }
    leading_cells(scene, figure, m, selection);
    if (m.region) {
        const bool in_columns = is_vector(m.region->quantity);
        Region r = *m.region;
        (in_columns ? r.first_column : r.first_row) = c.token_of(0);
        point_at_tokens(scene, figure, {m.id, r, {c.grid_height(), c.grid_width()}}, selection);
    } else {
        const Hit hit = hot_area(scene.ui, m.id, figure, {}, {c.grid_height(), c.grid_width()});
        if (const auto cell = hit.at ? cell_at(figure, {c.grid_height(), c.grid_width()}, *hit.at) : std::nullopt)
            point_at_value(scene, m, c.token_of(cell->row * c.grid_width() + cell->column), hit, selection);
    }
    outline_patches(scene, figure, selection);
    const float bar_width = width_of_map_bar(scene, rect);
    const float left = std::min(figure.x0, rect.x1 - bar_width);
    const float titled = scene.canvas.measure(m.shorter.empty() ? m.title : m.shorter, Font::caption).x;
    const bool scoped = titled + scene.canvas.measure(m.scope, Font::caption).x + theme.px(16) <= bar_width;
    colour_bar(scene.canvas, scene.ui, {left, figure.y1 + theme.px(6), left + bar_width, figure.y1 + theme.px(6) + bar},
               {m.scale, m.title, scoped || (m.shorter.empty() && scene.other == nullptr) ? m.scope : "", m.shorter});
    const auto mark = [&](const char* what, int token) {
        const auto value = static_cast<double>(m.values[static_cast<std::size_t>(token)]);
        scene.ui.probe.mark(m.id + what, figure, value, number_text(value));
    };
    mark(".value", selection.focus.token);
    if (const auto pointed = selection.hovered_token()) mark(".pointed", *pointed);
}

void arrow_down(const Scene& scene, Point from, float length, const std::string& words) {
    const Theme& theme = scene.ui.theme;
    const float head = theme.px(5), y = from.y + length;
    scene.canvas.line(from, {from.x, y - head}, theme.palette.muted, theme.px(2));
    const Point tip[] = {{from.x - head, y - head}, {from.x + head, y - head}, {from.x, y}};
    scene.canvas.polygon(tip, theme.palette.muted);
    const float height = scene.canvas.measure("", Font::caption).y;
    const float room = scene.canvas.measure(without_markup(words), Font::caption).x + 1;
    text_line(scene, {from.x + theme.px(14), from.y + (length - height) / 2}, room, words, Font::caption,
              theme.palette.muted);
}

void arrow_right(const Scene& scene, Point from, float length, const std::string& words) {
    const Theme& theme = scene.ui.theme;
    const float head = theme.px(5), x = from.x + length;
    scene.canvas.line(from, {x - head, from.y}, theme.palette.muted, theme.px(2));
    const Point tip[] = {{x - head, from.y - head}, {x, from.y}, {x - head, from.y + head}};
    scene.canvas.polygon(tip, theme.palette.muted);
    const float height = scene.canvas.measure("", Font::caption).y;
    scene.canvas.text({from.x + length / 2, from.y - height - theme.px(4)}, words,
                      {Font::caption, theme.palette.muted, Align::centre});
}

void operator_sign(const Scene& scene, Point centre, const std::string& sign) {
    const Point size = scene.canvas.measure(sign, Font::heading);
    scene.canvas.text({centre.x, centre.y - size.y / 2}, sign,
                      {Font::heading, scene.ui.theme.palette.muted, Align::centre});
}

float text_line(const Scene& scene, Point at, float width, const std::string& words, Font font,
                std::optional<Color> color) {
    const Color own = color ? *color : scene.ui.theme.palette.text;
    const std::string plain = without_markup(words);
    if (plain != words && scene.canvas.measure(plain, font).x <= width)
        rich_text(scene.canvas, scene.ui, {at.x, at.y, at.x + width, at.y}, {words, font, own, Align::left});
    else
        scene.canvas.text(at, fitted(scene.canvas, plain, font, width), {font, own, Align::left});
    return scene.canvas.measure("", font).y;
}

std::string chip_words(const Scene& scene, const std::string& words, const std::string& number, float width) {
    const float ends = scene.ui.theme.px(7 + 4 + 8 + 28 + 6);
    return scene.canvas.measure(words, Font::strong).x + ends <= width ? words : number;
}

float text_block(const Scene& scene, Rect rect, const std::string& markup, Font font) {
    return rich_text(scene.canvas, scene.ui, rect, {markup, font, scene.ui.theme.palette.text, Align::left});
}

void half_choice(const Scene& scene, Point at, Selection& selection) {
    ImGui::SetCursorScreenPos({at.x, at.y});
    const Text& text = scene.ui.text;
    const Control choices[] = {{"half.attention", text("half.attention"), text("half.attention_tip"), {}},
                               {"half.mlp", text("half.mlp"), text("half.mlp_tip"), {}}};
    int chosen = static_cast<int>(selection.focus.half);
    if (segmented(scene.ui, choices, chosen)) selection.focus.half = static_cast<Half>(chosen);
}

}  // namespace vitrine
