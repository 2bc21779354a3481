#pragma once

#include "app/rooms/app_context.h"
#include "app/ui/ui.h"
#include "app/workspace/command.h"

namespace vitrine {

// One's own lesson is written while one prepares it: what is looked at becomes a stop, stops are put in order.

/// Adds what is looked at to the lesson that is open; begins one where that is none of one's own. Throws Error.
void keep_stop(AppContext& context);
/// Throws Error where the file cannot be read or written, or would be no lesson any more.
void change_lesson(AppContext& context, const command::ChangeLesson& change);
/// Notes that were written in a lecture along one's own lesson go into its file. Throws Error.
void take_over_notes(AppContext& context);

/// Reads the file of one's own lesson again where it is not what was read. Throws Error where it is no lesson now.
void watch_lesson(AppContext& context);

/// Whether the open lesson is a file of one's own.
bool is_own_lesson(const Lecture& lecture);

}  // namespace vitrine
