#include "app/rooms/explore/room.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/chapters/changed_sentence.h"
#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/lecture/lecture.h"
#include "app/rooms/explore/first_minute.h"
#include "app/rooms/explore/panels/explore_panels.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/chapter_parts.h"
#include "app/rooms/panels/halves.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"
#include "app/workspace/motion.h"
#include "app/workspace/settings.h"
#include "app/workspace/workspace.h"

namespace vitrine {

namespace {

/// Marks a text that is not a button.
Hit note(const Ui& ui, Rect box, const std::string& words) {
    const ImVec2 before = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({box.x0, box.y0});
    ImGui::Dummy({box.width(), box.height()});
    ui.probe.mark_item("stage.hint", 0, words);
    ImGui::SetCursorScreenPos(before);
    return {};
}

/// Least width of a notice in the title's line; a hint with less room beside the notice is hidden. In px at scale 1.
constexpr float room_of_notice = 260;

/// True while a click on a patch is a guess.
bool guesses(const Frame& frame, const Step& step) { return step.own.guesses_patch && frame.selection.guess().open; }

/// Draws a prominent hint: a button that plays the animation, or else a note on what to do in the chapter. Returns its
/// left edge; none if there is no room.
std::optional<float> hint(const Frame& frame, const Step& step, float left, Point right_end) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const bool waits = step.own.moves && frame.motion.time == 0.0F && !frame.motion.playing;
    const std::string& words =
        ui.text(waits                  ? "time.waits"
                : guesses(frame, step) ? "guess.hint"
                                       : key_for(ui.text, key_of_aspect(step, "hint", frame.selection.focus),
                                                 frame.shown().result->model->config));
    const float pad = theme.px(12), icon = theme.px(14), height = theme.px(34);
    const float width = canvas.measure(words, Font::body).x + 2 * pad + icon + theme.px(8);
    const Rect box{right_end.x - width, right_end.y, right_end.x, right_end.y + height};
    const bool gives_way = !waits && !frame.state().notice.empty();
    if (box.x0 < left + theme.px(gives_way ? 20 + room_of_notice : 20)) return std::nullopt;
    const Hit hit = waits ? hot_area(ui, "stage.hint", box, words) : note(ui, box, words);
    tooltip(ui, ui.text("hints.tip"), frame.key_of("setting.hints"));
    const float round = waits ? height / 2 : 0;
    canvas.fill(box, theme.palette.accent.with_alpha(hit.at ? 0.26F : 0.14F), round);
    if (waits)
        canvas.stroke(box, theme.palette.accent, theme.px(1), round);
    else
        canvas.fill({box.x0, box.y0, box.x0 + theme.px(3), box.y1}, theme.palette.accent);
    draw_icon(canvas, waits ? Icon::play : Icon::pointer, {box.x0 + pad + icon / 2, box.centre().y}, icon,
              theme.palette.accent);
    canvas.text({box.x0 + pad + icon + theme.px(8), box.y0 + (height - canvas.measure("", Font::body).y) / 2}, words,
                {Font::body, theme.palette.text, Align::left});
    if (hit.clicked && waits) frame.commands().add("play");
    return box.x0;
}

/// The free part of the title's line: left and right end.
struct BesideTitle {
    float from = 0, to = 0;
};

/// Draws the step's English name next to a translated one and, at the right, the hint or the duration of the run.
/// Returns the free part between them.
BesideTitle heading_beside(const Frame& frame, const Step& step, ImVec2 at, float width) {
    const Ui& ui = frame.ui;
    const float right = at.x + width;
    if (ui.bare) return {at.x, right};
    const Settings& settings = frame.state().settings;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const std::string key = key_for(ui.text, key_of(step, "title"), frame.shown().result->model->config);
    const std::string usual = ui.text(key), title = heading_in_sight(frame, usual);
    float left = at.x + canvas.measure(title, Font::title).x;
    if (title == usual && settings.language != "en" && settings.english_terms) {
        const std::string& english = frame.english(key);
        left += ui.theme.px(14);
        canvas.text({left, at.y + ui.theme.px(9)}, english, {Font::body, ui.theme.palette.muted, Align::left});
        left += canvas.measure(english, Font::body).x;
    }
    if (frame.state().lecture.on) return {left, right};
    const bool waits = step.own.moves && frame.motion.waits;
    const bool guided = lacks_text_tower(frame) || shows_first_minute(frame);  // their own words say what to do
    const float margin = ui.theme.px(14);
    if (!waits && settings.hints && !guided)
        if (const std::optional<float> edge = hint(frame, step, left, {right, at.y})) return {left, *edge - margin};
    if (width <= ui.theme.px(700)) return {left, right};
    const std::string times =
        waits ? ui.text("time.waits")
              : ui.text("stage.times", {{"forward", number_text(frame.shown().result->forward_ms)}});
    const Palette& palette = ui.theme.palette;
    const bool roomy = left + margin + canvas.measure(times, Font::strong).x <= right;
    const TextStyle style = {waits && roomy ? Font::strong : Font::caption, waits ? palette.accent : palette.muted,
                             Align::right};
    const float end = right - canvas.measure(times, style.font).x - margin;
    if (!frame.state().notice.empty() && end < left + ui.theme.px(room_of_notice)) return {left, right};
    canvas.text({right, at.y + ui.theme.px(8)}, times, style);
    return {left, end};
}

/// Draws the figure of the chosen step for one run.
void draw_figure(const Frame& half, Rect area, const OtherRun* other) {
    const Ui& ui = half.ui;
    const Result& now = *half.shown().result;
    const Step& step = step_at(half.selection.focus);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    if (!now.has(step.own.beside)) {
        canvas.text(area.centre(), ui.text("lab.measuring"), {Font::body, ui.theme.palette.muted, Align::centre});
        return;
    }
    drawing_of(step.id).view({ui, now, canvas, area, half.motion.time, other, half.state().lecture.on}, half.selection,
                             half.what_ifs);
}

/// Draws the difference A − B of the step's numbers in two runs side by side.
void draw_difference(const Frame& left, const Frame& right, Rect area) {
    const Frame& visible = left.other != nullptr ? left : right;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), left.ui);
    const OtherRun other{*right.shown().result, right.selection};
    difference_view({visible.ui, *left.shown().result, canvas, area, 1.0F, &other}, left.selection.focus,
                    visible.selection);
}

/// Draws title, sentence and figure of the chosen step; in a lecture also its equation.
void draw_step(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Result& now = *frame.shown().result;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Step& step = step_at(frame.selection.focus);
    const Lecture& lecture = frame.state().lecture;
    const bool beside =
        lecture.on && lecture.slide == 1.0F && lecture.alone == Alone::nothing;  // once the panel is gone
    const BesideTitle beside_title = heading_beside(frame, step, at, room.x);
    const EquationBeside equation =
        beside ? equation_beside_title(ui, frame.selection, formula_of(ui, step, now, frame.selection.focus),
                                       {at.x, at.y, at.x + room.x, at.y + room.y}, 0.36F)
               : EquationBeside();
    const auto words_of = [&](const std::string& key) { return ui.text(key_for(ui.text, key, now.model->config)); };
    const std::string changed = beside ? words_of_changed_equation(ui, step, now, frame.selection.focus.block) : "";
    const std::string below = equation.words + (changed.empty() ? "" : "\n{negative|" + changed + "}");
    const std::string usual = words_of(key_of(step, "sentence")) + below,
                      sentence =
                          words_of(key_of_sentence(now.model->config, now.experiment.what_ifs, frame.selection.focus) +
                                   (guesses(frame, step) ? "_guess" : "")) +
                          below;
    if (!changed.empty()) ui.probe.mark("stage.equation_changed", {at.x, at.y, at.x + room.x, at.y}, 0, changed);
    Rect area = stage_heading(frame, words_of(key_of(step, "title")), sentence, equation.width);
    Rect& free_in_heading = frame.panel.drafts.heading_free;
    free_in_heading.x0 = std::max(free_in_heading.x0, beside_title.from);
    free_in_heading.x1 = std::min(free_in_heading.x1, beside_title.to);
    area.y0 += ui.theme.px(18);
    if (sentence != usual && !ui.bare) {  // a shorter sentence keeps the usual one's lines, so that no switch moves
        const WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        const auto lines = [&](const std::string& words) {
            return measure_rich(canvas, {words, Font::body, {}, Align::left}, room.x - equation.width).y;
        };
        area.y0 += std::max(0.0F, lines(usual) - lines(sentence));
    }
    if (equation.height > ui.theme.px(80)) area.y0 = std::max(area.y0, at.y + equation.height + ui.theme.px(8));
    const bool free = now.has(step.own.beside) && !lecture.on && !ui.bare;
    if (frame.selection.brush.on && step.own.painted && free) area.y0 += brush_row(frame, area);
    if (StepRow* const row = drawing_of(step.id).row; row != nullptr && free && frame.other == nullptr)
        area.y0 += row(frame, area);
    if (free && lacks_text_tower(frame) && frame.other == nullptr) get_model_row(frame, area);
    draw_halves(frame, area, draw_figure, draw_difference);
}

void draw_stage(const Frame& frame) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    Probe& probe = frame.ui.probe;
    probe.mark("stage", {at.x, at.y, at.x + room.x, at.y + room.y}, frame.selection.focus.step);
    if (frame.shown().result) draw_step(frame);
    draw_error(frame);
    draw_waiting(frame);
    const auto is_ready = [](const Frame& half) {
        const Snapshot& shown = half.shown();
        return shown.result && shown.activity.stage == Stage::idle &&
               shown.result->experiment == half.workspace.experiment;
    };
    if (is_ready(frame) && (frame.other == nullptr || is_ready(*frame.other)))
        probe.mark("status.idle", {at.x, at.y, at.x + 1, at.y + 1});
}

void draw_map(const Frame& frame) { map_panel(frame.ui, *frame.shown().result, frame.selection, frame.what_ifs); }

void draw_bottom(const Frame& frame) {
    begin_child({"tokens", 0, frame.ui.theme.px(56), false, false, 0});
    token_strip(frame.ui, *frame.shown().result, frame.selection, frame.what_ifs);
    ImGui::EndChild();
    time_line(frame);
}

}  // namespace

std::vector<Zone> explore_zones(const Frame& frame) {
    const Layout& at = frame.layout;
    if (!frame.shown().result) return {{"zone.stage", at.stage, draw_stage}};
    const bool guides = shows_first_minute(frame);
    const Zone bottom = guides ? Zone{"zone.first_minute", at.bottom(), first_minute_strip, 0, 0, false}
                               : Zone{"zone.bottom", at.bottom(), draw_bottom, 0, 0, false};
    return {{"zone.map", at.map, draw_map, 14, 12, false},
            {"zone.stage", at.stage, draw_stage},
            {"zone.explanation", at.explanation, explanation_panel},
            bottom};
}

Room explore_room() {
    return {.id = "explore",
            .key = Key::f2,
            .zones = explore_zones,
            .commands = explore_commands,
            .answers = explore_answers};
}

}  // namespace vitrine
