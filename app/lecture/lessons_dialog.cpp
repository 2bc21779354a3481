#include "app/lecture/lessons_dialog.h"

#include <imgui.h>

#include "app/rooms/panels/panels.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"

namespace vitrine {

namespace {

/// Title and number of stops; of one that cannot be read its source: choosing it tells what is wrong.
std::string words_of(const Ui& ui, const LessonRow& row, const std::string& language) {
    if (!row.lesson) return row.source;
    const float minutes = row.lesson->minutes();
    return ui.text(minutes > 0 ? "lessons.row_minutes" : "lessons.row",
                   {{"title", row.lesson->title_in(language)},
                    {"count", std::to_string(row.lesson->stops.size())},
                    {"minutes", number_text(static_cast<double>(minutes))}});
}

}  // namespace

void lessons_dialog(const Frame& frame) {
    const Ui& ui = frame.ui;
    const State& state = frame.state();
    Commands& commands = frame.commands();
    begin_dialog(ui, {"lessons", ui.text("lessons.title"), 720, 520}, commands);
    paragraph(ui, ui.text("lessons.words"));
    const Settings& settings = state.settings;
    const std::vector<LessonRow>& rows = state.lessons;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const LessonRow& row = rows[i];
        const bool chosen = settings.lesson == row.source;
        const ButtonLook look{chosen ? Emphasis::primary : Emphasis::plain, Icon::play, -1, true};
        if (button(ui,
                   {"lesson." + (row.bundled ? row.source : "own"),
                    words_of(ui, row, settings.language),
                    ui.text("lessons.start_tip"),
                    {}},
                   look))
            commands.add(command::OpenLesson{row.source});
        if (chosen && button(ui, {"lesson.handout", ui.text("lessons.handout"), ui.text("lessons.handout_tip"), {}},
                             {Emphasis::plain, Icon::picture, 0}))
            commands.add(command::WriteHandout{row.source});
    }
    ImGui::Dummy({1, ui.theme.px(6)});
    if (button(ui, {"lesson.none", ui.text("lessons.none"), ui.text("lessons.none_tip"), frame.key_of("lecture")},
               {Emphasis::plain, Icon::right, -1, true}))
        commands.add(command::OpenLesson{});
    paragraph(ui, ui.text("lessons.own"));
    if (!state.handout_told.empty()) {
        paragraph(ui, "{strong|" + state.handout_told + "}");
        ui.probe.mark_item("lesson.handout_words", 0, state.handout_told);
    }
    end_dialog();
}

}  // namespace vitrine
