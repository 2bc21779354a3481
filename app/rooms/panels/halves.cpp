#include "app/rooms/panels/halves.h"

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/rooms/figures/scene.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/command.h"
#include "app/workspace/result.h"
#include "app/workspace/workspace.h"
#include "core/measures/analysis.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

/// Names of one half, the longest first: with its image or text, model, number of what-ifs and answer.
std::vector<std::string> names_of_half(const Frame& half) {
    const Ui& ui = half.ui;
    const RoomAnswers& room = answers_of(half.state().room);
    if (room.around.subject != nullptr) {  // a text
        const std::string subject = room.around.subject({half.selection.focus, half.text_experiment});
        const auto said = room.teaching.predicted({ui, half.workspace, half.selection});
        const std::string answer = said ? "→  " + said->now : std::string();
        return {subject + "  " + answer, answer, subject};
    }
    const Result& now = *half.shown().result;
    const std::string image = image_title(ui.text, *now.image);
    std::string answer, changes;
    for (const Prediction& best : top_predictions(*now.trace.head, 1))
        answer = "  →  " + class_name(ui, *now.model, best.index) + " " +
                 probability_text(static_cast<double>(best.probability));
    if (const std::size_t count = now.experiment.what_ifs.size(); count > 0)
        changes = " · " + ui.text("beside.what_ifs", {{"count", std::to_string(count)}});
    const std::string model = " · " + model_title(ui.text, *now.model);
    const std::string size = " · " + std::to_string(now.model->config.grid_height()) + " × " +
                             std::to_string(now.model->config.grid_width());
    return {image + model + size + changes + answer, image + model + changes + answer, image + changes + answer,
            image + answer, image};
}

/// True if the room shows runs of images, not of texts.
bool draws_runs(const Frame& frame) { return answers_of(frame.state().room).around.subject == nullptr; }

/// True if a half has arrows that choose its block, since the map, which otherwise does so, has no room. Linked halves
/// share a block, so only the left half has arrows.
bool chooses_block(const Frame& half) {
    const bool map_in_sight = half.layout.map.x1 > 0;
    return !map_in_sight && !half.ui.bare && !half.state().lecture.on && draws_runs(half) && half.shown().result &&
           !(half.right && half.side_by_side.linked);
}

/// Draws "‹ Block 3 ›" with its top right corner at a point; returns the x of its left end.
float block_arrows(const Frame& half, Point top_right) {
    const Ui& ui = half.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    int& block = half.selection.focus.block;
    const int blocks = half.shown().result->model->config.blocks;
    const std::string words = ui.text("beside.block_now", {{"block", ui.ordinal(block - 1)}});
    const std::string longest = ui.text("beside.block_now", {{"block", ui.ordinal(blocks - 1)}});
    const float side = theme.px(36), room = canvas.measure(longest, Font::body).x + theme.px(4);
    const float left = top_right.x - 2 * side - room;
    ImGui::SetCursorScreenPos({left, top_right.y});
    const Control before{"half.block.previous", {}, ui.text("help.block"), half.key_of("block.previous"), block > 1};
    const Control after{"half.block.next", {}, ui.text("help.block"), half.key_of("block.next"), block < blocks};
    const bool back = icon_button(ui, before, Icon::left);
    canvas.text({left + side + room / 2, top_right.y + (theme.px(34) - canvas.measure("", Font::body).y) / 2}, words,
                {Font::body, theme.palette.text, Align::centre});
    ui.probe.mark("half.block", {left, top_right.y, top_right.x, top_right.y + theme.px(34)}, block, words);
    ImGui::SetCursorScreenPos({top_right.x - side, top_right.y});
    const bool forth = icon_button(ui, after, Icon::right);
    block = std::clamp(block + (forth ? 1 : 0) - (back ? 1 : 0), 1, blocks);
    return left;
}

/// The line above a figure: the name of its workspace, and buttons to close, link and subtract halves. A click on the
/// name makes the workspace the one that panels and keys act on.
void title_of_half(const Frame& half, Rect line, bool visible, bool can_subtract) {
    const Ui& ui = half.ui;
    const Theme& theme = ui.theme;
    const Palette& palette = theme.palette;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const std::string letter = half.right ? "B" : "A";
    const float pad = theme.px(8), high = theme.px(34);
    float right = line.x1 - theme.px(4);
    const float top = line.y0 + (line.height() - high) / 2;
    canvas.fill(line, visible ? palette.accent.with_alpha(0.16F) : palette.raised, theme.px(6));
    if (!ui.bare) {
        right -= theme.px(32);
        ImGui::SetCursorScreenPos({right, top});
        const char* const closing = half.right ? "beside.close_right" : "beside.close_left";
        if (icon_button(ui, {"half.close", {}, ui.text("beside.close"), half.right ? half.key_of("beside") : ""},
                        Icon::close, Emphasis::quiet))
            half.commands().add(closing);
    }
    const bool linked = half.side_by_side.linked;
    if (half.right && !ui.bare) {
        const std::string& words = ui.text(linked ? "beside.linked" : "beside.unlinked");
        const float width = canvas.measure(words, Font::body).x + theme.px(28);
        right -= width + theme.px(4);
        ImGui::SetCursorScreenPos({right, top});
        if (button(ui, {"half.link", words, ui.text(linked ? "beside.unlink_tip" : "beside.link_tip"), {}},
                   {linked ? Emphasis::plain : Emphasis::quiet, {}, width}))
            half.commands().add("beside.link");
    }
    if (half.right && !ui.bare && can_subtract) {
        const float width = canvas.measure("A − B", Font::body).x + theme.px(28);
        right -= width + theme.px(4);
        ImGui::SetCursorScreenPos({right, top});
        if (button(ui, {"half.difference", "A − B", ui.text("beside.difference_tip"), {}},
                   {half.side_by_side.difference ? Emphasis::primary : Emphasis::quiet, {}, width}))
            half.commands().add("beside.difference");
    }
    if (chooses_block(half)) right = block_arrows(half, {right - theme.px(4), top});
    const Rect title{line.x0, line.y0, right - theme.px(4), line.y1};
    const float badge = canvas.measure(letter, Font::strong).x, left = title.x0 + badge + 3 * pad;
    const std::vector<std::string> names = names_of_half(half);
    std::string words;
    for (const std::string& each : names)
        if (words.empty() && canvas.measure(each, Font::body).x <= title.x1 - left) words = each;
    if (words.empty()) words = fitted(canvas, names.back(), Font::body, title.x1 - left);
    const Hit hit = hot_area(ui, "half.title", title, letter + "  " + words);
    tooltip(ui, "{strong|" + letter + "}  " + names.front() + "\n" + ui.text("beside.choose_tip"),
            half.key_of("beside.other"));
    const float text_top = line.centre().y - canvas.measure("", Font::body).y / 2;
    const Rect box{title.x0 + pad / 2, top + theme.px(2), title.x0 + badge + 2 * pad, top + high - theme.px(2)};
    canvas.fill(box, visible ? palette.accent : palette.line, theme.px(5));
    canvas.text({box.centre().x, text_top}, letter,
                {Font::strong, visible ? palette.background : palette.text, Align::centre});
    canvas.text({left, text_top}, words, {Font::body, palette.text, Align::left});
    if (hit.at && !visible) canvas.stroke(line, palette.accent, theme.px(1), theme.px(6));
    if (hit.clicked && !visible) half.commands().add("beside.other");
}

/// The chosen indices that differ because one run lacks the other's: "block 12 | 6 · patch 30 | 8"; empty if none.
std::string nearest_words(const Frame& left, const Frame& right) {
    const Ui& ui = left.ui;
    const Result &a = *left.shown().result, &b = *right.shown().result;
    const Focus &here = left.selection.focus, &there = right.selection.focus;
    std::string words;
    const auto add = [&](const char* key, const std::string& one, const std::string& other) {
        if (one == other) return;
        words += (words.empty() ? "" : " · ") + ui.text(key, {{"a", one}, {"b", other}});
    };
    add("beside.block", ui.ordinal(here.block - 1), ui.ordinal(there.block - 1));
    add("beside.head", ui.ordinal(here.head), ui.ordinal(there.head));
    add("beside.token", short_token_name(ui, a, here.token), short_token_name(ui, b, there.token));
    return words;
}

}  // namespace

void draw_halves(const Frame& frame, Rect area,
                 const std::function<void(const Frame& half, Rect area, const OtherRun* other)>& draw,
                 const std::function<void(const Frame& left, const Frame& right, Rect area)>& difference) {
    if (frame.other == nullptr) return draw(frame, area, nullptr);
    const Frame &left = frame.right ? *frame.other : frame, &right = frame.right ? frame : *frame.other;
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    const float gap = theme.px(gap_of_halves), line = theme.px(line_of_halves - 8);
    const bool subtracts = frame.side_by_side.difference && difference;
    const float third = theme.px(300), least = theme.px(560);
    const bool column = subtracts && area.width() - third - 2 * gap >= 2 * least;
    const Rect all = area;
    if (column) area.x1 -= third + gap;
    const float width = (area.width() - gap) / 2;
    float low = area.y0 + line + theme.px(8);
    if (frame.side_by_side.linked && left.shown().result && right.shown().result && draws_runs(frame))
        if (const std::string parts = nearest_words(left, right); !parts.empty()) {
            WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
            const std::string words =
                fitted(canvas, ui.text("beside.nearest", {{"parts", parts}}), Font::caption, area.width());
            canvas.text({area.x0, low}, words, {Font::caption, theme.palette.accent, Align::left});
            const float height = canvas.measure("", Font::caption).y;
            ui.probe.mark("beside.nearest", {area.x0, low, area.x1, low + height}, 0, words);
            low += height + theme.px(6);
        }
    for (const Frame* const half : {&left, &right}) {
        const Frame& beside = half == &left ? right : left;
        const float x = half == &left ? area.x0 : area.x1 - width;
        const Rect own{x, low, x + width, area.y1};
        ImGui::PushID(half->right ? "beside" : "own");
        const Probe::Below below(ui.probe, half->right ? "beside." : "");
        title_of_half(*half, {own.x0, area.y0, own.x1, area.y0 + line}, half == &frame, difference != nullptr);
        const Result* const there = beside.shown().result.get();
        const auto other = there == nullptr ? std::nullopt : std::optional(OtherRun{*there, beside.selection});
        ImGui::PushClipRect({own.x0 - gap / 4, own.y0 - 1}, {own.x1 + gap / 4, own.y1 + gap}, true);
        if (!subtracts || column || half == &frame)
            draw(*half, own, other ? &*other : nullptr);
        else
            difference(left, right, own);
        ImGui::PopClipRect();
        ImGui::PopID();
    }
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const auto line_between = [&](float x) {
        canvas.line({x, area.y0}, {x, area.y1}, theme.palette.line, theme.px(1));
    };
    line_between(area.centre().x);
    if (!column) return;
    line_between(all.x1 - third - gap / 2);
    canvas.text({all.x1 - third, all.y0 + (line - canvas.measure("", Font::strong).y) / 2}, "A − B",
                {Font::strong, theme.palette.text, Align::left});
    difference(left, right, {all.x1 - third, low, all.x1, all.y1});
}

}  // namespace vitrine
