#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/head_off.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/attention_measures.h"
#include "core/measures/rollout.h"
#include "core/vit/token_weights.h"

namespace vitrine {

namespace {

/// A picked head's attention weights for its query.      (N)
std::vector<float> row_of_pick(const LabScene& lab, const Pick& pick, const Focus& focus) {
    return weights_of_head(lab.scene.now.trace, pick.block, pick.head, {pick.query.value_or(focus.token)});
}

/// The same for the patches only.      (N_p)
std::vector<float> patches_of_pick(const LabScene& lab, const Pick& pick, const Focus& focus) {
    return patch_weights(lab, pick.block, pick.head, pick.query.value_or(focus.token));
}

/// The head that differs most from the chosen one in its block, by total variation of the query's rows; the chosen head
/// itself if it is the only one.
int most_unlike(const LabScene& lab, const Focus& focus) {
    const auto row_of = [&](int head) {
        return weights_of_head(lab.scene.now.trace, focus.block, head, {focus.token});
    };
    const std::vector<float> own = row_of(focus.head);
    int found = focus.head;
    double most = -1;
    for (int head = 0; head < lab.scene.now.model->config.heads; ++head) {
        if (head == focus.head) continue;
        const double apart = total_variation(own, row_of(head));
        if (apart > most) most = apart, found = head;
    }
    return found;
}

/// Picks the chosen head and the head of its block that is most unlike it.
void pick_pair(const LabScene& lab, Focus& focus) {
    focus.lab.picks = {{focus.block, focus.head, {}}};
    if (const int other = most_unlike(lab, focus); other != focus.head)
        focus.lab.picks.push_back({focus.block, other, {}});
}

/// Picks a pair on arrival if nothing is picked, or if the picks are still the pair of an earlier arrival with another
/// head. Heads that the user unpicked stay unpicked, also after undo, redo or a restored session.
void begin_with_a_pair(const LabScene& lab, Focus& focus) {
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const int now = ImGui::GetFrameCount();
    const bool arrives = Kept<int>("compare.drawn", -2).exchange(now) + 1 < now;
    if (!arrives || lab.as_left) return;
    const ImGuiID block = ImGui::GetID("compare.block"), head = ImGui::GetID("compare.head"),
                  beside = ImGui::GetID("compare.beside");  // of the last pair that was picked here
    const int at = kept.GetInt(block, 0);
    std::vector<Pick> last = {{at, kept.GetInt(head, 0), {}}};
    if (const int second = kept.GetInt(beside, 0); second != last[0].head) last.push_back({at, second, {}});
    const bool another = focus.block != at || focus.head != last[0].head;
    if (!focus.lab.picks.empty() && !(another && focus.lab.picks == last)) return;
    pick_pair(lab, focus);
    kept.SetInt(block, focus.block);
    kept.SetInt(head, focus.head);
    kept.SetInt(beside, focus.lab.picks.back().head);
}

/// True if each map has a range of its own.
bool each_its_own(const Focus& focus) { return focus.scope == Scope::head; }

/// The scale up to the largest value of one map.
ColourScale scale_of_map(const Focus& focus, std::span<const float> values) {
    return scale_to(focus, values.empty() ? 0.0F : *std::max_element(values.begin(), values.end()));
}

/// The scale shared by all compared maps; the first map's if each has its own.
ColourScale shared_scale(const LabScene& lab, const Focus& focus) {
    if (each_its_own(focus)) return scale_of_map(focus, patches_of_pick(lab, focus.lab.picks.front(), focus));
    float high = 0;
    for (const Pick& pick : focus.lab.picks)
        high = std::max(high, largest_patch_weight(lab.scene.now, focus.scope, pick.block, pick.head,
                                                   pick.query.value_or(focus.token)));
    return scale_to(focus, high);
}

std::string scale_words(const Ui& ui, Scope scope) {
    switch (scope) {
        case Scope::head: return ui.text("compare.scope_own");
        case Scope::block:
        case Scope::automatic: return ui.text("compare.scope_blocks");
        case Scope::model: return ui.text("scope.model");
        case Scope::fixed: return ui.text("scope.fixed");
    }
    return "";
}

/// A picked head's full name: "X: block 2, head 4".
std::string name_of_pick(const Ui& ui, std::size_t index, const Pick& pick) {
    return ui.text(
        "compare.pick_name",
        {{"letter", letter_of_pick(index)}, {"block", ui.ordinal(pick.block - 1)}, {"head", ui.ordinal(pick.head)}});
}

/// Below a map: the head's name with a check mark to unpick it (× would say "off", as in Explore), and its query with a
/// pin.
void pick_caption(const LabScene& lab, Rect rect, std::size_t index, Selection& selection) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    Focus& focus = selection.focus;
    const Pick pick = focus.lab.picks[index];
    const std::string id = "compare." + letter_of_pick(index);
    const float check = ui.theme.px(36), width = std::min(rect.width(), ui.theme.px(280)) - check;
    const float words_of_chip = width + ui.theme.px(16);  // this chip needs no room for a ×
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const std::string shorter =
        letter_of_pick(index) + "  " +
        ui.text("lab.head_short", {{"block", ui.ordinal(pick.block - 1)}, {"head", ui.ordinal(pick.head)}});
    const std::string numbers = chip_words(scene, shorter, letter_of_pick(index), words_of_chip);
    const bool chosen = focus.block == pick.block && focus.head == pick.head;
    const ChipClick click = chip(
        ui,
        {id, chip_words(scene, name_of_pick(ui, index, pick), numbers, words_of_chip), ui.text("compare.pick_tip"), {}},
        {ui.theme.palette.accent, chosen, false, false, width});
    ImGui::SetCursorScreenPos({rect.x0 + width, rect.y0});
    const bool unpicked = icon_button(ui, {id + ".unpick", {}, ui.text("compare.unpick_tip"), {}}, Icon::check);
    const int query = pick.query.value_or(focus.token);
    ImGui::SetCursorScreenPos({rect.x0, rect.y0 + ui.theme.px(38)});
    bool pinned = pick.query.has_value();
    // The switch's label is truncated to fit: tiles may be narrow.
    const float words_room = rect.width() - ui.theme.px(52);
    std::string words;
    const std::string token = short_token_name(ui, lab.scene.now, query);
    const Config& c = scene.now.model->config;
    const std::string number = c.is_patch(query) ? ui.ordinal(c.patch_of(query)) : token;
    for (const std::string& longer :
         {number, ui.text("compare.query_short", {{"token", number}}), ui.text("compare.query", {{"token", token}})})
        if (scene.canvas.measure(longer, Font::body).x <= words_room) words = longer;
    if (toggle(ui, {id + ".pin", words, ui.text("compare.pin_tip"), {}}, pinned))
        focus.lab.picks[index].query = pinned ? std::optional(focus.token) : std::nullopt;
    if (click == ChipClick::chosen) focus.block = pick.block, focus.head = pick.head;
    if (unpicked) focus.lab.picks.erase(focus.lab.picks.begin() + static_cast<std::ptrdiff_t>(index));
}

float largest_magnitude(std::span<const float> values) {
    float most = 0;
    for (const float x : values) most = std::max(most, std::abs(x));
    return most;
}

/// A scale around 0 with the chosen curve; for signed values all curves but linear are the root.
ColourScale around_zero(const Focus& focus, float largest) {
    // The scale has a minimum reach, so that negligible differences stay pale.
    const float reach =
        focus.scope == Scope::fixed ? focus.lab.fixed_high : std::max(largest, static_cast<float>(next_to_nothing));
    return {ColourMap::diverging, -reach, reach, focus.lab.curve == Curve::linear ? Curve::linear : Curve::root};
}

/// The picked heads' maps side by side; with `uniform`, their weights minus 1/N.
void draw_side_by_side(const LabScene& lab, Rect rect, Selection& selection, bool uniform, const ColourScale& scale) {
    const Theme& theme = lab.scene.ui.theme;
    const Focus& focus = selection.focus;
    const float caption = theme.px(76), gap = theme.px(16), leading = leading_room(lab.scene);
    const int count = static_cast<int>(std::min(most_side_by_side, focus.lab.picks.size()));
    const Tiling t = tiling_of(count, rect, grid_aspect(lab), {leading + gap, caption + gap});
    const float height = t.width / grid_aspect(lab);
    for (int i = 0; i < count && i < static_cast<int>(selection.focus.lab.picks.size()); ++i) {
        const auto index = static_cast<std::size_t>(i);
        const float x = rect.x0 + leading + (leading + t.width + gap) * static_cast<float>(i % t.columns),
                    y = rect.y0 + (height + caption + gap) * static_cast<float>(i / t.columns);
        const Rect map{x, y, x + t.width, y + height};
        std::vector<float> values = row_of_pick(lab, focus.lab.picks[index], focus);
        const std::span<const float> patches = lab.scene.now.model->config.patches_of(values);
        if (uniform)
            for (float& v : values) v -= 1.0F / static_cast<float>(lab.scene.now.model->config.tokens());
        const ColourScale own =
            !each_its_own(focus)
                ? scale
                : named_scale(selection, "compare." + letter_of_pick(index),
                              uniform ? around_zero(focus, largest_magnitude(patches)) : scale_of_map(focus, patches));
        lab.scene.ui.probe.mark("compare.high." + letter_of_pick(index), map, static_cast<double>(own.high));
        patch_map(lab, map,
                  {"compare.map." + letter_of_pick(index),
                   values,
                   own,
                   true,
                   uniform ? "a − 1/N" : "a",
                   {},
                   focus.lab.picks[index]},
                  selection);
        pick_caption(lab, {x - leading, map.y1 + theme.px(4), map.x1, map.y1 + caption}, index, selection);
    }
}

/// The picked rows combined, token by token.      (N)
std::vector<float> combined(const LabScene& lab, const Focus& focus) {
    std::vector<std::vector<float>> rows;
    for (const Pick& pick : focus.lab.picks) rows.push_back(row_of_pick(lab, pick, focus));
    const std::vector<std::span<const float>> spans(rows.begin(), rows.end());
    return fuse(spans, focus.lab.combine == Combine::max   ? HeadFusion::max
                       : focus.lab.combine == Combine::min ? HeadFusion::min
                                                           : HeadFusion::mean);
}

/// The heads beside the combined map: their scale, and the space to keep free below them, px.
struct MapBeside {
    ColourScale scale;
    float free = 0;
};

/// The map of the combined heads, enlarged, with the heads beside it.
void draw_combined(const LabScene& lab, Rect rect, Selection& selection, const PatchMap& large,
                   const MapBeside& beside) {
    Rect left = columns(rect, 0, 0.62F);
    left.x0 += leading_room(lab.scene);
    Rect right = columns(rect, 0.66F, 1);
    right.y1 -= beside.free;
    const Rect figure = fit(left, grid_aspect(lab));
    patch_map(lab, {left.x0, left.y0, left.x0 + figure.width(), left.y0 + figure.height()}, large, selection);
    draw_side_by_side(lab, right, selection, false, beside.scale);
}

/// True if a map's strongest colour is hard to see on this scale, but not on its own.
bool is_faint(std::span<const float> patches, const ColourScale& scale) {
    constexpr float seen = 0.4F;  // share of the way from no colour to the strongest
    const float zero = scale.position(0), most = largest_magnitude(patches);
    return most > 0 && (scale.position(most) - zero) / (1 - zero) < seen;
}

/// Writes the longest hint that fits into a line: how to give faint maps stronger colours. Not in figures for slides.
void write_faint_hint(const LabScene& lab, Rect line, std::initializer_list<const char*> hints) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    for (const char* const key : hints) {
        const std::string words = ui.text(key, {{"choice", ui.text("lab.scope.head")}});
        if (scene.canvas.measure(words, Font::caption).x > line.width()) continue;
        ControlCanvas canvas(ui);
        text_line({ui, scene.now, canvas, scene.area, scene.time}, {line.x0, line.y0}, line.width(), words,
                  Font::caption, ui.theme.palette.accent);
        return ui.probe.mark("compare.faint", line, 0, words);
    }
}

/// The colour bar of the compared maps, with hints if a few weights set its range or a map is faint.
void draw_range(const LabScene& lab, Rect rect, const ColourScale& scale, const Focus& focus) {
    const Ui& ui = lab.scene.ui;
    const bool together = focus.lab.combine != Combine::side_by_side;
    std::string scope = together && each_its_own(focus) ? ui.text("compare.scope_map") : scale_words(ui, focus.scope);
    std::vector<float> weights;
    bool faint = false;
    for (const Pick& pick : focus.lab.picks) {
        const std::vector<float> row = patches_of_pick(lab, pick, focus);
        if (each_its_own(focus) && &pick == &focus.lab.picks.front() && largest_magnitude(row) == 0)
            scope = ui.text("scope.all_zero");
        faint = faint || (is_faint(row, scale) && !head_is_off(lab.scene, pick.block, pick.head));
        weights.insert(weights.end(), row.begin(), row.end());
    }
    const std::string few = few_set_the_range(weights, scale.high) ? ui.text("attention.few") : "";
    range_bar(lab, rect, {"compare.few", scale, scope, few});
    const bool told = scale.curve == Curve::linear && !few.empty();
    if (faint && !told && !together &&
        (range_in_laboratory(focus.scope) == Scope::block || focus.scope == Scope::model))
        write_faint_hint(lab, {rect.x0, rect.y0, rect.x1, rect.y0 + lab.scene.canvas.measure("", Font::caption).y},
                         {"attention.dark", "attention.dark_short"});
}

/// The full names of X and Y at the bottom of a rectangle, if they do not fit under their maps; returns their height.
float draw_names(const LabScene& lab, Rect rect, std::span<const Pick> picks) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const std::string a = name_of_pick(ui, 0, picks[0]), b = name_of_pick(ui, 1, picks[1]);
    const float line = scene.canvas.measure("", Font::caption).y, ends = ui.theme.px(60);
    if (scene.canvas.measure(a, Font::strong).x + ends <= rect.width() / 2) return 0;
    if (rect.height() < ui.theme.px(260) + 2 * line) return 0;  // the maps need the height
    text_line(scene, {rect.x0, rect.y1 - 2 * line - ui.theme.px(6)}, rect.width(), a, Font::caption);
    text_line(scene, {rect.x0, rect.y1 - line - ui.theme.px(6)}, rect.width(), b, Font::caption);
    ui.probe.mark("compare.names", {rect.x0, rect.y1 - 2 * line, rect.x1, rect.y1}, 2, a + "\n" + b);
    return 2 * line + ui.theme.px(6);
}

/// The largest and the smallest weight on each patch over the heads of some blocks that are on.      (N_p)
struct Extremes {
    std::vector<float> most, least;
};
Extremes extremes_of(const LabScene& lab, int first, int last, int query) {
    Extremes e;
    for (int block = first; block <= last; ++block)
        for (int head = 0; head < lab.scene.now.model->config.heads; ++head) {
            if (head_is_off(lab.scene, block, head)) continue;
            const std::vector<float> row = patch_weights(lab, block, head, query);
            if (e.most.empty()) e.most = e.least = row;
            for (std::size_t j = 0; j < row.size(); ++j)
                e.most[j] = std::max(e.most[j], row[j]), e.least[j] = std::min(e.least[j], row[j]);
        }
    return e;
}

/// The largest difference on any patch between a head of X's block and a head of Y's block, each for its pick's query;
/// if the range is the model's, between any two heads of the model.
float reach_of_heads(const LabScene& lab, const Focus& focus, const Pick& a, const Pick& b) {
    const bool model = focus.scope == Scope::model;
    const int blocks = lab.scene.now.model->config.blocks;
    const auto extremes = [&](const Pick& p) {
        return extremes_of(lab, model ? 1 : p.block, model ? blocks : p.block, p.query.value_or(focus.token));
    };
    const Extremes one = extremes(a), other = extremes(b);
    float reach = 0;
    for (std::size_t j = 0; j < one.most.size(); ++j)
        reach = std::max({reach, one.most[j] - other.least[j], other.most[j] - one.least[j]});
    return reach;
}

ColourScale difference_scale(const LabScene& lab, const Focus& focus, std::span<const float> difference) {
    const std::vector<Pick>& picks = focus.lab.picks;
    const bool shared = focus.scope == Scope::block || focus.scope == Scope::model;
    return around_zero(focus, !shared ? largest_magnitude(difference) : reach_of_heads(lab, focus, picks[0], picks[1]));
}

/// Scale of weights minus 1/N: for the shown heads, all heads of their blocks, or the model.
ColourScale uniform_scale(const LabScene& lab, const Focus& focus, float even) {
    float reach = 0;
    for (const Pick& pick : focus.lab.picks) {
        if (each_its_own(focus) && &pick != &focus.lab.picks.front()) break;  // the bar is the first map's
        const int query = pick.query.value_or(focus.token), blocks = lab.scene.now.model->config.blocks;
        const bool model = focus.scope == Scope::model;
        std::vector<float> most = patches_of_pick(lab, pick, focus), least = most;
        if (range_in_laboratory(focus.scope) == Scope::block || model) {
            Extremes e = extremes_of(lab, model ? 1 : pick.block, model ? blocks : pick.block, query);
            most = std::move(e.most), least = std::move(e.least);
        }
        for (const float w : most) reach = std::max(reach, w - even);
        for (const float w : least) reach = std::max(reach, even - w);
    }
    return around_zero(focus, reach);
}

/// Caption of a scale around 0, with the root if it is used.
std::string signed_caption(const Ui& ui, const std::string& caption, const ColourScale& scale) {
    return scale.curve == Curve::root ? ui.text("compare.signed_root", {{"caption", caption}}) : caption;
}

/// The colour bar of X − Y, with the queries of the weights.
void draw_difference_bar(const LabScene& lab, Rect rect, const Focus& focus, const ColourScale& scale) {
    const Ui& ui = lab.scene.ui;
    const int a = focus.lab.picks[0].query.value_or(focus.token), b = focus.lab.picks[1].query.value_or(focus.token);
    const std::string of_a = short_token_name(ui, lab.scene.now, a), of_b = short_token_name(ui, lab.scene.now, b);
    const std::string query = a == b ? ui.text("compare.of_query", {{"token", of_a}})
                                     : ui.text("compare.of_queries", {{"a", of_a}, {"b", of_b}});
    const std::string caption = (scale.curve == Curve::root ? "X − Y, ±√ · " : "X − Y · ") + query;
    const std::string longest = signed_caption(ui, ui.text("compare.difference_caption"), scale) + " · " + query;
    const auto width = [&](const std::string& words) { return lab.scene.canvas.measure(words, Font::caption).x; };
    std::string scope = range_words(lab.scene, range_in_view(focus.lab, focus.scope) == Scope::head
                                                   ? "± " + number_text(static_cast<double>(scale.high))
                                                   : scale_words(ui, focus.scope));
    // The queries are never truncated; the range's ends are shown below.
    if (width(caption) + width(scope) + ui.theme.px(16) > rect.width()) scope.clear();
    colour_bar(lab.scene.canvas, ui, rect, {scale, longest, scope, caption});
    ui.probe.mark("compare.difference_bar", rect, static_cast<double>(scale.high), caption + "\n" + scope);
}

/// The distance of two rows of weights in words, and their difference on the class token, whose cell in a map is small;
/// in a small rectangle without the divergence.
std::string apart_words(const LabScene& lab, std::span<const float> first, std::span<const float> second, Rect rect) {
    const Ui& ui = lab.scene.ui;
    const std::string variation = percent_text(total_variation(first, second));
    const std::string divergence = number_text(jensen_shannon(first, second));
    std::string last;
    if (const std::optional<int> token = lab.scene.now.model->config.first_of(TokenKind::class_token)) {
        const auto at = static_cast<std::size_t>(*token);
        const auto difference = static_cast<double>(first[at] - second[at]);
        last = "\n" +
               ui.text("compare.apart_class", {{"difference", point_change_text(difference, ui.text("glossary.pp"))}});
    }
    for (const char* const key : {"compare.apart", "compare.apart_narrow"}) {
        const RichText told{ui.text(key, {{"variation", variation}, {"divergence", divergence}}) + last, Font::caption};
        if (measure_rich(lab.scene.canvas, told, rect.width()).y <= rect.height()) return told.markup;
    }
    return ui.text("compare.apart_short", {{"variation", variation}}) + last;
}

/// In place of the maps where too few heads are picked: how to pick them, and a pair to begin with.
void invite_to_pick(const LabScene& lab, Focus& focus) {
    const Ui& ui = lab.scene.ui;
    const Rect& a = lab.scene.area;
    const std::string& words = ui.text(focus.lab.picks.empty() ? "compare.empty" : "compare.one_more");
    say(lab, words);
    if (ui.bare) return;
    const float width = std::min(a.width(), ui.theme.px(620));
    const float below = measure_rich(lab.scene.canvas, {words, Font::body, {}, Align::left}, width).y;
    ImGui::SetCursorScreenPos({a.x0, a.y0 + below + ui.theme.px(14)});
    if (button(ui, {"compare.begin", ui.text("compare.begin"), ui.text("compare.begin_tip"), {}}, {Emphasis::primary}))
        pick_pair(lab, focus);
}

}  // namespace

void compare_view(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    begin_with_a_pair(lab, selection.focus);
    const Focus& focus = selection.focus;
    const Combine combine = focus.lab.combine;
    const std::vector<Pick>& picks = focus.lab.picks;
    if (picks.empty() || (combine == Combine::difference && picks.size() < 2))
        return invite_to_pick(lab, selection.focus);

    const bool two_sided = combine == Combine::uniform || combine == Combine::difference;
    const Rect& a = scene.area;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    const float hint = combine == Combine::difference ? line : 0;  // kept even if empty, so that nothing moves
    const float bar = two_sided ? theme.px(64) : range_bar_height(lab);
    const Rect room{a.x0, a.y0, a.x1, a.y1 - bar - hint - theme.px(10)};
    const Rect legend{a.x0, a.y1 - bar, a.x0 + std::min(a.width(), theme.px(620)), a.y1};
    ColourScale scale = named_scale(selection, "compare", shared_scale(lab, focus));
    const float more = legend.x1 + theme.px(48);
    if (picks.size() > most_side_by_side)
        text_line(scene, {more, a.y1 - theme.px(48)}, a.x1 - more,
                  ui.text("compare.more", {{"count", std::to_string(picks.size() - most_side_by_side)}}), Font::caption,
                  theme.palette.muted);
    if (combine == Combine::side_by_side) {
        draw_range(lab, {a.x0, legend.y0, a.x1, a.y1}, scale, focus);
        return draw_side_by_side(lab, room, selection, false, scale);
    }
    if (combine == Combine::uniform) {
        const float even = 1.0F / static_cast<float>(scene.now.model->config.tokens());
        const ColourScale around = named_scale(selection, "compare.uniform", uniform_scale(lab, focus, even));
        const std::string caption =
            ui.text("compare.uniform_caption", {{"even", number_text(static_cast<double>(even))}});
        scale_bar(scene, legend,
                  {around, signed_caption(ui, caption, around), scale_words(ui, focus.scope),
                   around.curve == Curve::root ? "±√ · " + caption : caption});
        return draw_side_by_side(lab, room, selection, true, around);
    }
    if (combine == Combine::difference) {
        const std::vector<float> first = row_of_pick(lab, picks[0], focus), second = row_of_pick(lab, picks[1], focus);
        std::vector<float> difference;
        for (std::size_t j = 0; j < first.size(); ++j) difference.push_back(first[j] - second[j]);
        const double variation = total_variation(first, second);
        const ColourScale around =
            named_scale(selection, "compare.difference",
                        difference_scale(lab, focus, scene.now.model->config.patches_of(difference)));
        const float beside = columns(a, 0.66F, 1).x0;
        draw_difference_bar(lab, {legend.x0, legend.y0, beside - theme.px(24), legend.y1}, focus, around);
        if ((focus.scope == Scope::block || focus.scope == Scope::model) &&
            is_faint(scene.now.model->config.patches_of(difference), around))
            write_faint_hint(lab, {legend.x0, legend.y0 - line, beside - theme.px(24), legend.y0},
                             {"compare.faint", "compare.faint_short"});
        const Rect below{beside, legend.y0 - theme.px(8), a.x1, a.y1};
        const std::string apart = apart_words(lab, first, second, below);
        text_block(scene, below, apart, Font::caption);
        hot_area(ui, "compare.apart", below, apart);
        tooltip(ui, ui.text("compare.apart_tip"));
        ui.probe.mark("compare.variation", legend, variation, apart);
        const float names = draw_names(lab, {beside, room.y0, a.x1, room.y1 - bar}, picks);
        const Rect each{beside, room.y1 - bar, a.x1, room.y1};
        // The bar is narrow: it leaves out other words first, and always says that the colours follow √a.
        const std::string &whole = ui.text(each_its_own(focus) ? "compare.each_own" : "compare.each"),
                          bent = weight_words(ui, scale.curve).shorter;
        const bool fits = scene.canvas.measure(whole + bent, Font::caption).x + theme.px(16) <= each.width() &&
                          scene.canvas.measure(bent, Font::caption).x <= 0.7F * each.width();
        const std::string of = each_its_own(focus) ? "X" : "X, Y";
        colour_bar(scene.canvas, ui, each, {scale, fits ? whole : of + " · " + bent, fits ? bent : "", of});
        ui.probe.mark("compare.each", each, static_cast<double>(scale.high));
        return draw_combined(lab, room, selection, {"compare.result", difference, around, true, "X − Y"},
                             {scale, bar + names + theme.px(6)});
    }
    const std::vector<float> values = combined(lab, focus);
    if (each_its_own(focus))
        scale =
            named_scale(selection, "compare.combined", scale_of_map(focus, scene.now.model->config.patches_of(values)));
    draw_range(lab, {a.x0, legend.y0, a.x1, a.y1}, scale, focus);
    draw_combined(lab, room, selection, {"compare.result", values, scale, true, "a"}, {scale});
}

}  // namespace vitrine
