#include "app/lecture/lecture_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/glyphs.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"

namespace vitrine {

namespace {

const Step& step_of(const Selection& selection) { return curriculum()[static_cast<std::size_t>(selection.focus.step)]; }

Point screen_size() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {size.x, size.y};
}

/// A card over the stage at a place of the window; the caller ends it with end_card.
void begin_card(const Ui& ui, const char* id, Rect rect) {
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetColorU32(ImGuiCol_FrameBg));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.theme.px(14), ui.theme.px(10)});
    begin_child({id, rect.width(), rect.height(), true, true, 0});
    ui.probe.mark(id, rect);
}

void end_card() {
    ImGui::EndChild();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
}

/// Where in the lecture: a thin line along the lower edge, and the count.
void progress_line(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    const Lecture& lecture = frame.state().lecture;
    const Point screen = screen_size();
    const int steps = static_cast<int>(curriculum().size()), count = lecture.stops(steps),
              at = lecture.at(frame.selection.focus.step);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float y = screen.y - theme.px(4), part = static_cast<float>(at + 1) / static_cast<float>(count);
    canvas.fill({0, y, screen.x, screen.y}, theme.palette.line);
    canvas.fill({0, y, screen.x * part, screen.y}, theme.palette.accent);
    const std::string number = std::to_string(at + 1) + " / " + std::to_string(count);
    const std::string words =
        lecture.lesson ? lecture.lesson->title_in(frame.state().settings.language) + "  ·  " + number : number;
    const Point size = canvas.measure(words, Font::caption);
    const Rect rect{screen.x - size.x - theme.px(14), y - size.y - theme.px(3), screen.x - theme.px(14), y};
    canvas.text({rect.x0, rect.y0}, words, {Font::caption, theme.palette.muted, Align::left});
    ui.probe.mark("lecture.progress", rect, at, words);
}

/// The equation, as large as the text beside it.
void equation_card(const Explanation& e, const Lecture& lecture) {
    if (!lecture.equation) return;
    const Point screen = screen_size();
    const float width = std::min(screen.x * 0.42F, e.ui.theme.px(420)), margin = e.ui.theme.px(20);
    const Rect rect{screen.x - width - margin, margin, screen.x - margin, margin + e.ui.theme.px(190)};
    begin_card(e.ui, "lecture.equation", rect);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    step_equation(e, {at.x, at.y, at.x + room.x, at.y + room.y});
    end_card();
}

/// The step's question with its answer.
void question_card(const Explanation& e, const State& state) {
    if (!state.answer_shown) return;
    const auto& [ui, now, selection] = e;
    const Point screen = screen_size();
    const float width = std::min(screen.x * 0.55F, ui.theme.px(640)), height = ui.theme.px(190),
                margin = ui.theme.px(20);
    begin_card(ui, "lecture.question", {margin, screen.y - height - margin, margin + width, screen.y - margin});
    paragraph(ui, "{strong|" + step_text(ui, step_of(selection), "question") + "}");
    paragraph(ui, answer_text(ui, step_of(selection), now, selection));
    end_card();
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

/// The time of day, and how long the lecture has lasted.
std::string clock_words(const Ui& ui, const Lecture& lecture) {
    const std::time_t now = std::time(nullptr);
    std::tm local = {};
    localtime_r(&now, &local);
    const int seconds = static_cast<int>(ImGui::GetTime() - lecture.began);
    return ui.text("lecture.clock", {{"time", two_digits(local.tm_hour) + ":" + two_digits(local.tm_min)},
                                     {"minutes", two_digits(seconds / 60) + ":" + two_digits(seconds % 60)}});
}

std::string minutes_words(float minutes) { return number_text(static_cast<double>(minutes)); }

/// How long this stop and the lesson were planned; empty where its file says nothing of it.
std::string planned_words(const Ui& ui, const Lecture& lecture) {
    if (!lecture.lesson) return {};
    const Lesson& lesson = *lecture.lesson;
    const std::optional<float> here = lesson.stops[static_cast<std::size_t>(lecture.stop)].minutes;
    if (!here) return {};
    return ui.text("lecture.planned", {{"here", minutes_words(*here)},
                                       {"until", minutes_words(lesson.minutes(lecture.stop))},
                                       {"all", minutes_words(lesson.minutes())}});
}

/// Lets a text field of ImGui write into a string of any length.
int grow(ImGuiInputTextCallbackData* data) {
    auto& words = *static_cast<std::string*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        words.resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = words.data();
    }
    return 0;
}

/// The text under edit begins as what is shown; only what is written becomes the lecturer's own.
void notes_field(const Frame& frame, const std::string& notes) {
    const Ui& ui = frame.ui;
    Drafts& drafts = frame.desk.drafts;
    const std::string& key = frame.state().lecture.editing;
    if (drafts.notes_key != key) {
        drafts.notes_key = key;
        drafts.notes_text = notes;
    }
    std::string& words = drafts.notes_text;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool changed = ImGui::InputTextMultiline("##notes.text", words.data(), words.capacity() + 1, room,
                                                   ImGuiInputTextFlags_CallbackResize, grow, &words);
    const bool takes_back = key_pressed(Key::escape);  // ImGui would bring back what was there before
    if (changed && !takes_back) frame.commands().add(command::SetNotes{key, words});
    ui.probe.mark_item("notes.text", 0, words);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, "notes.text");
    if (ui.glyphs != nullptr) ui.glyphs->see(words);
}

/// The speaker's notes and the clock, in the lower right corner.
void notes_card(const Frame& frame) {
    const Ui& ui = frame.ui;
    if (!frame.state().settings.show_notes) return;
    const Lecture& lecture = frame.state().lecture;
    const Point screen = screen_size();
    const float width = std::min(screen.x * 0.36F, ui.theme.px(420)), height = ui.theme.px(200),
                margin = ui.theme.px(24);
    begin_card(ui, "lecture.notes",
               {screen.x - width - margin, screen.y - height - margin, screen.x - margin, screen.y - margin});
    ImGui::PushFont(ui.theme.font(Font::mono));
    const std::string clock = clock_words(ui, lecture);
    ImGui::TextUnformatted(clock.c_str());
    ImGui::PopFont();
    ui.probe.mark_item("lecture.clock", 0, clock);
    ImGui::SameLine();
    const std::string notes = notes_text(ui, frame.state(), frame.selection.focus.step);
    const bool editing = !lecture.editing.empty();
    if (button(ui,
               {"notes.edit", ui.text(editing ? "lecture.edit_done" : "lecture.edit"), ui.text("lecture.edit_tip"), {}},
               {Emphasis::quiet, {}, 0}))
        frame.commands().add("lecture.edit_notes");
    if (const std::string planned = planned_words(ui, lecture); !planned.empty()) {
        paragraph(ui, planned);
        ui.probe.mark_item("lecture.planned", 0, planned);
    }
    if (editing) {
        notes_field(frame, notes);
    } else {
        frame.desk.drafts.notes_key.clear();
        paragraph(ui, notes);
        ui.probe.mark_item("notes", 0, notes);
    }
    end_card();
}

Point to_fraction(Point p) {
    const Point screen = screen_size();
    return {p.x / screen.x, p.y / screen.y};
}

void draw_ink(Canvas& canvas, const Ui& ui, const Ink& ink) {
    const Point screen = screen_size();
    const float thickness = ui.theme.px(4);
    for (const Ink::Line& line : ink.lines()) {
        std::vector<Point> points;
        for (const Point p : line) points.push_back({p.x * screen.x, p.y * screen.y});
        if (points.size() == 1) canvas.circle(points.front(), thickness / 2, ui.theme.palette.key);
        canvas.polyline(points, ui.theme.palette.key, thickness);
    }
}

/// Pen and eraser take the mouse from everything below.
void take_ink(const Frame& frame) {
    const Pointer pointer = frame.state().lecture.pointer;
    const bool pen = pointer == Pointer::pen, eraser = pointer == Pointer::eraser;
    if (!pen && !eraser) return;
    const Point screen = screen_size();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({screen.x, screen.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("lecture.ink", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground);
    ImGui::InvisibleButton("paper", {screen.x, screen.y});
    const ImVec2 mouse = ImGui::GetMousePos();
    const Point at = to_fraction({mouse.x, mouse.y});
    const bool begins = ImGui::IsItemActivated();
    if (begins || ImGui::IsItemActive()) frame.commands().add(command::MovePen{at, begins, screen.x / screen.y});
    ImGui::End();
    ImGui::PopStyleVar();
}

/// All but a circle around the pointer goes dark.
void draw_spotlight(Canvas& canvas, const Ui& ui, Point at) {
    const Point screen = screen_size();
    const float radius = ui.theme.px(130), beyond = screen.x + screen.y;
    canvas.ring(at, radius + beyond / 2, ui.theme.palette.shade.with_alpha(0.82F), beyond);
}

/// What the pointer is, drawn over everything.
void draw_pointer(Canvas& canvas, const Ui& ui, const Lecture& lecture) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const Point at{mouse.x, mouse.y};
    if (!ImGui::IsMousePosValid(&mouse)) return;
    const Palette& p = ui.theme.palette;
    const float px = ui.theme.px(1);
    switch (lecture.pointer) {
        case Pointer::arrow: break;
        case Pointer::laser:
            canvas.circle(at, 9 * px, p.danger.with_alpha(0.35F));
            canvas.circle(at, 5 * px, p.danger);
            ImGui::SetMouseCursor(ImGuiMouseCursor_None);
            break;
        case Pointer::spotlight: draw_spotlight(canvas, ui, at); break;
        case Pointer::pen: canvas.circle(at, 3 * px, p.key); break;
        case Pointer::eraser: canvas.ring(at, Ink::eraser_radius * screen_size().y, p.muted, 2 * px); break;
    }
    ui.probe.mark("lecture.pointer", {at.x - 1, at.y - 1, at.x + 1, at.y + 1}, static_cast<int>(lecture.pointer));
}

}  // namespace

std::string notes_text(const Ui& ui, const State& state, int step) {
    const Lecture& lecture = state.lecture;
    const auto& notes = state.settings.notes;
    if (const auto own = notes.find(lecture.notes_key(step)); own != notes.end()) return own->second;
    if (lecture.lesson) {
        const LessonStop& stop = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
        const std::string words = own_notes(stop, state.settings.language);
        if (!words.empty() || !room_of(stop.room).chapters) return words;
    }
    return step_text(ui, curriculum()[static_cast<std::size_t>(step)], "notes");
}

void lecture_cards(const Frame& frame) {
    if (!frame.shown().result || !frame.state().lecture.on || frame.state().lecture.slide != 1.0F) return;
    const Explanation explanation = explanation_of(frame);
    const bool chapters = room_of(frame.state().room).chapters;
    if (chapters || frame.state().lecture.lesson) progress_line(frame);
    if (chapters) {
        equation_card(explanation, frame.state().lecture);
        question_card(explanation, frame.state());
    }
    notes_card(frame);
}

void lecture_overlay(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Lecture& lecture = frame.state().lecture;
    take_ink(frame);
    WindowCanvas canvas(ImGui::GetForegroundDrawList(), ui);
    const Ink* const ink = lecture.find_ink(frame.selection.focus.step);
    if (ink != nullptr) draw_ink(canvas, ui, *ink);
    ui.probe.mark("lecture.ink", {0, 0, screen_size().x, screen_size().y},
                  ink != nullptr ? static_cast<double>(ink->lines().size()) : 0);
    if (!lecture.black) return draw_pointer(canvas, ui, lecture);
    canvas.fill({0, 0, screen_size().x, screen_size().y}, {0, 0, 0, 255});
    ui.probe.mark("lecture.black", {0, 0, screen_size().x, screen_size().y});
}

}  // namespace vitrine
