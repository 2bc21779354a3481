#include "app/lecture/reading_panel.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/chapters/model_words.h"
#include "app/lecture/choices.h"
#include "app/lecture/notes.h"
#include "app/lecture/prediction_strip.h"
#include "app/lecture/reading_place.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/linked_words.h"
#include "app/rooms/panels/stop_controls.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

namespace {

/// The × that hides the panel, in its corner; the next item starts on the same line.
void hide_button(const Frame& frame) {
    const Ui& ui = frame.ui;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x, side = std::max(28.0F, ui.theme.px(34));
    ImGui::SetCursorScreenPos({right - side, at.y});
    if (icon_button(ui, {"reading.hide", {}, ui.text("reading.hide"), {}}, Icon::close))
        frame.commands().add("lecture.reading");
    ImGui::SetCursorScreenPos(at);
}

/// Heading of a part; the first one is as high as the × beside it.
void part_heading(const Ui& ui, const std::string& words, bool& first) {
    const float top = ImGui::GetCursorPosY();
    heading(ui, words);
    if (std::exchange(first, false))
        ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + std::max(28.0F, ui.theme.px(38))));
}

/// True if the question is that of the chapter, which is answered by trying it.
bool asks_as_its_place(const Frame& frame) {
    const LessonStop* const stop = visible_stop(frame.state(), frame.selection.focus);
    return stop == nullptr || stop->question.empty();
}

void question_lines(const Frame& frame, const Asked& asked) {
    const Ui& ui = frame.ui;
    // As large as a title if the screen has room, since a class reads it, too.
    const Font font = ui.theme.scale >= 1 ? Font::title : Font::heading;
    linked_paragraph(ui, {"asked", {asked.question, font, ui.theme.palette.text}}, frame.commands());
    ui.probe.mark_item("reading.question", 0, asked.question);
    const auto tell = answers_of(frame.state().room).teaching.draw_guess_result;
    if (tell != nullptr && asks_as_its_place(frame)) tell(frame);
    choices_here(frame);
    if (asked.answer.empty() && !has_choices_here(frame)) return;
    const bool shown = frame.state().lecture.peek;
    if (button(ui, {"reading.answer", ui.text(shown ? "question.hide" : "question.show"), ui.text("question.tip"), {}}))
        frame.commands().add("lecture.peek");
    if (!shown || asked.answer.empty()) return;
    linked_paragraph(ui, "answered", asked.answer, frame.commands());
    ui.probe.mark_item("reading.answer_words", 0, asked.answer);
}

/// True while the stop's question waits for an answer, which the prediction and the explanation would give away.
bool waits_for_answer(const Frame& frame, const std::optional<Asked>& asked) {
    const Lecture& lecture = frame.state().lecture;
    if (!asked || asked->question.empty()) return false;
    if (lecture.told) return false;  // a reader who asks for the answer gets the answer alone
    const auto chapter = answers_of(frame.state().room).teaching.chapter;
    const bool done = chapter != nullptr && frame.panel.settings.answered.contains(chapter(frame.selection.focus));
    return !(done && asks_as_its_place(frame));
}

/// True if the parts that give an answer away are shown; while the question waits, they are folded below a heading.
bool unfolded(const Frame& frame, bool waits) {
    if (!waits) return true;
    const Ui& ui = frame.ui;
    Kept<int> unfolded_at("unfolded", -1);
    bool open = unfolded_at == frame.state().lecture.stop;
    section(ui, {"reading.rest", ui.text("reading.rest"), ui.text("reading.rest_tip"), {}}, open);
    unfolded_at = open ? frame.state().lecture.stop : -1;
    return open;
}

/// The chapter's explanation; empty in a room without chapters.
std::string explanation_here(const Frame& frame) {
    const RoomAnswers& room = answers_of(frame.state().room);
    if (room.teaching.chapter == nullptr) return {};
    const std::string key = room.teaching.words(room.places.here(frame.selection.focus)).words;
    const Result* const now = room.work.run == nullptr ? nullptr : frame.shown().result.get();
    return frame.ui.text(now == nullptr ? key : key_for(frame.ui.text, key, *now));
}

}  // namespace

void reading_panel(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Lecture& lecture = frame.state().lecture;
    if (!reads_beside(frame.state()) || lecture.alone != Alone::nothing) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = ui.theme.px(10), width = reading_width(ui.theme, screen.x);
    const Rect card{screen.x - gap - width, gap, screen.x - gap, screen.y - std::max(28.0F, ui.theme.px(34)) - 2 * gap};
    begin_card(ui, "reading", card, ui.theme.palette.panel);
    if (Kept<int>("stop", -1).exchange(lecture.stop) != lecture.stop) ImGui::SetScrollY(0);
    hide_button(frame);
    bool first = true;
    if (const std::string notes = notes_of_stop(frame.state()); !notes.empty()) {
        part_heading(ui, ui.text("reading.notes"), first);
        paragraph(ui, notes);
        ui.probe.mark_item("reading.notes", 0, notes);
    }
    const std::optional<Asked> asked = asked_in(frame);
    if (asked && !asked->question.empty()) {
        part_heading(ui, ui.text("presenter.question"), first);
        question_lines(frame, *asked);
    }
    const bool tries = asked && !asked->question.empty() && asks_as_its_place(frame);
    if (tries) switches_here(frame);  // a chapter's question is answered with them
    if (!unfolded(frame, waits_for_answer(frame, asked))) return end_card();
    prediction_here(frame);
    if (!tries) switches_here(frame);
    if (const std::string words = explanation_here(frame); !words.empty()) {
        part_heading(ui, ui.text("reading.explanation"), first);
        linked_paragraph(ui, "reading", words, frame.commands());
        ui.probe.mark_item("reading.explanation", 0, words);
    }
    numbers_here(frame);
    learning_button(frame);
    end_card();
}

}  // namespace vitrine
