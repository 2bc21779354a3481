#include "app/lecture/notes.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/text.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/text_field.h"

namespace vitrine {

namespace {

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

}  // namespace

std::string notes_key(const State& state, const Focus& focus) {
    if (state.lecture.lesson) return notes_key(state.lecture.lesson->source, state.lecture.stop);
    return chapters_of(state.room).teaching.chapter(focus);
}

std::string notes_of_stop(const State& state) {
    const Lecture& lecture = state.lecture;
    const auto& notes = state.settings.notes;
    if (const auto own = notes.find(notes_key(lecture.lesson->source, lecture.stop)); own != notes.end())
        return own->second;
    return own_notes(lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)], state.settings.language);
}

std::string notes_text(const Ui& ui, const State& state, const Focus& focus) {
    const Lecture& lecture = state.lecture;
    const auto& notes = state.settings.notes;
    if (const auto own = notes.find(notes_key(state, focus)); own != notes.end()) return own->second;
    const RoomAnswers* room = &chapters_of(state.room);
    if (lecture.lesson) {
        if (std::string words = notes_of_stop(state); !words.empty()) return words;
        const LessonStop& stop = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
        room = &answers_of(stop.room);
        if (room->teaching.chapter == nullptr) {
            const std::string usual = room->teaching.words(stop.id).notes;
            return ui.text.has(usual) ? without_markup(ui.text(usual)) : std::string();
        }
    }
    if (room->teaching.chapter == nullptr) return {};
    return ui.text(room->teaching.words(room->places.here(focus)).notes);
}

void notes_field(const NotesField& field, Drafts& drafts, Commands& commands) {
    if (drafts.notes_key != field.key) {
        drafts.notes_key = field.key;
        drafts.notes_text = field.shown;
    }
    if (text_field(field.ui, "notes.text", drafts.notes_text, {ImGui::GetContentRegionAvail().y}))
        commands.add(command::SetNotes{field.key, drafts.notes_text});
}

std::string minutes_words(float minutes) {
    const long tenths = std::lround(minutes * 10);
    return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10));
}

std::string time_of_day() {
    const std::time_t now = std::time(nullptr);
    std::tm local = {};
    localtime_r(&now, &local);
    return two_digits(local.tm_hour) + ":" + two_digits(local.tm_min);
}

std::string minutes_and_seconds(double seconds) {
    const int whole = static_cast<int>(std::max(0.0, std::floor(seconds)));
    return two_digits(whole / 60) + ":" + two_digits(whole % 60);
}

std::string planned_words(const Ui& ui, const Lecture& lecture) {
    if (!lecture.lesson) return {};
    const Lesson& lesson = *lecture.lesson;
    const std::optional<float> here = lesson.stops[static_cast<std::size_t>(lecture.stop)].minutes;
    if (!here) return {};
    if (lesson.unplanned() > 0) return ui.text("lecture.planned_here", {{"here", minutes_words(*here)}});
    return ui.text("lecture.planned", {{"here", minutes_words(*here)},
                                       {"until", minutes_words(lesson.minutes(lecture.stop))},
                                       {"all", minutes_words(lesson.minutes())}});
}

}  // namespace vitrine
