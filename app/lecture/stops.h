#pragma once

#include <optional>

#include "app/rooms/app_context.h"

namespace vitrine {

// Navigation between the stops of a lesson.

/// Identifier of a lesson: a bundled one's name, or the absolute path of its file.
std::string source_of(const std::string& named);
/// Opens a lesson that was read, and adds it to the recent files; `stamp` is the state of its file at reading.
void show_lesson(AppContext& context, Lesson lesson, const FileStamp& stamp);
/// Reads a lesson and opens it. Throws Error.
void open_lesson(AppContext& context, const std::string& source);
/// Shows a stop of the open lesson. Throws Error.
void go_to_stop(AppContext& context, int stop);
/// Whether a stop names an attention map by block, head or token; otherwise its chapter opens with a map of its own.
bool names_map(const LessonStop& stop);
/// The lecture's current stop; none without a lesson.
std::optional<StopOfLesson> stop_now(const Lecture& lecture);
/// Shows the picture again, instead of an equation, a question or an answer that fills the window.
void show_picture(AppContext& context);

inline constexpr int to_the_end = 1000000;  // larger than any index

}  // namespace vitrine
