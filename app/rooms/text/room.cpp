#include "app/rooms/text/room.h"

#include <imgui.h>

#include <algorithm>

#include "app/lecture/lecture.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/halves.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/state.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_difference.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/cards.h"
#include "app/workspace/text_request.h"
#include "app/workspace/text_result.h"
#include "app/workspace/workspace.h"
#include "core/training/text/text_score.h"

namespace vitrine {

namespace {

/// True if the result's model has the task of the open chapter; the chapter cannot draw any other result.
bool fits_chapter(const Frame& frame) {
    const TextShown& shown = frame.workspace.text;
    return shown.result && shown.result->request.task == frame.text().task();
}

/// Draws the model's output at the lower edge, for a lecture, which hides the panel; returns the rectangle above it.
Rect draw_output_below(const Frame& frame, const TextResult& now, Rect area) {
    const Ui& ui = frame.ui;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const std::string said =
        ui.text("text.says." + std::string(name_of(now.model->task))) + ":  " + output_text(ui, now, now.run);
    const std::vector<std::string> otherwise = differing_words(ui, now);
    const auto font_of = [&](const std::string& words, Font usual) {  // a smaller font rather than a second line
        return canvas.measure(words, usual).x <= area.width() ? usual : Font::caption;
    };
    std::vector<RichText> lines = {{said, font_of(said, Font::strong), ui.theme.palette.text, Align::left}};
    for (const std::string& words : otherwise)
        lines.push_back({words, font_of(words, Font::body), ui.theme.palette.muted, Align::left});
    if (!now.familiarity.unknown.empty()) {  // a lecture hides the panel with the warnings
        const std::string warning = sureness_of(ui, now).warnings.front();
        lines.push_back({warning, font_of(warning, Font::body), ui.theme.palette.danger, Align::left});
    }
    const auto height_of = [&](const RichText& words) {
        return measure_rich(canvas, words, area.width()).y + ui.theme.px(4);
    };
    for (const RichText& words : lines) area.y1 -= height_of(words);
    float y = area.y1;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Rect place{area.x0, y, area.x1, y + height_of(lines[i])};
        rich_text(canvas, ui, place, lines[i]);
        ui.probe.mark(i == 0 ? "lecture.said" : "lecture.said." + std::to_string(i - 1), place, 0, lines[i].markup);
        y = place.y1;
    }
    area.y1 -= ui.theme.px(10);
    return area;
}

/// Draws the differences A − B of the numbers of two runs side by side.
void draw_difference(const Frame& left, const Frame& right, Rect area) {
    const auto run_of = [](const Frame& half) {
        const TextResult* const run = half.workspace.text.result.get();
        const bool there = run != nullptr && fits_chapter(half) && !run->empty() &&
                           has_shown_measures(*run, half.selection.focus.text);
        return there ? run : nullptr;
    };
    const TextResult *const a = run_of(left), *const b = run_of(right);
    if (a == nullptr || b == nullptr) return;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), left.ui);
    draw_text_difference({left.ui, {*a, left.selection}, {*b, right.selection}}, canvas, area);
}

/// Draws the progress of measuring, in the middle of the area of the figure to come.
void draw_measuring(const Frame& half, Rect area) {
    const TextShown& text = half.workspace.text;
    if (!text.measuring || text.seconds < wait_before_progress) return;
    const Ui& ui = half.ui;
    const float width = std::min(ui.theme.px(420), area.width() * 0.6F), height = ui.theme.px(60);
    ImGui::SetCursorScreenPos({area.centre().x - width / 2, area.centre().y - height / 2});
    begin_child({"text.measuring", width, height, true, true, 0});
    progress_bar(ui, {"text.measuring", ui.text("lab.measuring"), static_cast<float>(text.fraction)});
    ImGui::EndChild();
}

/// Draws the title, sentence and figure of an instrument, with its caveat below.
void draw_instrument(const Frame& frame) {
    const Ui& ui = frame.ui;
    const TextLook& look = frame.selection.focus.text;
    const TextInstrument instrument = look.lab.instrument;
    Rect area =
        stage_heading(frame, instrument_text(ui, instrument, "title"), instrument_text(ui, instrument, "sentence"));
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const std::string words = ui.bare ? "" : instrument_text(ui, instrument, "not");
    const RichText caveat{words, Font::caption, ui.theme.palette.muted, Align::left};
    const float foot = ui.bare ? 0 : measure_rich(canvas, caveat, area.width()).y;
    rich_text(canvas, ui, {area.x0, area.y1 - foot, area.x1, area.y1}, caveat);
    area.y0 += ui.theme.px(16);
    area.y1 -= foot + ui.theme.px(10);
    const auto draw_run = [&](const Frame& half, Rect place, const OtherRun*) {
        const TextResult* const run = half.workspace.text.result.get();
        if (run != nullptr && fits_chapter(half) && !run->empty() && has_shown_measures(*run, look))
            instrument_of(look).view({half.ui, half, *run, canvas, place, half.selection});
        draw_measuring(half, place);
    };
    draw_halves(frame, area, draw_run, draw_difference);
}

/// Draws the figure of a chapter for one text.
void draw_figure(const Frame& half, Rect area, const OtherRun*) {
    const TextResult* const now = half.workspace.text.result.get();
    if (now == nullptr || !fits_chapter(half)) return;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), half.ui);
    if (now->empty()) {
        ImGui::SetCursorScreenPos({area.x0, area.y0});
        empty_card(half.ui, {"text.empty", half.ui.text("text.empty"), half.ui.text("text.empty_words"), {}, {}});
    } else {
        chapter_of(half.selection.focus.text).own.view({half.ui, half, *now, canvas, area, half.selection});
    }
}

void draw_chapter(const Frame& frame) {
    const Ui& ui = frame.ui;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const TextLook& look = frame.selection.focus.text;
    const TextResult* const now = frame.workspace.text.result.get();
    const Lecture& lecture = frame.state().lecture;
    const bool lectures = lecture.on && lecture.slide == 1.0F;
    const bool beside = lectures && frame.workspace.text_to_explain(frame.text_experiment, look.chapter) != nullptr;
    const TextChapterRow& chapter = chapter_of(look);
    EquationBeside equation;
    if (beside && lecture.alone == Alone::nothing) {
        const TextTold told{ui, *now, frame.selection, frame.workspace, frame.text_experiment};
        equation = equation_beside_title(ui, frame.selection, formula_of(told),
                                         {at.x, at.y, at.x + room.x, at.y + room.y}, 0.30F);
        if (const std::string changed = words_of_changed_equation(told); !changed.empty()) {
            equation.words += "\n{negative|" + changed + "}";
            ui.probe.mark("stage.equation_changed", {at.x, at.y, at.x + room.x, at.y}, 0, changed);
        }
    }
    Rect area = stage_heading(frame, ui.text(key_of(chapter, "title")),
                              ui.text(sentence_key(chapter, frame.text_experiment)) + equation.words, equation.width);
    area.y0 = std::max(area.y0 + ui.theme.px(16), at.y + equation.height + ui.theme.px(8));
    if (beside) area = draw_output_below(frame, *now, area);
    draw_halves(frame, area, draw_figure, draw_difference);
}

void draw_text_stage(const Frame& frame) {
    const Ui& ui = frame.ui;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const TextLook& look = frame.selection.focus.text;
    ui.probe.mark("stage", {at.x, at.y, at.x + room.x, at.y + room.y},
                  look.lab.open ? place_of(look.lab.instrument) : place_of(look.chapter));
    const TextResult* const now = frame.workspace.text.result.get();
    if (look.lab.open && now != nullptr && fits_chapter(frame) && !now->empty())
        draw_instrument(frame);
    else
        draw_chapter(frame);
    draw_error(frame);
    const bool other = frame.other == nullptr || shows_text(frame.other->workspace);
    if (other && shows_text(frame.workspace)) ui.probe.mark("status.idle", {at.x, at.y, at.x + 1, at.y + 1});
}

/// The left side: text input above, map of the model below.
void draw_text_side(const Frame& frame) {
    text_input(frame);
    ImGui::Dummy({1, frame.ui.theme.px(2)});
    begin_child({"text.map.scroll", 0, 0, false, false, 0});
    text_map(frame);
    ImGui::EndChild();
}

std::vector<Zone> text_zones(const Frame& frame) {
    const Layout& at = frame.layout;
    return {{"zone.map", at.map, draw_text_side, 14, 12},
            {"zone.stage", at.stage, draw_text_stage},
            {"zone.explanation", at.explanation, text_panel},
            {"zone.bottom", at.bottom(), text_strip, 16, 8}};
}

}  // namespace

Room text_room() {
    return {.id = "text", .key = Key::f8, .zones = text_zones, .commands = text_commands, .answers = text_answers};
}

}  // namespace vitrine
