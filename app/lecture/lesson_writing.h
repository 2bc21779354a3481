#pragma once

#include "app/rooms/app_context.h"
#include "app/ui/ui.h"
#include "app/workspace/command.h"

namespace vitrine {

// Editing of the user's own lesson: the current view becomes a stop, stops are rearranged.

/// Adds the current view to the open lesson; starts a new one if that is not the user's own. Throws Error.
void keep_stop(AppContext& context);
/// Makes the next kept view the first stop of a new lesson, with a file of its own.
void begin_lesson(AppContext& context);
/// Makes the open lesson of the user's the one to which views are added.
void keep_in_open_lesson(Lecture& lecture);
/// Changes the user's own lesson and its file. Throws Error if it cannot be read or written, or would be no lesson.
void change_lesson(AppContext& context, const command::ChangeLesson& change);
/// Moves notes written in a lecture with the user's own lesson into its file. Throws Error.
void take_over_notes(AppContext& context);

/// Rereads the user's own lesson if its file has changed. Throws Error if it is no longer a lesson.
void watch_lesson(AppContext& context);

/// True if there is a view that a stop can have: a run, and nothing still being opened.
bool is_view_open(const AppContext& context);

/// True if the open lesson is a file of the user's.
bool is_own_lesson(const Lecture& lecture);

}  // namespace vitrine
