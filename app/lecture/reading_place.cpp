#include "app/lecture/reading_place.h"

#include <algorithm>
#include <optional>
#include <string>

#include "app/lecture/lesson.h"
#include "app/lecture/notes.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/theme.h"

namespace vitrine {

namespace {

/// True if the stop has a text: a chapter always has one, other places only if they were given one.
bool says_something(const State& state) {
    const LessonStop& stop = state.lecture.lesson->stops[static_cast<std::size_t>(state.lecture.stop)];
    if (answers_of(stop.room).teaching.chapter != nullptr) return true;
    const std::optional<std::string> question = own_question(stop, state.settings.language);
    return !notes_of_stop(state).empty() || (question && !question->empty());
}

}  // namespace

bool reads_alone(const State& state) {
    const Lecture& lecture = state.lecture;
    return lecture.on && lecture.lesson && lecture.reading && !state.full_screen && !state.settings.presenter;
}

bool reads_beside(const State& state) { return reads_alone(state) && says_something(state); }

bool notes_beside(const State& state) {
    return state.lecture.on && state.lecture.notes && !state.settings.presenter && !reads_alone(state);
}

float reading_width(const Theme& theme, float window) { return std::min(theme.px(420), window * 0.28F); }

}  // namespace vitrine
