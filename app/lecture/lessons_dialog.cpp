#include <imgui.h>

#include "app/rooms/panels/panels.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/library.h"
#include "core/error.h"

namespace vitrine {

namespace {

std::string title_of(const Ui& ui, const std::string& source, const std::string& language) {
    try {
        const Lesson lesson = load_lesson(source);
        return ui.text("lessons.row",
                       {{"title", lesson.title_in(language)}, {"count", std::to_string(lesson.stops.size())}});
    } catch (const Error&) {
        return source;  // choosing it tells what is wrong
    }
}

}  // namespace

LessonChoice lessons_dialog(const Ui& ui, Chrome& chrome) {
    LessonChoice choice;
    begin_dialog(ui, {"lessons", ui.text("lessons.title"), 720, 520}, chrome);
    paragraph(ui, ui.text("lessons.words"));
    const Settings& settings = chrome.settings;
    std::vector<std::string> sources = bundled_lessons();
    if (!settings.lesson.empty() && std::find(sources.begin(), sources.end(), settings.lesson) == sources.end())
        sources.push_back(settings.lesson);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const bool chosen = settings.lesson == sources[i];
        const ButtonLook look{chosen ? Emphasis::primary : Emphasis::plain, Icon::play, -1, true};
        const std::string id = i < bundled_lessons().size() ? sources[i] : "own";
        if (button(ui, {"lesson." + id, title_of(ui, sources[i], settings.language), ui.text("lessons.start_tip"), {}},
                   look))
            choice.start = sources[i];
        if (chosen && button(ui, {"lesson.handout", ui.text("lessons.handout"), ui.text("lessons.handout_tip"), {}},
                             {Emphasis::plain, Icon::picture, 0}))
            choice.handout = sources[i];
    }
    ImGui::Dummy({1, ui.theme.px(6)});
    if (button(ui, {"lesson.none", ui.text("lessons.none"), ui.text("lessons.none_tip"), "L"},
               {Emphasis::plain, Icon::right, -1, true}))
        choice.without = true;
    paragraph(ui, ui.text("lessons.own"));
    if (!chrome.handout_words.empty()) {
        paragraph(ui, "{strong|" + chrome.handout_words + "}");
        ui.probe.mark_item("lesson.handout_words", 0, chrome.handout_words);
    }
    end_dialog();
    if (!choice.start.empty() || choice.without) chrome.dialog = Dialog::none;
    return choice;
}

}  // namespace vitrine
