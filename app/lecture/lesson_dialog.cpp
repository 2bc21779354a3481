#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/lecture/lesson_writing.h"
#include "app/lecture/lessons_dialog.h"
#include "app/lecture/notes.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/text_field.h"

// Editing of the user's own lesson. Changes are written to its file at once, the lesson's title with each letter; they
// can be undone one after another.

namespace vitrine {

namespace {

using LessonDraft = Drafts::LessonDraft;

/// The default question of a stop's place; empty in rooms without questions, or if the question does not fit the view.
std::string usual_question(const Ui& ui, const LessonStop& stop) {
    const std::string question = answers_of(stop.room).teaching.words(stop.id).question;
    return question.empty() || !place_asks_of(stop) ? std::string() : without_markup(ui.text(question));
}

/// The choices of a question as the lesson's file has them, a line each.
std::string lines_of_choices(const LessonStop& stop, const std::string& language) {
    std::string lines;
    for (const LessonChoice& choice : own_choices(stop, language))
        lines += (lines.empty() ? "" : "\n") + (choice.right ? std::string(right_choice) + " " : "") + choice.words;
    return lines;
}

/// Fills the fields from the lesson if it has changed.
void fill(LessonDraft& draft, const Lesson& lesson, const std::string& language) {
    draft.stop = std::clamp(draft.stop, 0, static_cast<int>(lesson.stops.size()) - 1);
    const LessonStop& stop = lesson.stops[static_cast<std::size_t>(draft.stop)];
    const std::string title = lesson.title_in(language), stop_title = own_title(stop, language),
                      notes = own_notes(stop, language), answer = own_answer(stop, language),
                      question = own_question(stop, language).value_or(""), choices = lines_of_choices(stop, language);
    std::string from = lesson.source + "\n" + std::to_string(draft.stop);
    for (const std::string* const words : {&title, &stop_title, &notes, &question, &choices, &answer})
        from += "\n" + *words;
    if (draft.from == from) return;
    if (!draft.from.starts_with(lesson.source + "\n" + std::to_string(draft.stop) + "\n")) draft.asks = -1;
    draft.from = from;
    if (!draft.types_title || !ImGui::IsAnyItemActive()) draft.title = title;
    draft.notes = notes;
    draft.stop_title = stop_title;
    draft.question = question;
    draft.choices = choices;
    draft.answer = answer;
}

/// A text field of the lesson; true when it loses focus.
bool draft_field(const Ui& ui, const std::string& id, std::string& draft, FieldLook look) {
    std::string words = draft;
    look.still = true;
    if (text_field(ui, id, words, look)) draft = words;
    return ImGui::IsItemDeactivatedAfterEdit() || (ImGui::IsItemActive() && key_pressed(Key::escape));
}

/// A text field that changes the lesson when it loses focus.
void lesson_field(const Frame& frame, const command::ChangeLesson& change, std::string& draft, const FieldLook& look) {
    if (draft_field(frame.ui, "lesson." + change.what, draft, look))
        frame.commands().add(command::ChangeLesson{change.what, change.stop, draft});
}

/// The field of the lesson's title, which is saved with each letter, since it is also the dialog's title.
void title_field(const Frame& frame, std::string& title) {
    const std::string before = title;
    const bool left = draft_field(frame.ui, "lesson.title", title, {frame.ui.theme.px(40)});
    frame.panel.drafts.lesson.types_title = ImGui::IsItemActive();
    if (left || title != before) frame.commands().add(command::ChangeLesson{left ? "title" : "typed_title", 0, title});
}

/// True if a stop has a question: its own, or that of its place.
bool asks_something(const Ui& ui, const LessonStop& stop, const std::string& language) {
    if (const std::optional<std::string> own = own_question(stop, language)) return !own->empty();
    const Teaching& room = answers_of(stop.room).teaching;
    return room.chapter != nullptr && place_asks_of(stop) && ui.text.has(room.words(stop.id).question);
}

/// A stop with buttons to move and remove it.
void stop_row(const Frame& frame, const Lesson& lesson, int number) {
    const Ui& ui = frame.ui;
    LessonDraft& draft = frame.panel.drafts.lesson;
    const std::string id = "lesson.stop." + std::to_string(number);
    const int last = static_cast<int>(lesson.stops.size()) - 1;
    const LessonStop& stop = lesson.stops[static_cast<std::size_t>(number)];
    const float icons = 3 * (std::max(28.0F, ui.theme.px(34)) + ImGui::GetStyle().ItemSpacing.x);
    std::string words = std::to_string(number + 1) + "   " + stop_title(ui, stop, frame.state().settings.language);
    const std::vector<std::string> changes = changes_at(ui, stop, frame.workspace.config());
    if (asks_something(ui, stop, frame.state().settings.language)) words += "  ·  " + ui.text("presenter.question");
    if (!changes.empty())
        words += "  ·  " + ui.text("lesson.changed", {{"parts", listed_changes(ui.text, changes, 1)}});
    const bool chosen = draft.stop == number;
    const float width = ImGui::GetContentRegionAvail().x - icons;
    const auto fits = [&](const std::string& some) {
        return measure_text(ui.theme, some, chosen ? Font::strong : Font::body).x <= width - ui.theme.px(2 * 14 + 1);
    };
    const std::string tip = (fits(words) ? "" : words + "\n") + ui.text("lesson.stop_tip");
    if (button(ui, {id, words, tip, {}}, {chosen ? Emphasis::primary : Emphasis::plain, {}, width, true}))
        draft.stop = number;
    const auto ask = [&](const char* part, const char* tip, Icon icon, bool enabled,
                         const command::ChangeLesson& change) {
        ImGui::SameLine();
        if (!icon_button(ui, {id + part, {}, ui.text(tip), {}, enabled}, icon)) return;
        const int other = change.words == "1" ? number + 1 : number - 1;  // the stop with which a moved one swaps
        if (change.what == "move" && (draft.stop == number || draft.stop == other))
            draft.stop = draft.stop == number ? other : number;
        if (change.what == "remove" && (draft.stop > number || draft.stop == last)) --draft.stop;
        frame.commands().add(change);
    };
    ask(".up", "lesson.up", Icon::up, number > 0, {"move", number, "-1"});
    ask(".down", "lesson.down", Icon::down, number < last, {"move", number, "1"});
    ask(".remove", "lesson.remove", Icon::close, last > 0, {"remove", number, ""});
}

/// The button that makes the stop show the current view, at the end of the line.
void view_button(const Frame& frame, int number) {
    const Ui& ui = frame.ui;
    const bool open = frame.workspace.shown.result && !frame.workspace.arrival;
    const Control control{"lesson.view", ui.text("lesson.view"), ui.text("lesson.view_tip"), {}, open};
    const float width = ui.theme.px(2 * 14) + std::ceil(measure_text(ui.theme, control.words, Font::body).x);
    ImGui::SameLine();
    const float left = ImGui::GetContentRegionAvail().x - width;
    if (left < 0)
        ImGui::NewLine();
    else
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + left);
    if (button(ui, control)) frame.commands().add(command::ChangeLesson{"view", number, ""});
}

/// Planned duration of the stop, with buttons to change it.
void minutes_line(const Frame& frame, const LessonStop& stop, int number) {
    const Ui& ui = frame.ui;
    constexpr float step = 0.5F;
    const float minutes = stop.minutes.value_or(0);
    const auto change = [&](const char* id, const char* words, float by, bool enabled) {
        if (button(ui, {id, words, ui.text("lesson.minutes_tip"), {}, enabled},
                   {Emphasis::plain, {}, ui.theme.px(44)})) {
            const float wanted = std::round((minutes + by) / step) * step;
            frame.commands().add(
                command::ChangeLesson{"minutes", number, wanted > 0 ? minutes_words(wanted) : std::string()});
        }
        ImGui::SameLine();
    };
    change("lesson.less", "−", -step, minutes > 0);
    change("lesson.more", "+", step, minutes < 60);
    const std::string words =
        minutes > 0 ? ui.text("lesson.minutes", {{"minutes", minutes_words(minutes)}}) : ui.text("lesson.no_minutes");
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(words.c_str());
    ui.probe.mark_item("lesson.minutes", static_cast<double>(minutes), words);
}

/// Whether a stop asks its place's question, one of its own, or none.
enum class Question { usual, own, none };
Question question_of_stop(const LessonDraft& draft, const LessonStop& stop, int number, const std::string& of_place,
                          const std::string& language) {
    if (!draft.question.empty() || draft.asks == number) return Question::own;
    const bool silent = own_question(stop, language).value_or("?").empty();
    return silent || of_place.empty() ? Question::none : Question::usual;
}

/// Heights of a stop's fields, px at scale 1.
constexpr float notes_height = 104, question_height = 76, choices_height = 100, answer_height = 76;
constexpr float all_heights = notes_height + question_height + choices_height + answer_height;

/// The question of a stop: its place's, its own, or none. `share`: of the fields' full heights.
void question_fields(const Frame& frame, const LessonStop& stop, int number, float share) {
    const Ui& ui = frame.ui;
    const std::string& language = frame.state().settings.language;
    LessonDraft& draft = frame.panel.drafts.lesson;
    const std::string of_place = usual_question(ui, stop);
    const Question question = question_of_stop(draft, stop, number, of_place, language);
    paragraph(ui, "{muted|" + ui.text("presenter.question") + "}");
    const auto control = [&](const std::string& id, bool enabled = true) {
        return Control{id, ui.text(id), ui.text(id + "_tip"), {}, enabled};
    };
    const Control choices[] = {control("lesson.question_usual", !of_place.empty()), control("lesson.question_own"),
                               control("lesson.question_none")};
    int chosen = static_cast<int>(question);
    if (segmented(ui, choices, chosen) && chosen != static_cast<int>(question)) {
        draft.asks = chosen == static_cast<int>(Question::own) ? number : -1;
        if (chosen == static_cast<int>(Question::none))
            frame.commands().add(command::ChangeLesson{"question", number, ""});
        else if (chosen == static_cast<int>(Question::usual))
            frame.commands().add(command::ChangeLesson{"usual_question", number, ""});
    }
    const std::string& placeholder = question == Question::usual ? of_place
                                     : question == Question::own ? ui.text("lesson.question_hint")
                                     : !place_asks_of(stop)      ? ui.text("lesson.question_elsewhere")
                                                                 : ui.text("presenter.no_question");
    const bool left =
        draft_field(ui, "lesson.question", draft.question, {ui.theme.px(question_height * share), placeholder});
    const bool asked = !own_question(stop, language).value_or("").empty();
    if (left && (asked || !draft.question.empty()))  // without words it asks nothing
        frame.commands().add(command::ChangeLesson{"question", number, draft.question});
    paragraph(ui, "{muted|" + ui.text("lesson.choices") + " · " + ui.text("lesson.choices_how") + "}");
    lesson_field(frame, {"choices", number, ""}, draft.choices,
                 {ui.theme.px(choices_height * share), ui.text("lesson.choices_hint")});
    paragraph(ui, "{muted|" + ui.text("handout.answer") + "}");
    const std::string hint = question == Question::usual ? ui.text("lesson.computed_answer")
                             : question == Question::own ? ui.text("lesson.answer_hint")
                                                         : std::string();
    lesson_field(frame, {"answer", number, ""}, draft.answer, {ui.theme.px(answer_height * share), hint});
}

/// The default notes of a stop's place; empty in rooms without chapters.
std::string usual_notes(const Ui& ui, const LessonStop& stop) {
    const std::string key = answers_of(stop.room).teaching.words(stop.id).notes;
    return ui.text.has(key) ? without_markup(ui.text(key)) : std::string();
}

/// The fields of a stop. In a low window all of them are lower, so that the last one is visible without scrolling.
void stop_fields(const Frame& frame, const Lesson& lesson, int stop) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    LessonDraft& draft = frame.panel.drafts.lesson;
    Kept<float> share("share", 1.0F);
    const float room = ImGui::GetContentRegionAvail().y, all = theme.px(all_heights), above = ImGui::GetCursorPosY();
    const LessonStop& shown = lesson.stops[static_cast<std::size_t>(stop)];
    heading(ui, std::to_string(stop + 1) + "   " + stop_title(ui, shown, frame.state().settings.language));
    paragraph(ui, "{muted|" + ui.text("lesson.stop_title") + "}");
    lesson_field(frame, {"stop_title", stop, ""}, draft.stop_title,
                 {theme.px(40), ui.text(answers_of(shown.room).teaching.words(shown.id).title)});
    minutes_line(frame, shown, stop);
    view_button(frame, stop);
    paragraph(ui, "{muted|" + ui.text("reading.notes") + "}");
    lesson_field(frame, {"notes", stop, ""}, draft.notes, {theme.px(notes_height * share), usual_notes(ui, shown)});
    question_fields(frame, shown, stop, share);
    if (ImGui::IsAnyItemActive()) return;  // nothing moves while somebody types
    constexpr float least = 0.5F;
    const float others = ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y - above - share * all;
    share = std::clamp((room - theme.px(4) - others) / all, least, 1.0F);  // so that there is no scroll bar
}

/// The buttons below a lesson's stops, and the choices for presenting it.
void lesson_buttons(const Frame& frame, const Lesson& lesson) {
    const Ui& ui = frame.ui;
    if (button(ui, {"lesson.keep", ui.text("lessons.keep"), ui.text("lessons.keep_tip"), {}},
               {Emphasis::plain, Icon::plus, 0}))
        frame.commands().add("lesson.keep");
    ImGui::SameLine();
    if (button(ui,
               {"lesson.take_back",
                ui.text("lesson.take_back"),
                ui.text("lesson.take_back_tip"),
                {},
                !frame.state().lecture.earlier.empty()},
               {Emphasis::plain, Icon::undo, 0}))
        frame.commands().add(command::ChangeLesson{"take_back", 0, ""});
    ImGui::SameLine();
    if (button(ui, {"lesson.begin", ui.text("lesson.begin"), ui.text("lessons.start_tip"), {}},
               {Emphasis::primary, Icon::play, 0}))
        frame.commands().add(command::OpenLesson{lesson.source});
    const float beside = ui.theme.px(24);
    const float needed = ui.theme.px(60) + measure_text(ui.theme, ui.text("lessons.presenter"), Font::body).x;
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
    if (ImGui::GetItemRectMax().x + beside + needed <= right) {
        ImGui::SameLine(0, beside);
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.theme.px(4));  // at the height of the buttons' words
    }
    hall_choices(frame);
}

void draw_lesson(const Frame& frame, const Lesson& lesson) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    const std::string& language = frame.state().settings.language;
    LessonDraft& draft = frame.panel.drafts.lesson;
    fill(draft, lesson, language);
    paragraph(ui, "{muted|" + ui.text("lesson.saved", {{"file", lesson.source}}) + "}");
    title_field(frame, draft.title);
    Kept<float> needed("below");  // of the last frame
    const float below = needed > 0 ? needed : theme.px(60), spacing = ImGui::GetStyle().ItemSpacing.y;
    const float height = std::max(theme.px(160), ImGui::GetContentRegionAvail().y - below - spacing);
    begin_child({"lesson.stops", ImGui::GetContentRegionAvail().x * 0.5F, height, false, false, 0});
    for (int i = 0; i < static_cast<int>(lesson.stops.size()); ++i) stop_row(frame, lesson, i);
    ImGui::EndChild();
    ImGui::SameLine();
    begin_child({"lesson.of_stop", 0, height, false, false, 0});
    stop_fields(frame, lesson, std::clamp(draft.stop, 0, static_cast<int>(lesson.stops.size()) - 1));
    ImGui::EndChild();
    const float above = ImGui::GetCursorPosY();
    lesson_buttons(frame, lesson);
    needed = ImGui::GetCursorPosY() - spacing - above;
}

}  // namespace

void lesson_dialog(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Lecture& lecture = frame.state().lecture;
    const bool own = is_own_lesson(lecture);
    const std::string title =
        own ? lecture.lesson->title_in(frame.state().settings.language) : std::string(ui.text("lesson.title"));
    begin_dialog(ui, {"lesson", title, 1080, 1040}, frame.commands());
    if (own)
        draw_lesson(frame, *lecture.lesson);
    else
        paragraph(ui, ui.text("lesson.none"));
    end_dialog();
}

}  // namespace vitrine
