#include <imgui.h>

#include <algorithm>
#include <string_view>

#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/head_off.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/vit/experiment.h"
#include "core/vit/token_weights.h"

namespace vitrine {

void say(const LabScene& lab, const std::string& words) {
    const Rect& a = lab.scene.area;
    text_block(lab.scene, {a.x0, a.y0, a.x0 + std::min(a.width(), lab.scene.ui.theme.px(620)), a.y1}, words);
}

void report_missing(const LabScene& lab) {
    const Ui& ui = lab.scene.ui;
    if (lab.running) return say(lab, ui.text("lab.measuring"));
    say(lab, ui.text("lab.stopped"));
    ImGui::SetCursorScreenPos({lab.scene.area.x0, lab.scene.area.y0 + ui.theme.px(44)});
    if (button(ui, {"lab.again", ui.text("lab.again"), ui.text("lab.again_tip"), {}})) lab.asked = "laboratory.again";
}

Rect words_below(const LabScene& lab, const std::string& id, const std::string& words, double value) {
    const Scene& scene = lab.scene;
    const Rect& a = scene.area;
    const float height =
        measure_rich(scene.canvas, {words, Font::body, scene.ui.theme.palette.text, Align::left}, a.width()).y;
    const Rect place{a.x0, a.y1 - height, a.x1, a.y1};
    text_block(scene, place, words);
    scene.ui.probe.mark(id, place, value, words);
    return {a.x0, a.y0, a.x1, place.y0 - scene.ui.theme.px(10)};
}

std::string head_name(const Ui& ui, int block, int head) {
    return ui.text("lab.head", {{"block", ui.ordinal(block - 1)}, {"head", ui.ordinal(head)}});
}

std::string letter_of_pick(std::size_t index) {
    constexpr std::string_view letters = "XYZWVUTSRQPONMLKJIHGFEDCBA";
    static_assert(letters.size() == most_picks);
    return std::string(1, letters[index]);
}

std::vector<float> token_weights(const LabScene& lab, int block, int head, int query) {
    return weights_of_head(lab.scene.now.trace, block, head, {query});
}

std::vector<float> patch_weights(const LabScene& lab, int block, int head, int query) {
    const std::vector<float> weights = token_weights(lab, block, head, query);
    const std::span<const float> patches = lab.scene.now.model->config.patches_of(weights);
    return {patches.begin(), patches.end()};
}

float largest_patch_weight(const Result& now, Scope scope, int block, int head, int query) {
    if (scope == Scope::fixed) return 0;
    const Config& c = now.model->config;
    block = std::min(block, c.blocks);
    head = std::min(head, c.heads - 1);
    const bool all_blocks = scope == Scope::model, all_heads = scope != Scope::head;
    float largest = 0;
    for (int l = all_blocks ? 1 : block; l <= (all_blocks ? c.blocks : block); ++l)
        for (int i = all_heads ? 0 : head; i <= (all_heads ? c.heads - 1 : head); ++i) {
            if (all_heads && contains(now.experiment.what_ifs, remove_head(l, i))) continue;
            const std::vector<float> weights = weights_of_head(now.trace, l, i, {query});
            for (const float weight : c.patches_of(weights)) largest = std::max(largest, weight);
        }
    return largest;
}

ColourScale scale_to(const Focus& focus, float largest) {
    const float high = focus.scope == Scope::fixed ? focus.lab.fixed_high : largest;
    return {ColourMap::sequential, 0.0F, high > 0.0F ? high : 1.0F, focus.lab.curve_in_view()};
}

ColourScale weight_scale(const LabScene& lab, const Focus& focus, int block, int head) {
    const Scene& scene = lab.scene;
    float most = largest_patch_weight(scene.now, focus.scope, block, head, focus.token);
    if (scene.other != nullptr)
        most = std::max(
            most, largest_patch_weight(scene.other->now, focus.scope, block, head, scene.other->selection.focus.token));
    return scale_to(focus, most);
}

std::string scope_words(const Ui& ui, const Focus& focus, int block, int head) {
    switch (focus.scope) {
        case Scope::head: return ui.text("scope.each", {{"head", ui.ordinal(head)}});
        case Scope::block:
        case Scope::automatic:
            return ui.text("scope.block", {{"block", ui.ordinal(block - 1)}}) + ui.text("lab.own_blocks");
        case Scope::model: return ui.text("scope.model");
        case Scope::fixed: return ui.text("scope.fixed");
    }
    return "";
}

float range_bar_height(const LabScene& lab) {
    return lab.scene.ui.theme.px(68) + lab.scene.canvas.measure("", Font::caption).y;
}

void range_bar(const LabScene& lab, Rect rect, const RangeBar& bar) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    if (bar.scale.curve == Curve::linear && !bar.few.empty()) {
        const bool fits = scene.canvas.measure(bar.few, Font::caption).x <= rect.width();
        const std::string words = fits ? bar.few : scene.ui.text("lab.few_short");
        ControlCanvas canvas(scene.ui);  // a hint, left out of figures for slides
        text_line({scene.ui, scene.now, canvas, scene.area, scene.time}, {rect.x0, rect.y0}, rect.width(), words,
                  Font::caption, theme.palette.accent);
        scene.ui.probe.mark(bar.id, {rect.x0, rect.y0, rect.x1, rect.y0 + line}, static_cast<double>(bar.scale.high),
                            words);
    }
    const WeightWords said = weight_words(scene.ui, bar.scale.curve);
    const Rect strip{rect.x0, rect.y0 + line, rect.x0 + std::min(rect.width(), theme.px(620)), rect.y1};
    scale_bar(scene, strip, {bar.scale, said.caption, bar.scope, said.shorter});
    scene.ui.probe.mark("range_bar", strip, static_cast<double>(bar.scale.high), said.caption + "\n" + bar.scope);
}

void bar_of_both(const LabScene& lab, Rect rect, const ColourBar& bar) {
    const Scene& scene = lab.scene;
    ColourBar own = bar;
    own.scope = range_words(scene, bar.scope);
    const std::string needed = bar.caption + own.scope;
    if (scene.canvas.measure(needed, Font::caption).x + scene.ui.theme.px(16) > rect.width())
        own.scope = scene.other != nullptr ? range_words(scene, "") : bar.scope;
    colour_bar(scene.canvas, scene.ui, rect, own);
}

float grid_aspect(const LabScene& lab) {
    const Config& c = lab.scene.now.model->config;
    return static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height());
}

int level_of(const LabScene& lab, const Laboratory& state) {
    const int blocks = lab.scene.now.model->config.blocks;
    return state.level < 0 ? blocks : std::min(state.level, blocks);
}

int token_level(const Focus& focus, int blocks) {
    return std::min(focus.lab.level < 0 ? focus.block : focus.lab.level, blocks);
}

void choose_token_level(Focus& focus, int level) {
    focus.lab.level = level == 0 ? 0 : -1;
    if (level > 0) focus.block = level;
}

MapGround ground_below(ColourMap map, ThemeKind kind) {
    constexpr float faint = 0.4F;  // dark pictures would hide weak colours, which are pale in the light theme
    if (is_signed(map) && kind == ThemeKind::light) return {{255, 255, 255, 255}, faint};
    return {{8, 10, 14, 255}, 1};
}

void paint_patches(const LabScene& lab, Rect rect, std::span<const float> values, const ColourScale& scale,
                   std::optional<float> brightness) {
    const Config& c = lab.scene.now.model->config;
    if (brightness) {
        const MapGround below = ground_below(scale.map, lab.scene.ui.theme.kind);
        lab.scene.canvas.fill(rect, below.color);
        lab.scene.canvas.picture(rect, picture_below(lab.scene, *brightness * below.brightness));
    }
    lab.scene.canvas.heat_map(rect, {values.data(), c.grid_height(), c.grid_width(), scale, brightness ? 0.0F : 1.0F});
}

bool drawn_as_off(const LabScene& lab, Rect rect, const Pick& head, const DrawnOff& look) {
    if (!head_is_off(lab.scene, head.block, head.head)) return false;
    draw_off_map(lab.scene, rect, look.brightness);
    lab.scene.ui.probe.mark(look.id + ".off", rect);
    return true;
}

PatchMapHit patch_map(const LabScene& lab, Rect rect, const PatchMap& map, Selection& selection) {
    const Scene& scene = lab.scene;
    const Config& c = scene.now.model->config;
    const GridSize grid{c.grid_height(), c.grid_width()};
    const std::optional<float> brightness = map.image_below ? std::optional(selection.focus.brightness) : std::nullopt;
    const bool of_tokens = static_cast<int>(map.values.size()) > c.patches();
    const std::span<const float> patches = of_tokens ? c.patches_of(map.values) : map.values;
    const bool off = map.head && drawn_as_off(lab, rect, *map.head, {map.id, brightness.value_or(0)});
    if (!off) paint_patches(lab, rect, patches, map.scale, brightness);
    if (!off && of_tokens) leading_cells(scene, rect, {map.id, map.symbol, map.values, map.scale, {}}, selection);
    scene.canvas.stroke(rect, scene.ui.theme.palette.line, scene.ui.theme.px(1));
    outline_patches(scene, rect, selection);
    PatchMapHit result;
    const Hit hit = hot_area(scene.ui, map.id, rect, {}, {grid.rows, grid.columns});
    const auto cell = hit.at ? cell_at(rect, grid, *hit.at) : std::nullopt;
    if (!cell) return result;
    result = {cell->row * grid.columns + cell->column, hit.clicked};
    selection.hover_token(c.token_of(*result.patch));
    const float value = patches[static_cast<std::size_t>(*result.patch)];
    std::vector<std::string> lines = {token_name(scene.ui, scene.now, c.token_of(*result.patch)),
                                      off ? words_of_off_head(scene.ui, map.head->head)
                                          : map.symbol + " = " + number_text(static_cast<double>(value))};
    if (map.more) lines.push_back(map.more(*result.patch));
    readout(scene.ui, lines);
    scene.ui.probe.mark(map.id + ".value", rect, static_cast<double>(value));
    if (hit.clicked) selection.focus.token = c.token_of(*result.patch);
    if (hit.menu) selection.ask_menu({c.token_of(*result.patch), map.head});
    return result;
}

namespace {

/// The gap between small maps (x), and the space below each for its name and a gap (y).
Point room_of_levels(const LabScene& lab) {
    const float gap = lab.scene.ui.theme.px(8);
    return {gap, lab.scene.canvas.measure("", Font::caption).y + lab.scene.ui.theme.px(4) + gap};
}

}  // namespace

float level_strip_height(const LabScene& lab, Rect rect, int count) {
    const Point room = room_of_levels(lab);
    const Tiling tiling = tiling_of(count, rect, grid_aspect(lab), room);
    return static_cast<float>(tiling.rows) * (tiling.width / grid_aspect(lab) + room.y);
}

std::optional<int> level_strip(const LabScene& lab, Rect rect, const LevelStrip& strip,
                               const std::function<void(int level, Rect map)>& paint) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    const auto [gap, below] = room_of_levels(lab);
    const int count = strip.last - strip.first + 1;
    const Tiling tiling = tiling_of(count, rect, grid_aspect(lab), {gap, below});
    std::optional<int> clicked;
    for (int i = 0; i < count; ++i) {
        const int level = strip.first + i;
        const float height = tiling.width / grid_aspect(lab);
        const float x = rect.x0 + (tiling.width + gap) * static_cast<float>(i % tiling.columns),
                    y = rect.y0 + (height + below) * static_cast<float>(i / tiling.columns);
        const Rect map{x, y, x + tiling.width, y + height};
        paint(level, map);
        const bool chosen = level == strip.chosen && !scene.ui.bare;
        scene.canvas.stroke(map, chosen ? theme.palette.accent : theme.palette.line, theme.px(chosen ? 3.0F : 1.0F));
        const std::string words = scene.ui.text(strip.name, {{"level", std::to_string(level)}});
        const bool fits = scene.canvas.measure(words, Font::caption).x <= tiling.width + gap;
        scene.canvas.text({x, y + height + theme.px(2)}, fits ? words : std::to_string(level),
                          {Font::caption, chosen ? theme.palette.accent : theme.palette.muted, Align::left});
        if (hot_area(scene.ui, strip.id + "." + std::to_string(level), map, words).clicked) clicked = level;
    }
    return clicked;
}

}  // namespace vitrine
