#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/frame/layout.h"
#include "app/frame/shell.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/panels/dialog_title.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/text/chapter.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/recent.h"
#include "app/workspace/text_result.h"

// What the window notices by itself: what was done, which question is answered, what was opened.

namespace vitrine {

namespace {

/// What was done, in a box as large as its words in the middle of a place that has room for them.
void draw_box(const Ui& ui, const std::string& notice, Rect place, Font font, Align align = Align::centre) {
    const Theme& theme = ui.theme;
    const Point margin{theme.px(12), theme.px(font == Font::body ? 8.0F : 3.0F)};
    const RichText words{notice, font, theme.palette.text, Align::left};
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Point needed = measure_rich(canvas, words, place.width() - 2 * margin.x);
    const float left = align == Align::left ? place.x0 + margin.x : place.centre().x - needed.x / 2;
    const Point at{std::round(left), std::round(place.centre().y - needed.y / 2)};
    const Rect box{at.x - margin.x, at.y - margin.y, at.x + needed.x + margin.x, at.y + needed.y + margin.y};
    canvas.fill(box, theme.palette.raised, theme.px(8));
    canvas.stroke(box, theme.palette.accent, theme.px(2), theme.px(8));
    rich_text(canvas, ui, {at.x, at.y, at.x + needed.x + 1, at.y + needed.y}, words);
    ui.probe.mark("notice", box, 0, notice);
}

bool in_dialog_layer() {
    const ImGuiWindow* const veil = ImGui::FindWindowByName("dialog.veil");
    return veil != nullptr && veil->Active;
}

}  // namespace

/// What was done, for a moment: in the heading of the stage or under it, or in the title's line of a dialog.
void Shell::draw_notice() {
    State& state = context_.state;
    if (state.notice.empty()) return;
    const bool told_there = state.dialog == "take_away" && state.notice == state.told;  // by the dialog itself
    if (told_there || ImGui::GetTime() >= state.notice_until) return state.notice.clear();
    const Ui with = ui();
    glyphs_.see(state.notice);
    constexpr int quiet = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground;
    if (!state.dialog.empty() && in_dialog_layer()) {
        begin_dialog_layer();
        const Rect place = free_in_title(context_.theme);
        ImGui::SetCursorScreenPos({place.x0, place.y0});
        begin_child({"notice", place.width(), place.height(), false, false, quiet});
        draw_box(with, state.notice, place, Font::caption);
        ImGui::EndChild();
        return end_dialog_layer();
    }
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const Point size{display.x, display.y};
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({size.x, size.y});
    ImGui::Begin("notice", nullptr, quiet | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    const Layout layout = layout_of(context_, size);
    const bool in_heading = notice_in_heading(state, context_.theme, layout.stage).has_value();
    draw_box(with, state.notice, notice_place(context_, layout), in_heading ? Font::caption : Font::body,
             in_heading ? Align::left : Align::centre);
    ImGui::End();
}

/// What undo or redo changed, since it may be out of sight; that only the view did, where it took no part back.
void Shell::notice_travel(const Moment& from) {
    if (context_.state.lecture.on) return;  // nothing lies over what is projected
    const Ui with = ui();
    const Moment to = workspace().moment({});
    const auto names = [&](const Moment& of, const Moment& without) {
        std::string all;
        for (const Intervention& i : of.experiment.what_ifs)
            if (!contains(without.experiment.what_ifs, i))
                all += (all.empty() ? "" : " · ") + intervention_name(with, workspace().config(), i);
        return all;
    };
    std::string words;
    const auto add = [&](const std::string& said) { words += (words.empty() ? "" : "\n") + said; };
    if (const std::string gone = names(from, to); !gone.empty()) add(with.text("travel.gone", {{"names", gone}}));
    if (const std::string back = names(to, from); !back.empty()) add(with.text("travel.back", {{"names", back}}));
    if (from.experiment.image != to.experiment.image) add(with.text("travel.image"));
    if (from.experiment.model != to.experiment.model) add(with.text("travel.model"));
    if (words.empty()) add(with.text("travel.view"));
    notify(context_, words);
}

/// The question of a step is answered when its learner has done something and what it asks for holds.
void Shell::notice_answer() {
    if (room_of(context_.state.room).reads) return notice_text_answer();
    const Workspace& now = workspace();
    const Step& step = curriculum()[static_cast<std::size_t>(now.selection.focus.step)];
    if (!now.shown.result || !now.shown.result->has(step.beside) || step.answered == nullptr ||
        now.entered.same_as(now.moment({})))
        return;
    const Settings& settings = context_.state.settings;
    if (settings.answered.contains(std::string(step.id))) return;
    Selection selection = now.selection;
    selection.clamp_to(now.shown.result->model->config);  // a command may name a block that this model has not
    if (!step.answered(*now.shown.result, selection, now.experiment.what_ifs)) return;
    Settings after = settings;
    after.answered.insert(std::string(step.id));
    commands_.add(command::ChangeSettings{changed_settings(settings, after)});
}

/// The same of a chapter of the Text room.
void Shell::notice_text_answer() {
    const Workspace& now = workspace();
    const TextLook& look = now.selection.focus.text;
    const TextChapterRow& row = chapter_of(look);
    const std::string id = "text." + std::string(name_of(row.chapter));
    const TextShown& shown = now.text;
    const bool there = shown.result && !shown.running && !shown.result->empty();
    if (!there || row.answered == nullptr || context_.state.settings.answered.contains(id)) return;
    if (shown.result->request.task != now.text_experiment.task_in(look.chapter) || now.entered.same_as(now.moment({})))
        return;
    if (!row.answered({*shown.result, now.text_experiment, look})) return;
    Settings after = context_.state.settings;
    after.answered.insert(id);
    commands_.add(command::ChangeSettings{changed_settings(context_.state.settings, after)});
}

/// A file that was opened and is there is one of the recent ones.
void Shell::notice_opened() {
    const auto& now = shown().result;
    if (!now || now == remembered_) return;
    const auto before = std::exchange(remembered_, now);
    const auto new_path = [&](const std::filesystem::path& path, const std::filesystem::path& old) {
        return !path.empty() && (!before || path != old);
    };
    const Settings& settings = context_.state.settings;
    Settings after = settings;
    const Experiment& e = now->experiment;
    if (new_path(e.image.path, before ? before->experiment.image.path : ""))
        remember(after, FileKind::image, e.image.path);
    if (new_path(e.model.path, before ? before->experiment.model.path : ""))
        remember(after, FileKind::model, e.model.path);
    if (after != settings) commands_.add(command::ChangeSettings{changed_settings(settings, after)});
}

}  // namespace vitrine
