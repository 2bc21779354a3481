#pragma once

#include <optional>

#include "app/rooms/app_context.h"

namespace vitrine {

// From stop to stop of a lesson.

/// What a lesson is known by: a bundled one's name, or the whole path of its file.
std::string source_of(const std::string& named);
/// A lesson is the open one from now on, and is remembered; `stamp`: its file's as it was read.
void show_lesson(AppContext& context, Lesson lesson, const FileStamp& stamp);
/// The same with one that is read. Throws Error.
void open_lesson(AppContext& context, const std::string& source);
/// Shows a stop of the open lesson. Throws Error.
void go_to_stop(AppContext& context, int stop);
/// At which one a lecture is now; none where it goes along no lesson.
std::optional<StopOfLesson> stop_now(const Lecture& lecture);
/// The picture again, whatever filled the window instead.
void show_picture(AppContext& context);

inline constexpr int to_the_end = 1000000;  // stops, more than there are

}  // namespace vitrine
