#include "app/rooms/explore/views/head_maps.h"

#include <imgui.h>

#include <algorithm>
#include <numeric>

#include "app/rooms/explore/views/head_weights.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/head_off.h"
#include "app/rooms/figures/painting.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/patch_grid.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/tensor/entropy.h"

namespace vitrine {

namespace {

/// Draws a patch of the picture over its overlay, in a frame that keeps the colour of its weight.
void uncover_patch(const Scene& scene, Rect map, int token, Color weight) {
    const Config& c = scene.now.model->config;
    if (!c.is_patch(token)) return;
    const int row = c.patch_of(token) / c.grid_width(), column = c.patch_of(token) % c.grid_width();
    const auto side = static_cast<float>(c.patch_size);
    const float left = static_cast<float>(column) * side, top = static_cast<float>(row) * side;
    const Rect cell = cell_rect(map, {c.grid_height(), c.grid_width()}, {row, column});
    scene.canvas.picture(cell, {scene.now.patched, {left, top, left + side, top + side}, true, 1, 1});
    const float frame = std::max(scene.ui.theme.px(2), cell.width() * 0.12F);
    scene.canvas.stroke(cell.inset(frame / 2), weight, frame);
}

/// In the large view of one head, draws the picture again over the map, transparent; only the chosen and the hovered
/// patch are opaque.
void uncover_patches(const Scene& scene, Rect map, const ColourScale& scale, const Selection& selection) {
    const Focus& focus = selection.focus;
    const auto block = block_in_view(scene, focus);
    const std::vector<float> row = map_weights(*block, focus, focus.head);
    scene.canvas.picture(map, {scene.now.patched, {}, true, 0.35F, 1});
    for (const int token : {focus.token, selection.hovered_token().value_or(focus.token)})
        uncover_patch(scene, map, token, colour_at(scale, row[static_cast<std::size_t>(token)], scene.ui.theme.kind));
}

/// The numbers in a head's caption: all of them, the entropy alone, or none.
enum class CaptionNumbers { all, entropy, none };

std::string caption_words(const Scene& scene, const Focus& focus, int head, CaptionNumbers numbers) {
    const auto block = block_in_view(scene, focus);
    const std::vector<float> row = map_weights(*block, focus, head);
    const std::optional<int> token = scene.now.model->config.first_of(TokenKind::class_token);
    if (focus.looked_at) {
        const double mean = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
        return scene.ui.text("attention.caption_looked", {{"mean", number_text(mean)}});
    }
    const std::string spread = number_text(entropy(row));
    if (!token || numbers == CaptionNumbers::entropy)
        return scene.ui.text("attention.caption_without_class", {{"entropy", spread}});
    return scene.ui.text(
        "attention.caption",
        {{"weight", number_text(static_cast<double>(row[static_cast<std::size_t>(*token)]))}, {"entropy", spread}});
}

/// Width of a head's chip that has room for the whole name.
float chip_width_of(const Scene& scene, const std::string& name) {
    return scene.canvas.measure(name, Font::strong).x + scene.ui.theme.px(7 + 4 + 8 + 28 + 6) + 1;
}

/// Position of the heads' numbers: beside the name, below it, or nowhere, depending on the room. It depends on no
/// number and no direction, so that no map moves when they change.
enum class CaptionPlace { beside, below, none };
CaptionPlace caption_place(const Scene& scene, float width) {
    const bool classes = scene.now.model->config.first_of(TokenKind::class_token).has_value();
    const auto width_with = [&](const char* weight) {
        const std::string words = scene.ui.text(classes ? "attention.caption" : "attention.caption_without_class",
                                                {{"weight", weight}, {"entropy", "8.88"}});
        return scene.canvas.measure(words, Font::caption).x;
    };
    const std::string last =
        scene.ui.text("attention.head", {{"head", scene.ui.ordinal(scene.now.model->config.heads - 1)}});
    if (width_with("8.88 × 10⁻⁸") < width - chip_width_of(scene, last) - scene.ui.theme.px(8))
        return CaptionPlace::beside;
    return width_with("0.0888") <= width + scene.ui.theme.px(10) ? CaptionPlace::below : CaptionPlace::none;
}

/// The most numbers that fit into the captions of all `heads`, each of the given width, so that all heads show the same
/// ones.
CaptionNumbers numbers_for(const Scene& scene, const Selection& selection, std::span<const int> heads, float width) {
    const CaptionPlace place = caption_place(scene, width);
    if (place == CaptionPlace::none) return CaptionNumbers::none;
    if (place == CaptionPlace::beside) return CaptionNumbers::all;
    const float room = width + scene.ui.theme.px(10);
    for (const CaptionNumbers numbers : {CaptionNumbers::all, CaptionNumbers::entropy})
        if (std::ranges::all_of(heads, [&](int head) {
                return scene.canvas.measure(caption_words(scene, selection.focus, head, numbers), Font::caption).x <=
                       room;
            }))
            return numbers;
    return CaptionNumbers::none;
}

/// Shows a readout with the meaning of the numbers beside a head's name.
void explain_caption(const Scene& scene, const Focus& focus, int head, CaptionNumbers numbers, bool off) {
    const Text& text = scene.ui.text;
    if (off) return readout(scene.ui, std::vector<std::string>{words_of_off_head(scene.ui, head)});
    const double tokens = scene.now.model->config.tokens();
    if (focus.looked_at)
        return readout(scene.ui,
                       std::vector<std::string>{text("attention.mean_told"),
                                                text("attention.mean_even", {{"even", number_text(1 / tokens)}})});
    std::vector<std::string> lines{text("attention.entropy_told"),
                                   text("attention.entropy_even", {{"most", number_text(std::log(tokens))}})};
    if (numbers == CaptionNumbers::all && scene.now.model->config.first_of(TokenKind::class_token))
        lines.insert(lines.begin(), text("attention.class_weight_told"));
    readout(scene.ui, lines);
}

/// How a map's largest weight is written beside its head's name: in words, as two digits alone, or not at all.
enum class LargestForm { words, digits, none };

std::string largest_words(const Scene& scene, const Focus& focus, int head, LargestForm form) {
    const float largest = largest_of_head(scene.now.model->config, *block_in_view(scene, focus), focus, head);
    if (form == LargestForm::digits) return digits_text(static_cast<double>(largest), 2);
    return scene.ui.text("attention.largest_own", {{"weight", number_text(static_cast<double>(largest))}});
}

/// The space for it, between the name and the numbers, or up to the map's right edge.
Rect largest_room(const Scene& scene, Rect caption, const Focus& focus, int head, CaptionNumbers numbers) {
    const Theme& theme = scene.ui.theme;
    const std::string name = scene.ui.text("attention.head", {{"head", scene.ui.ordinal(head)}});
    const bool beside =
        numbers != CaptionNumbers::none && caption_place(scene, caption.width()) == CaptionPlace::beside;
    const float taken =
        beside ? scene.canvas.measure(caption_words(scene, focus, head, numbers), Font::caption).x + theme.px(14) : 0;
    return {caption.x0 + chip_width_of(scene, name) + theme.px(6), caption.y0 + theme.px(6), caption.x1 - taken,
            caption.y0 + theme.px(6) + scene.canvas.measure("", Font::caption).y};
}

/// The longest form that fits for all heads, if each map has its own range.
LargestForm form_of_largest(const Scene& scene, const Focus& focus, float width, CaptionNumbers numbers) {
    if (focus.solo || range_in_chapter(focus.scope) != Scope::head) return LargestForm::none;
    for (const LargestForm form : {LargestForm::words, LargestForm::digits}) {
        bool fits = true;
        for (int head = 0; head < scene.now.model->config.heads; ++head)
            fits = fits && scene.canvas.measure(largest_words(scene, focus, head, form), Font::caption).x <=
                               largest_room(scene, {0, 0, width, 0}, focus, head, numbers).width();
        if (fits) return form;
    }
    return LargestForm::none;
}

/// The place below a map, and the numbers that it has.
struct Caption {
    Rect rect;
    CaptionNumbers numbers;
    LargestForm largest = LargestForm::none;
};

/// Writes a map's largest weight, right-aligned in the row of its head's name.
void write_largest(const Scene& scene, const Caption& caption, int head, const Focus& focus) {
    if (caption.largest == LargestForm::none) return;
    const Rect room = largest_room(scene, caption.rect, focus, head, caption.numbers);
    const std::string words = largest_words(scene, focus, head, caption.largest);
    const Rect written{room.x1 - scene.canvas.measure(words, Font::caption).x, room.y0, room.x1, room.y1};
    scene.canvas.text({room.x1, room.y0}, words, {Font::caption, scene.ui.theme.palette.muted, Align::right});
    const float largest = largest_of_head(scene.now.model->config, *block_in_view(scene, focus), focus, head);
    scene.ui.probe.mark("attention.largest." + std::to_string(head), written, static_cast<double>(largest), words);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({written.x0, written.y0}, {written.x1, written.y1}))
        readout(scene.ui, std::vector<std::string>{scene.ui.text(
                              "attention.largest_told", {{"weight", number_text(static_cast<double>(largest))}})});
}

/// Draws, below a map, the head's name with its switch, and its numbers.
void head_caption(const Scene& scene, const Caption& caption, int head, Selection& selection, WhatIfs& what_ifs) {
    const Rect& rect = caption.rect;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Focus& focus = selection.focus;
    const Intervention removal = remove_head(focus.block, head);
    const std::string id = "attention.head." + std::to_string(head);
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const std::string name = text("attention.head", {{"head", scene.ui.ordinal(head)}});
    const float chip_width = std::min(rect.width(), chip_width_of(scene, name));
    const bool off = contains(what_ifs, removal);
    const ChipClick click = chip(scene.ui,
                                 {id, chip_words(scene, name, scene.ui.ordinal(head), chip_width),
                                  text("attention.head_tip"), scene.ui.ordinal(head)},
                                 {theme.palette.accent, focus.head == head, off, true, chip_width});
    if (click == ChipClick::chosen) selection.focus.head = head;
    if (click == ChipClick::switched) toggle(what_ifs, removal);
    const bool on_name =
        ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({rect.x0, rect.y0}, {rect.x0 + chip_width, rect.y1});
    if (on_name && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) selection.ask_menu({{}, Pick{focus.block, head}});

    if (!off) write_largest(scene, caption, head, focus);
    if (caption.numbers == CaptionNumbers::none) return;
    const bool beside = caption_place(scene, rect.width()) == CaptionPlace::beside;
    const std::string words = off ? text("attention.off_short") : caption_words(scene, focus, head, caption.numbers);
    const Point at{beside ? rect.x1 : rect.x0, rect.y0 + theme.px(beside ? 6.0F : 33.0F)};
    scene.canvas.text(at, words, {Font::caption, theme.palette.muted, beside ? Align::right : Align::left});
    const Point size = scene.canvas.measure(words, Font::caption);
    const float left = beside ? at.x - size.x : at.x;
    const Rect written{left, at.y, left + size.x, at.y + size.y};
    scene.ui.probe.mark(id + ".numbers", written, beside ? 1 : 2, words);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({written.x0, written.y0}, {written.x1, written.y1}))
        explain_caption(scene, focus, head, caption.numbers, off);
}

/// Shows a readout of a head's weight on the token `key`; if the head is off, of what the run uses instead.
void tell_weight(const Scene& scene, int head, int key, const Selection& selection) {
    const Focus& focus = selection.focus;
    const float weight = map_weights(*block_in_view(scene, focus), focus, head)[static_cast<std::size_t>(key)];
    const std::string other = token_name(scene.ui, scene.now, key);
    const std::string pair =
        focus.looked_at ? scene.ui.text("matrix.pair",
                                        {{"query", other}, {"key", short_token_name(scene.ui, scene.now, focus.token)}})
                        : other;
    std::vector<std::string> lines{
        scene.ui.text("attention.head", {{"head", scene.ui.ordinal(head)}}) + " · " + pair,
        head_is_off(scene, focus.block, head) ? words_of_off_head(scene.ui, head) : "a = " + number_text(weight)};
    if (selection.guess().open)
        lines.push_back(scene.ui.text("guess.open_tip"));
    else if (!focus.solo)
        lines.push_back(scene.ui.text("attention.click_tip"));
    readout(scene.ui, lines);
}

/// A corner of a map for a label: one that covers neither the chosen nor the hovered patch, if there is one.
Rect corner_for(const Scene& scene, Rect map, Point size, const Selection& selection) {
    const Config& c = scene.now.model->config;
    const auto covers = [&](const Rect& box, int token) {
        if (!c.is_patch(token)) return false;
        const int patch = c.patch_of(token);
        const GridSize grid{c.grid_height(), c.grid_width()};
        return box.overlaps(cell_rect(map, grid, {patch / c.grid_width(), patch % c.grid_width()}));
    };
    const int chosen = selection.focus.token, hovered = selection.hovered_token().value_or(chosen);
    const Rect first{map.x0, map.y1 - size.y, map.x0 + size.x, map.y1};
    for (const float x : {map.x0, map.x1 - size.x})
        for (const float y : {map.y1 - size.y, map.y0})
            if (const Rect box{x, y, x + size.x, y + size.y}; !covers(box, chosen) && !covers(box, hovered)) return box;
    return first;
}

/// Writes the largest weight into a weak map; as "≤ 0.01" if the map is narrow.
void tell_largest(const Scene& scene, Rect map, int head, float largest, const Selection& selection) {
    constexpr Color letters{235, 238, 242, 255}, ground{8, 10, 14, 200};
    const float pad = scene.ui.theme.px(4), line = scene.canvas.measure("", Font::caption).y;
    const std::string number = number_text(static_cast<double>(largest));
    std::string words = scene.ui.text("attention.largest", {{"weight", number}});
    const auto width_of = [&](const std::string& some) {
        return scene.canvas.measure(some, Font::caption).x + 2 * pad;
    };
    if (width_of(words) > map.width()) words = "≤ " + number;
    const float width = width_of(words);
    if (width > map.width()) return;
    const Rect box = corner_for(scene, map, {width, line + pad}, selection);
    scene.canvas.fill(box, ground);
    scene.canvas.text({box.x0 + pad, box.y0 + pad / 2}, words, {Font::caption, letters, Align::left});
    scene.ui.probe.mark("attention.largest." + std::to_string(head), box, static_cast<double>(largest), words);
}

std::string grid_id(int head) { return "attention.map." + std::to_string(head); }

/// Draws one head's map over the image, and handles clicks on it.
void head_map(const Scene& scene, Rect rect, int head, Selection& selection, WhatIfs& what_ifs) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const Focus& focus = selection.focus;
    const bool off = contains(what_ifs, remove_head(focus.block, head));
    // On black in both themes, so that only weights make cells bright.
    scene.canvas.fill(rect, {8, 10, 14, 255});
    const Picture below = picture_below(scene, off ? focus.brightness / 2 : focus.brightness);
    scene.canvas.picture(rect, below);
    scene.ui.probe.mark("attention.below." + std::to_string(head), rect, static_cast<double>(below.opacity));
    const auto block = block_in_view(scene, focus);
    const std::vector<float> weights = map_weights(*block, focus, head);
    const std::span<const float> patches = c.patches_of(weights);
    scene.ui.probe.mark("attention.most." + std::to_string(head), rect,
                        static_cast<double>(largest_of_head(c, *block, focus, head)));
    const ColourScale scale = scale_of_head(scene, focus, head);
    if (!off) scene.canvas.heat_map(rect, {patches.data(), c.grid_height(), c.grid_width(), scale, 0.0F});
    const int token = focus.token;
    if (!off) leading_cells(scene, rect, {grid_id(head), "a", weights, scale, {}}, selection);
    if (focus.token != token) selection.focus.head = head;
    if (!off && focus.solo) uncover_patches(scene, rect, scale, selection);
    if (off) hatch(scene.canvas, rect, theme.palette.muted, theme.px(10));

    const std::vector<int> patches_off = tokens_off(what_ifs);
    PatchGrid grid;
    grid.id = grid_id(head);
    grid.size = {c.grid_height(), c.grid_width()};
    grid.first_token = c.token_of(0);
    grid.query = focus.token;
    grid.hovered = selection.hovered_token();
    grid.off = patches_off;
    grid.lines = focus.solo;
    const GridHit hit = patch_grid(scene.canvas, scene.ui, rect, grid);
    const bool paints = paint_patches(scene.canvas, scene.ui, rect, c, grid, hit, selection, what_ifs);
    const bool own =
        range_in_chapter(focus.scope) == Scope::head;  // its largest weight is below it, or at the colour bar
    if (const auto weak = darkness_of(patches, scale); weak && !off && !own)
        tell_largest(scene, rect, head, *weak, selection);
    if (const std::optional<int> guess = selection.guess().token; guess && c.is_patch(*guess)) {
        const int place = c.patch_of(*guess);
        const Rect cell = cell_rect(rect, grid.size, {place / c.grid_width(), place % c.grid_width()});
        scene.canvas.stroke(cell, theme.palette.danger, theme.px(3));
        scene.ui.probe.mark("attention.guess." + std::to_string(head), cell, *guess);
    }
    const bool chosen = focus.head == head && !scene.ui.bare;  // a figure shows no choice of head
    scene.canvas.stroke(rect, chosen ? theme.palette.accent : theme.palette.line, theme.px(chosen ? 3.0F : 1.0F),
                        theme.px(2));
    if (hit.hovered) {
        selection.hover_token(*hit.hovered);
        selection.hover_head(head, focus.block);
        tell_weight(scene, head, *hit.hovered, selection);
    }
    const bool guesses = selection.guess().open;
    if (hit.clicked && !hit.double_clicked && !paints) {
        guesses ? selection.guess_token(*hit.clicked) : selection.choose_token(*hit.clicked);
        if (!guesses) selection.focus.head = head;
    }
    if (hit.double_clicked && !paints) {
        if (!guesses) selection.take_back_token();  // its first press chose a token
        selection.focus.head = head;
        selection.focus.solo = !selection.focus.solo;
    }
    if (hit.menu) selection.ask_menu({hit.menu, Pick{focus.block, head}});
    if (hit.switched) toggle(what_ifs, remove_token(*hit.switched));
}

/// Layout of all heads in a rectangle, with the height of the captions.
struct HeadTiles {
    Tiling tiling;
    float line, leading;  // leading: width of the cells before each map
};
HeadTiles tiles_of(const Scene& scene, Rect rect) {
    const Config& c = scene.now.model->config;
    const float aspect = static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height());
    const float leading = leading_room(scene), gap = scene.ui.theme.px(14);
    const float across = leading > 0 ? leading + scene.ui.theme.px(8) : gap;
    float line = scene.ui.theme.px(38);
    Tiling tiling = tiling_of(c.heads, rect, aspect, {across, line + gap});
    if (caption_place(scene, leading + tiling.width) == CaptionPlace::below) {
        line += scene.canvas.measure("", Font::caption).y;
        tiling = tiling_of(c.heads, rect, aspect, {across, line + gap});
    }
    return {tiling, line, leading};
}

/// Draws the button from one head back to all, right-aligned below the map; returns its width. Not in figures for
/// slides.
float all_heads_button(const Scene& scene, Point right_top, Selection& selection) {
    if (scene.ui.bare) return 0;
    const Theme& theme = scene.ui.theme;
    const std::string& words = scene.ui.text("attention.all_heads");
    const float width = scene.canvas.measure(words, Font::body).x + theme.px(56);
    ImGui::SetCursorScreenPos({right_top.x - width, right_top.y});
    if (button(scene.ui, {"attention.all_heads", words, scene.ui.text("attention.all_heads_tip"), "Esc"},
               {Emphasis::plain, Icon::left, width}))
        selection.focus.solo = false;
    return width + theme.px(10);
}

}  // namespace

float width_of_each_map(const Scene& scene, Rect rect) { return tiles_of(scene, rect).tiling.width; }

void all_head_maps(const Scene& scene, Rect rect, Selection& selection, WhatIfs& what_ifs) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const float aspect = static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height());
    const auto [tiling, line, leading] = tiles_of(scene, rect);
    const auto [columns, rows, width] = tiling;
    const float step = std::min(rect.width() / static_cast<float>(columns), leading + width + theme.px(60));
    const float row_step = std::min(rect.height() / static_cast<float>(rows), width / aspect + line + theme.px(40));
    const float left = rect.centre().x - step * static_cast<float>(columns) / 2 + (step + leading - width) / 2;
    const float top = rect.y0 + (rect.height() - row_step * static_cast<float>(rows)) / 2;
    std::vector<int> heads(static_cast<std::size_t>(c.heads));
    std::iota(heads.begin(), heads.end(), 0);
    const CaptionNumbers numbers = numbers_for(scene, selection, heads, leading + width);
    const LargestForm largest = form_of_largest(scene, selection.focus, leading + width, numbers);
    for (int head = 0; head < c.heads; ++head) {
        const float x = left + step * static_cast<float>(head % columns),
                    y = top + row_step * static_cast<float>(head / columns);
        const Rect map{x, y, x + width, y + width / aspect};
        head_map(scene, map, head, selection, what_ifs);
        head_caption(scene, {{map.x0 - leading, map.y1 + theme.px(5), map.x1, map.y1 + line}, numbers, largest}, head,
                     selection, what_ifs);
    }
}

void one_head_map(const Scene& scene, Rect rect, Selection& selection, WhatIfs& what_ifs) {
    const Config& c = scene.now.model->config;
    const float line = scene.ui.theme.px(38);
    const Rect map = fit({rect.x0 + leading_room(scene), rect.y0, rect.x1, rect.y1 - line},
                         static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height()));
    const float under = map.y1 + scene.ui.theme.px(5), all = all_heads_button(scene, {map.x1, under}, selection);
    if (!selection.focus.solo) return;  // the button was pressed: the next frame draws all heads
    head_map(scene, map, selection.focus.head, selection, what_ifs);
    const Rect caption{map.x0, under, map.x1 - all, map.y1 + line};
    const int head = selection.focus.head;
    const CaptionNumbers numbers = numbers_for(scene, selection, std::span(&head, 1), caption.width());
    head_caption(scene, {caption, numbers}, head, selection, what_ifs);
}

}  // namespace vitrine
