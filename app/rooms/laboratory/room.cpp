#include "app/rooms/laboratory/room.h"

#include <imgui.h>

#include <algorithm>

#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/rooms/explore/room.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/lab_difference.h"
#include "app/rooms/laboratory/laboratory_panel.h"
#include "app/rooms/panels/halves.h"
#include "app/rooms/panels/linked_words.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/words_measured.h"
#include "app/workspace/workspace.h"

namespace vitrine {

namespace {

const Measured* measured_in_view(const Frame& frame) {
    const Workspace& w = frame.workspace;
    return w.measured && w.measured->of->model == w.shown.result->model ? w.measured.get() : nullptr;
}

/// Draws the map with the instrument's step highlighted; a click on a chapter goes there.
void draw_map(const Frame& frame) {
    int& step = frame.selection.focus.step;
    const int before = step, here = step_index(row_of(frame.selection.focus.lab.instrument).step);
    step = here;
    const int block = frame.selection.focus.block;
    const bool clicked = map_panel(frame.ui, *frame.shown().result, frame.selection, frame.what_ifs);
    if (step == here && !clicked) step = before;
    if (clicked && step == before)
        frame.commands().add(command::GoToChapter{std::string(step_at(frame.selection.focus).id)});
    if (frame.selection.focus.block != block && frame.selection.focus.lab.instrument == Instrument::tokens)
        frame.selection.focus.lab.level = -1;  // shows the block's level again
}

/// Draws the progress of measuring beside the title, or below the picture if the title leaves no room. Dims the old
/// picture, unless it is updated meanwhile.
void draw_measuring(const Frame& frame) {
    const bool beside = frame.other != nullptr && !frame.workspace.measuring.running;
    const auto& measuring = beside ? frame.other->workspace.measuring : frame.workspace.measuring;
    const bool streams = !frame.workspace.experiment.image.lasts();  // the old picture stays
    if (streams || !measuring.running || measuring.seconds < wait_before_progress) return;
    const Ui& ui = frame.ui;
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (!grows_while_measured(frame.selection.focus.lab)) {
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        canvas.fill({low.x, frame.panel.drafts.heading_free.y1, low.x + size.x, low.y + size.y},
                    ui.theme.palette.panel.with_alpha(0.6F));
    }
    if (progress_beside_title(frame, {"measuring", ui.text("lab.measuring"), static_cast<float>(measuring.fraction),
                                      ui.text("waiting.cancel")}))
        frame.commands().add("laboratory.cancel");
}

/// The differences A − B of the instrument's numbers in two runs side by side.
void draw_difference(const Frame& left, const Frame& right, Rect area) {
    const Measured *const a = measured_in_view(left), *const b = measured_in_view(right);
    if (a == nullptr || b == nullptr) return;
    const Frame& visible = left.other != nullptr ? left : right;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), left.ui);
    const OtherRun other{*b->of, right.selection};
    const Scene scene{visible.ui, *a->of, canvas, area, 1.0F, &other};
    const bool running = left.workspace.measuring.running || right.workspace.measuring.running;
    draw_lab_difference({visible.ui,
                         scene,
                         {*a->of, *a, left.selection.focus},
                         {*b->of, *b, right.selection.focus},
                         visible.selection,
                         running},
                        canvas, area);
}

/// True if the words instrument cannot compare the only run in view with texts; sentence and caveat are then hidden.
bool refuses_texts(const Frame& frame) {
    const auto refuses = [](const Frame& half) {
        const Measured* const measured = measured_in_view(half);
        return measured != nullptr && measured->words && !measured->words->refused.empty();
    };
    const bool shown = frame.selection.focus.lab.instrument == Instrument::words;
    return shown && refuses(frame) && frame.other == nullptr;
}

void draw_stage(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Laboratory& lab = frame.selection.focus.lab;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    ui.probe.mark("stage", {at.x, at.y, at.x + room.x, at.y + room.y}, place_of(lab.instrument));
    const Config& config = frame.shown().result->model->config;
    const bool refused = refuses_texts(frame);
    Rect area = stage_heading(frame, ui.text(title_key(lab)),
                              refused ? "" : ui.text(key_for(ui.text, sentence_key(lab), config)));
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const std::string words = ui.bare || refused ? "" : ui.text(not_key(ui.text, lab));
    const RichText is_not{words, Font::caption, ui.theme.palette.muted, Align::left};
    const float foot = ui.bare ? 0 : measure_rich(canvas, is_not, area.width()).y;
    linked_words(ui, {area.x0, area.y1 - foot, area.x1, area.y1}, {"is_not", is_not, false}, frame.commands());
    area.y0 += ui.theme.px(16);
    area.y1 -= foot + ui.theme.px(10);
    std::string asked;
    const auto draw_instrument = [&](const Frame& half, Rect place, const OtherRun* other) {
        const Measured* const measured = measured_in_view(half);
        if (measured == nullptr) return;
        const Scene scene{half.ui, *measured->of, canvas, place, 1.0F, other, half.state().lecture.on};
        instrument_view({scene, *measured, half.workspace.measuring.running, asked, half.workspace.as_left},
                        half.selection, half.what_ifs);
    };
    draw_halves(frame, area, draw_instrument, draw_difference);
    if (!asked.empty()) frame.commands().add(asked.c_str());
    draw_error(frame);
    draw_waiting(frame);
    draw_measuring(frame);
    const auto is_current = [](const Workspace& each) {
        return each.shown.activity.stage == Stage::idle && !each.measuring.running && each.measured &&
               each.measured->of->experiment == each.experiment;
    };
    if (is_current(frame.workspace) && (frame.other == nullptr || is_current(frame.other->workspace)))
        ui.probe.mark("status.idle", {at.x, at.y, at.x + 1, at.y + 1});
}

void draw_panel(const Frame& frame) { laboratory_panel(frame, measured_in_view(frame)); }

void draw_bottom(const Frame& frame) {
    begin_child({"tokens", 0, frame.ui.theme.px(56), false, false, 0});
    token_strip(frame.ui, *frame.shown().result, frame.selection, frame.what_ifs);
    ImGui::EndChild();
    laboratory_tabs(frame.ui, frame.selection.focus.lab);
}

std::vector<Zone> zones(const Frame& frame) {
    const Layout& at = frame.layout;
    if (!frame.shown().result) return explore_zones(frame);
    return {{"zone.map", at.map, draw_map, 14, 12, false},
            {"zone.stage", at.stage, draw_stage},
            {"zone.explanation", at.explanation, draw_panel},
            {"zone.bottom", at.bottom(), draw_bottom, 0, 0, false}};
}

}  // namespace

Room laboratory_room() {
    return {.id = "laboratory",
            .key = Key::f3,
            .zones = zones,
            .commands = laboratory_commands,
            .answers = laboratory_answers};
}

}  // namespace vitrine
