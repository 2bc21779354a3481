#include <imgui.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/library/library.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/figure_caption.h"
#include "app/rooms/panels/halves.h"
#include "app/rooms/panels/linked_words.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/panels/translated_error.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/workspace.h"
#include "core/vit/model.h"

// Elements common to all stages.

namespace vitrine {

namespace {

/// Minimum size of a stage's figure, in line heights of a caption: in a smaller window the stage scrolls.
constexpr float least_width = 36.5F, least_height = 21.5F;
constexpr float least_width_of_half = 27.5F, least_width_of_narrow_half = 20.5F;

const char* stage_key(Stage stage) {
    switch (stage) {
        case Stage::loading_model: return "waiting.model";
        case Stage::loading_image: return "waiting.image";
        case Stage::preprocessing: return "waiting.preprocessing";
        case Stage::running: return "waiting.running";
        case Stage::idle:
        case Stage::waiting: return "waiting.start";
    }
    return "";
}

constexpr float title_height = 40, sentence_top = 42;  // px at scale 1

/// Draws the optional title and caption of a bare figure; returns the rectangle that the figure fills. The caption
/// begins with the title unless the title is drawn above.
Rect bare_stage(const Frame& frame, const std::string& title, Rect all) {
    const FigureLook& look = frame.state().figure;
    const Theme& theme = frame.ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), frame.ui);
    if (look.title) {
        canvas.text({all.x0, all.y0}, fitted(canvas, title, Font::title, all.width()),
                    {Font::title, theme.palette.text, Align::left});
        const float end = std::min(all.x0 + canvas.measure(title, Font::title).x, all.x1);
        frame.ui.probe.mark("stage.heading", {all.x0, all.y0, end, all.y0 + theme.px(title_height)}, 0, title);
        all.y0 += theme.px(title_height + 12);
    }
    const bool words_below = look.caption && frame.shown().result;
    const std::string caption = words_below ? figure_caption(frame, look.title ? std::string() : title) : std::string();
    if (caption.empty()) return all;
    const RichText words{caption, Font::caption, theme.palette.muted, Align::left};
    const float height = measure_rich(canvas, words, all.width()).y;
    rich_text(canvas, frame.ui, {all.x0, all.y1 - height, all.x1, all.y1}, words);
    return {all.x0, all.y0, all.x1, all.y1 - height - theme.px(12)};
}

}  // namespace

Rect stage_heading(const Frame& frame, const std::string& usual, const std::string& sentence, float beside) {
    const std::string title = heading_in_sight(frame, usual);
    const Theme& theme = frame.ui.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos(), seen = ImGui::GetContentRegionAvail();
    const float line = measure_text(theme, "", Font::caption).y;
    const bool two = frame.other != nullptr;
    const auto narrow = answers_of(frame.state().room).around.narrow;
    const bool fits_half = narrow != nullptr && narrow(frame);
    const float least_of_half = (fits_half ? least_width_of_narrow_half : least_width_of_half) * line;
    const float least = fits_half ? least_of_half : least_width * line;
    const float right = at.x + std::max(seen.x, two ? 2 * least_of_half + theme.px(gap_of_halves) : least);
    if (frame.ui.bare) return bare_stage(frame, title, {at.x, at.y, right, at.y + seen.y});
    WindowCanvas canvas(ImGui::GetWindowDrawList(), frame.ui);
    canvas.text({at.x, at.y}, fitted(canvas, title, Font::title, seen.x - beside),
                {Font::title, theme.palette.text, Align::left});
    const Rect row{at.x, at.y, at.x + seen.x - beside, at.y + theme.px(title_height)};
    const float end = std::min(at.x + canvas.measure(title, Font::title).x, row.x1);
    frame.ui.probe.mark("stage.heading", {row.x0, row.y0, end, row.y1}, 0, title);
    frame.panel.drafts.heading_free = {end, row.y0, row.x1, row.y1};
    const Rect words{at.x, at.y + theme.px(sentence_top), at.x + seen.x - beside, at.y + theme.px(120)};
    const RichText told{sentence, Font::body, theme.palette.muted, Align::left};
    const float height = frame.state().lecture.on
                             ? rich_text(canvas, frame.ui, words, told)
                             : linked_words(frame.ui, words, {"stage", told, false}, frame.commands());
    frame.ui.probe.mark("stage.sentence", {words.x0, words.y0, words.x1, words.y0 + height}, 0, sentence);
    // Lecturers do not scroll, so in a lecture figures may have a little less height.
    const float share = frame.state().lecture.on && !two ? 0.92F : 1.0F;
    const float needed = share * least_height * line + (two ? theme.px(line_of_halves) : 0);
    const Rect figure{at.x, words.y0 + height, right, std::max(at.y + seen.y, words.y0 + height + needed)};
    ImGui::Dummy({figure.width(), figure.y1 - at.y - 1});
    ImGui::SetCursorScreenPos(at);
    return figure;
}

bool progress_beside_title(const Frame& frame, const Waiting& waiting) {
    const Ui& ui = frame.ui;
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    Rect& free = frame.panel.drafts.heading_free;
    const float gap = ui.theme.px(20), beside_title = free.width() - gap;
    const bool fits = beside_title >= ui.theme.px(200);
    const float width = std::min(ui.theme.px(420), fits ? beside_title : size.x - 2 * gap),
                height = ui.theme.px(fits ? 40.0F : 64.0F);
    ImGui::SetCursorScreenPos(
        {(fits ? free.x1 : low.x + size.x - gap) - width, fits ? free.y0 : low.y + size.y - height - ui.theme.px(4)});
    begin_child({waiting.id.c_str(), width, height, !fits, !fits, 0});
    const bool cancelled = progress_bar(ui, waiting);
    ImGui::EndChild();
    if (fits) free.x1 -= width + gap;
    return cancelled;
}

void draw_waiting(const Frame& frame) {
    const Ui& ui = frame.ui;
    const bool visible = frame.other == nullptr || frame.workspace.shown.activity.stage != Stage::idle;
    const Workspace& workspace = visible ? frame.workspace : frame.other->workspace;
    const Activity& activity = workspace.shown.activity;
    const bool first = !workspace.shown.result;
    const bool streams = workspace.experiment.image.frame && activity.stage != Stage::loading_model;
    if (streams || activity.stage == Stage::idle || (!first && activity.seconds < wait_before_progress)) return;
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Experiment& opened = workspace.experiment;
    const bool from_files = !opened.model.path.empty() || !opened.image.path.empty();  // bundled ones open at once
    const Waiting waiting{"waiting", ui.text(stage_key(activity.stage)), static_cast<float>(activity.fraction),
                          first && !from_files ? "" : ui.text("waiting.cancel"), frame.state().settings.motion};
    bool cancelled = false;
    // The picture stays valid while a chapter's extra results are computed: nothing covers it.
    if (!first && workspace.shown.result->experiment == workspace.experiment) {
        cancelled = progress_beside_title(frame, waiting);
    } else {
        canvas.fill({low.x, low.y, low.x + size.x, low.y + size.y}, ui.theme.palette.panel.with_alpha(0.6F));
        const float width = std::min(ui.theme.px(520), size.x * 0.8F), height = ui.theme.px(110);
        ImGui::SetCursorScreenPos({low.x + (size.x - width) / 2, low.y + (size.y - height) / 2});
        begin_child({"waiting", width, height, true, true, 0});
        cancelled = progress_bar(ui, waiting);
        ImGui::EndChild();
    }
    if (!cancelled) return;
    if (!visible) frame.commands().add("beside.other");
    frame.commands().add("cancel");
}

namespace {

/// The values of a pattern's placeholders in a sentence, by name: {"file": "cat.png"} for the pattern "{file} is empty"
/// and the sentence "cat.png is empty". None if the sentence does not match the pattern.
std::optional<std::map<std::string, std::string>> values_in(std::string_view sentence, std::string_view pattern) {
    std::map<std::string, std::string> values;
    while (!pattern.empty()) {
        const std::size_t begin = std::min(pattern.find('{'), pattern.size());
        if (!sentence.starts_with(pattern.substr(0, begin))) return std::nullopt;
        sentence.remove_prefix(begin);
        pattern.remove_prefix(begin);
        if (pattern.empty()) break;
        const std::size_t end = pattern.find('}'), next = std::min(pattern.find('{', end), pattern.size());
        const std::string_view after = pattern.substr(end + 1, next - end - 1);
        const std::size_t length = after.empty() ? sentence.size() : sentence.find(after);
        if (length == std::string_view::npos) return std::nullopt;
        values[std::string(pattern.substr(1, end - 1))] = sentence.substr(0, length);
        sentence.remove_prefix(length);
        pattern.remove_prefix(end + 1);
    }
    return sentence.empty() ? std::optional(values) : std::nullopt;
}

}  // namespace

std::string translated_error(const Frame& frame, const std::string& sentence) {
    const std::string prefix = "failure.";
    const auto& table = frame.english.table();
    for (auto row = table.lower_bound(prefix); row != table.end() && row->first.starts_with(prefix); ++row)
        if (const auto values = values_in(sentence, row->second)) {
            std::string told = frame.ui.text(row->first);
            for (const auto& [name, value] : *values)
                if (const std::size_t at = told.find("{" + name + "}"); at != std::string::npos)
                    told.replace(at, name.size() + 2, value);
            return told;
        }
    return sentence;
}

void draw_waiting_zone(const Frame& frame, const std::string& id) {
    const Ui& ui = frame.ui;
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const Rect zone{low.x, low.y, low.x + size.x, low.y + size.y};
    WindowCanvas(ImGui::GetWindowDrawList(), ui)
        .text(zone.centre(), ui.text("lab.measuring"), {Font::body, ui.theme.palette.muted, Align::centre});
    ui.probe.mark("waiting." + id, zone);
    if (id != "zone.stage") return;
    draw_error(frame);
    draw_waiting(frame);
}

void draw_error(const Frame& frame) {
    if (frame.state().dialog.empty()) show_error(frame);
}

void show_error(const Frame& frame) {
    // The lower end of the card: an open dialog begins below it, so that both can be read and clicked.
    Kept<float> below("error.below");
    if (frame.state().error.empty()) {
        below = 0;
        return;
    }
    const Ui& ui = frame.ui;
    const std::string error = translated_error(frame, frame.state().error);
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const float width = std::min(ui.theme.px(760), size.x - ui.theme.px(60)),
                top = ui.theme.px(frame.state().dialog.empty() ? 80 : 12),
                height = below > 0 ? below - top : ui.theme.px(190);
    ImGui::SetCursorScreenPos({low.x + (size.x - width) / 2, low.y + top});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32(0, 0, 0, 0));
    begin_child({"error.frame", width, height, false, true, ImGuiWindowFlags_NoScrollbar});
    ImGui::PopStyleColor();
    if (error_card(ui, {"error", ui.text("error.title"), error, {}, ui.text("error.dismiss")}) != CardClick::none)
        frame.commands().add("dismiss");
    const float needed = ImGui::GetCursorPosY() + ImGui::GetStyle().WindowPadding.y;
    ImGui::EndChild();
    below = top + needed;
}

}  // namespace vitrine
