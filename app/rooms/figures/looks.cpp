#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/head_off.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"

// Maps of the keys that tokens attend to, and of the queries that attend to them.

namespace vitrine {

namespace {

/// A column of A: the weights of all queries on a token.
std::vector<float> column_of(const Tensor3& attention, int head, int token) {
    std::vector<float> column;
    for (int query = 0; query < static_cast<int>(attention.shape()[1]); ++query)
        column.push_back(row_of(attention, head, query)[static_cast<std::size_t>(token)]);
    return column;
}

struct Looks {
    std::string id;
    const char* words;  // key of its title, placed after the head's name
    std::span<const float> weights;
    int token;
};

struct OffMap {
    const std::string &id, &title;
};

/// Draws, in place of the weights of a head that is off, what the run uses instead.
void off_map(const Scene& scene, Rect rect, const OffMap& map, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const Rect figure = patches_of_map(scene, rect);
    draw_off_map(scene, figure, selection.focus.brightness);
    const std::string told = words_of_off_head(scene.ui, selection.focus.head);
    const Hit hit = hot_area(scene.ui, map.id, figure, {}, {c.grid_height(), c.grid_width()});
    if (const auto cell = hit.at ? cell_at(figure, {c.grid_height(), c.grid_width()}, *hit.at) : std::nullopt) {
        const int token = c.token_of(cell->row * c.grid_width() + cell->column);
        selection.hover_token(token);
        readout(scene.ui, std::vector<std::string>{token_name(scene.ui, scene.now, token), told});
        if (hit.clicked && !selection.guess().open) selection.focus.token = token;
        if (hit.menu) selection.ask_menu({token});
    }
    const float width = width_of_map_bar(scene, rect), left = std::min(figure.x0, rect.x1 - width);
    const float line = scene.canvas.measure("", Font::caption).y, top = figure.y1 + theme.px(6);
    text_line(scene, {left, top}, width, map.title, Font::caption);
    const Rect below{left, top + line + theme.px(4), left + width, rect.y1};
    text_block(scene, below, told, Font::caption);
    scene.ui.probe.mark(map.id + ".off", below, selection.focus.head, told);
}

/// Height that a map leaves for its colour bar and for the gap above it.
float map_bar_height(const Scene& scene) { return scene.ui.theme.px(62 + 6); }
/// The same, but enough for a small window, whose letters are larger than its scale.
float height_below_map(const Scene& scene) {
    const Theme& theme = scene.ui.theme;
    return std::max(map_bar_height(scene), theme.px(6) + 2 * scene.canvas.measure("", Font::caption).y + theme.px(24));
}

/// The words below a map of a head's weights.
struct LooksWords {
    std::string title, shorter, scope = {};
    bool beside = false;  // the scope has its own line below the colour bar
    bool whole = false;   // there is room for the long title
    bool lined = false;   // room for that line is reserved; of maps side by side both reserve it if one needs it
};
LooksWords words_of_looks(const Scene& scene, Rect rect, const Looks& looks, const Selection& selection) {
    const Text& text = scene.ui.text;
    const Focus& focus = selection.focus;
    const std::string token = short_token_name(scene.ui, scene.now, looks.token);
    const std::string words = text(looks.words, {{"token", token}}), head = scene.ui.ordinal(focus.head);
    const auto width = [&](const std::string& some) { return scene.canvas.measure(some, Font::caption).x; };
    LooksWords told{text("matrix.of_head", {{"head", head}, {"words", words}}),
                    text("matrix.of_head_short", {{"head", head}, {"words", words}})};
    if (width(told.shorter) > rect.width()) told.shorter = words;  // in half a small window
    const float room = width_of_map_bar(scene, rect), gap = scene.ui.theme.px(16);
    const Curve curve = focus.lab.curve;
    const std::string letter = curve == Curve::linear ? "a" : curve == Curve::root ? "√a" : "log a";
    // The range is the map's own. Its words are shortened, but always say what the colours follow: a or √a.
    // Weights that are all 0 have no range.
    const bool none = std::ranges::all_of(looks.weights, [](float weight) { return weight == 0; });
    const std::string scopes[] = {letter + " · " + text(none ? "scope.all_zero" : "scope.own_scale"),
                                  none ? text("scope.all_zero") : letter + " · " + text("scope.own_short"), letter};
    const auto fits_bar = [&](const std::string& scope) {
        const std::string right = range_words(scene, scope);
        return width(told.shorter) + width(right) + gap <= room && width(right) <= room * 0.7F;
    };
    const auto fits_alone = [&](const std::string& scope) { return width(scope) <= room; };
    const auto in_bar = std::ranges::find_if(std::begin(scopes), std::end(scopes) - 1, fits_bar);
    told.beside = in_bar == std::end(scopes) - 1;
    told.lined = told.beside;  // also while the head is off, so that nothing moves
    told.scope = told.beside ? *std::ranges::find_if(std::begin(scopes), std::end(scopes) - 1, fits_alone) : *in_bar;
    if (head_is_off(scene, focus.block, focus.head)) {
        told.scope.clear();
        told.beside = false;
        told.whole = width(told.title) <= room;
        return told;
    }
    told.whole = width(told.title) + (told.beside ? 0 : width(range_words(scene, told.scope)) + gap) <= room;
    return told;
}

/// Draws a head's weights over the image, with their own range below; the scope in its own line if it does not fit.
void looks_map(const Scene& scene, Rect rect, const Looks& looks, const LooksWords& words, Selection& selection) {
    const ColourScale scale{ColourMap::sequential, 0, reach_of(looks.weights), selection.focus.lab.curve};
    const std::string& title = words.whole ? words.title : words.shorter;
    const float line = scene.canvas.measure("", Font::caption).y;
    if (words.lined) rect.y1 -= line + height_below_map(scene) - map_bar_height(scene);
    scene.ui.probe.mark(looks.id + ".title", rect, selection.focus.head, words.title);
    if (head_is_off(scene, selection.focus.block, selection.focus.head))
        return off_map(scene, rect, {looks.id, title}, selection);
    token_map(scene, rect,
              {looks.id, title, looks.weights, scale, words.beside ? "" : words.scope, {}, true, words.shorter, "a"},
              selection);
    if (!words.beside) return;
    const Rect map = patches_of_map(scene, rect);
    const float room = width_of_map_bar(scene, rect), left = std::min(map.x0, rect.x1 - room);
    const Rect below{left, map.y1 + height_below_map(scene), left + room, map.y1 + height_below_map(scene) + line};
    scene.canvas.text({below.x1, below.y0}, words.scope, {Font::caption, scene.ui.theme.palette.muted, Align::right});
    scene.ui.probe.mark(looks.id + ".own", below, 0, words.scope);
}

std::vector<Control> curve_controls(const Scene& scene) {
    const Text& text = scene.ui.text;
    return {{"curve.linear", "a", text("curve.linear_tip"), {}}, {"curve.root", "√a", text("curve.root_tip"), "U"}};
}

}  // namespace

void looks_both_ways(const Scene& scene, Rect rect, const std::string& id, Selection& selection) {
    const float gap = scene.ui.theme.px(12), middle = rect.y0 + (rect.height() - gap) / 2;
    const auto block = block_of(scene, selection);
    const int token = selection.focus.token, head = selection.focus.head;
    const std::vector<float> column = column_of(block->attention, head, token);
    const Looks there{id + ".looks", "matrix.looks", row_of(block->attention, head, token), token},
        here{id + ".looked", "matrix.looked", column, token};
    const bool beside = rect.width() > rect.height();
    const Rect first = beside ? columns(rect, 0, 0.485F) : Rect{rect.x0, rect.y0, rect.x1, middle},
               second = beside ? columns(rect, 0.515F, 1) : Rect{rect.x0, middle + gap, rect.x1, rect.y1};
    LooksWords of_first = words_of_looks(scene, first, there, selection),
               of_second = words_of_looks(scene, second, here, selection);
    of_first.whole = of_second.whole = of_first.whole && of_second.whole;  // both titles are long, or both are short
    if (beside) of_first.lined = of_second.lined = of_first.lined || of_second.lined;
    looks_map(scene, first, there, of_first, selection);
    looks_map(scene, second, here, of_second, selection);
}

void who_looks_here(const Scene& scene, Rect rect, const std::string& id, Selection& selection) {
    const auto block = block_of(scene, selection);
    const int token = selection.focus.token;
    const std::vector<float> column = column_of(block->attention, selection.focus.head, token);
    const Looks here{id + ".looked", "matrix.looked", column, token};
    looks_map(scene, rect, here, words_of_looks(scene, rect, here, selection), selection);
}

float curve_choice_width(const Scene& scene) { return scene.ui.theme.px(124); }

void curve_choice(const Scene& scene, Point at, Selection& selection) {
    Curve& curve = selection.focus.lab.curve;
    ImGui::SetCursorScreenPos({at.x, at.y});
    int chosen = curve == Curve::linear ? 0 : curve == Curve::root ? 1 : -1;
    if (segmented(scene.ui, curve_controls(scene), chosen)) curve = chosen == 0 ? Curve::linear : Curve::root;
}

WeightWords weight_words(const Ui& ui, Curve curve) {
    if (curve == Curve::linear) return {ui.text("attention.weight"), ui.text("attention.weight_short")};
    const std::string bent = curve == Curve::root ? "√a" : "log a";
    return {ui.text("attention.weight_bent", {{"curve", bent}}),
            ui.text("attention.weight_bent_short", {{"curve", bent}})};
}

bool few_set_the_range(std::span<const float> weights, float high) {
    const auto bright = std::count_if(weights.begin(), weights.end(), [&](float w) { return w > high / 4; });
    return bright > 0 && static_cast<std::size_t>(bright) * 50 <= weights.size();
}

}  // namespace vitrine
