#include "app/lecture/lessons_dialog.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/lecture/notes.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/message_words.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/shortened.h"

namespace vitrine {

namespace {

/// A lesson's title, number of stops and planned minutes; the source if the file cannot be read: choosing it reports
/// the error.
std::string words_of(const Ui& ui, const LessonRow& row, const std::string& title) {
    if (!row.lesson) return title;
    const float minutes = row.lesson->minutes();
    const int unplanned = row.lesson->unplanned();
    return ui.text(minutes <= 0    ? "lessons.row"
                   : unplanned > 0 ? "lessons.row_some"
                                   : "lessons.row_minutes",
                   {{"title", title},
                    {"count", std::to_string(row.lesson->stops.size())},
                    {"minutes", minutes_words(minutes)},
                    {"unplanned", std::to_string(unplanned)}});
}

/// The row of a lesson: it starts the lesson and writes its handouts; a user's own lesson can also be edited. One line:
/// a long title is shortened.
void lesson_row(const Frame& frame, const LessonRow& row, const std::string& id) {
    const Ui& ui = frame.ui;
    const Settings& settings = frame.state().settings;
    const bool chosen = settings.lesson == row.source;
    const float avail = ImGui::GetContentRegionAvail().x, spacing = ImGui::GetStyle().ItemSpacing.x;
    const auto width_of = [&](const std::string& words) {
        return std::ceil(measure_text(ui.theme, words, Font::body).x) + ui.theme.px(2 * 14);
    };
    const std::string title = row.lesson ? row.lesson->title_in(settings.language) : row.source,
                      for_class = ui.text("lessons.handout_short"), for_teacher = ui.text("lessons.for_teacher_short"),
                      edit = ui.text("lessons.edit");
    const bool can_edit = !row.bundled && row.lesson;
    const float buttons =
        width_of(for_class) + width_of(for_teacher) + 2 * spacing + (can_edit ? width_of(edit) + spacing : 0);
    const Font font = chosen ? Font::strong : Font::body;
    const float room = avail - buttons - ui.theme.px(2 * 14 + 16 + 8 + 1);  // without its edges and icon
    const auto fits = [&](const std::string& said) {
        return measure_text(ui.theme, words_of(ui, row, said), font).x <= room;
    };
    const std::string said = shortened(title, fits);
    const std::string tip =
        (said == title || !row.lesson ? "" : title + "\n") + (row.bundled ? ui.text("lessons.start_tip") : row.source);
    if (button(ui, {id, words_of(ui, row, said), tip, {}},
               {chosen ? Emphasis::primary : Emphasis::plain, Icon::play, avail - buttons, true}))
        frame.commands().add(command::OpenLesson{row.source});
    const bool can_write = row.lesson.has_value();
    const auto handout = [&](const char* part, const std::string& said, const char* all, bool answers) {
        const std::string told =
            ui.text(all) + ": " + ui.text(answers ? "lessons.for_teacher_tip" : "lessons.handout_tip");
        if (button(ui, {id + part, said, told, {}, can_write}))
            frame.commands().add(command::WriteHandout{row.source, answers});
    };
    ImGui::SameLine();
    handout(".handout", for_class, "lessons.handout", false);
    ImGui::SameLine();
    handout(".teacher", for_teacher, "lessons.for_teacher", true);
    if (!can_edit) return;
    ImGui::SameLine();
    if (button(ui, {id + ".edit", edit, ui.text("lessons.edit_tip"), {}})) {
        frame.commands().add(command::ChangeLesson{"open", 0, row.source});
        frame.commands().add(command::ShowDialog{"lesson"});
    }
}

/// Choice of the audience's monitor, if there are several.
void choose_monitor(const Frame& frame) {
    const Ui& ui = frame.ui;
    const std::vector<Monitor>& monitors = frame.state().monitors;
    if (monitors.size() < 2) return;
    std::string& wanted = frame.panel.settings.hall_monitor;
    std::vector<Control> choices = {{"monitor.any", ui.text("monitor.any"), ui.text("monitor.any_tip"), {}}};
    int chosen = 0;
    for (std::size_t i = 0; i < monitors.size(); ++i) {
        const Monitor& m = monitors[i];
        if (m.name == wanted) chosen = static_cast<int>(i) + 1;
        const std::string size = std::to_string(m.area.width) + " × " + std::to_string(m.area.height);
        choices.push_back({"monitor." + std::to_string(i), m.name + "  ·  " + size, ui.text("monitor.tip"), {}});
    }
    paragraph(ui, ui.text("monitor.words"));
    if (segmented(ui, choices, chosen)) wanted = chosen == 0 ? "" : monitors[static_cast<std::size_t>(chosen - 1)].name;
}

constexpr float told_height = 52;  // px at scale 1: two lines, which keep their place while they are empty

/// How far a handout is, or where it was saved.
void handout_line(const Frame& frame) {
    const Ui& ui = frame.ui;
    const State& state = frame.state();
    if (const std::optional<double> drawn = state.writing_handout) {
        if (progress_bar(ui, {"lesson.writing", ui.text("lessons.writing"), static_cast<float>(*drawn),
                              ui.text("waiting.cancel")}))
            frame.commands().add("handout.cancel");
    } else if (!state.handout_told.empty()) {
        paragraph(ui, success_words(state.handout_told));
        ui.probe.mark_item("lesson.handout_words", 0, without_markup(state.handout_told));
    }
}

}  // namespace

void hall_choices(const Frame& frame) {
    const Ui& ui = frame.ui;
    toggle(
        ui,
        {"lesson.presenter", ui.text("lessons.presenter"), ui.text("lessons.presenter_tip"), frame.key_of("presenter")},
        frame.panel.settings.presenter);
    choose_monitor(frame);
}

void lessons_dialog(const Frame& frame) {
    const Ui& ui = frame.ui;
    const State& state = frame.state();
    Commands& commands = frame.commands();
    begin_dialog(ui, {"lessons", ui.text("lessons.title"), 860, 1000}, commands);
    paragraph(ui, ui.text("lessons.words"));
    const float below = ui.theme.px((state.monitors.size() > 1 ? 330.0F : 256.0F) + told_height);
    begin_child(
        {"lessons.list", 0, std::max(ui.theme.px(120), ImGui::GetContentRegionAvail().y - below), false, false, 0});
    int own = 0;
    for (const LessonRow& row : state.lessons) {
        if (!row.bundled) ++own;
        const std::string number = own > 1 ? "." + std::to_string(own) : "";
        lesson_row(frame, row, row.bundled ? "lesson." + row.source : "lesson.own" + number);
    }
    if (button(ui, {"lesson.none", ui.text("lessons.none"), ui.text("lessons.none_tip"), frame.key_of("lecture")},
               {Emphasis::plain, Icon::right, -1, true}))
        commands.add(command::OpenLesson{});
    if (state.lecture.begins) {
        paragraph(ui, "{muted|" + ui.text("lessons.begins") + "}");
        ui.probe.mark_item("lesson.begins", 0, ui.text("lessons.begins"));
    }
    ImGui::EndChild();
    ImGui::Dummy({1, ui.theme.px(4)});
    if (frame.panel.table.find("open_lesson") != nullptr) {
        if (button(ui, {"lesson.open", ui.text("lessons.open"), ui.text("lessons.open_tip"), {}},
                   {Emphasis::plain, Icon::folder, 0}))
            commands.add("open_lesson");
        ImGui::SameLine();
    }
    if (button(ui, {"lesson.keep", ui.text("lessons.keep"), ui.text("lessons.keep_tip"), {}},
               {Emphasis::plain, Icon::plus, 0}))
        commands.add("lesson.keep");
    ImGui::SameLine();
    if (button(ui, {"lesson.new", ui.text("command.lesson.new"), ui.text("lessons.new_tip"), {}},
               {Emphasis::plain, Icon::plus, 0}))
        commands.add("lesson.new");
    toggle(ui, {"lesson.plays", ui.text("lessons.plays"), ui.text("lessons.plays_tip"), {}},
           frame.panel.settings.plays);
    hall_choices(frame);
    paragraph(ui, ui.text("lessons.own"));
    begin_child({"lessons.told", 0, ui.theme.px(told_height), false, false, ImGuiWindowFlags_NoScrollbar});
    handout_line(frame);
    ImGui::EndChild();
    end_dialog();
}

}  // namespace vitrine
