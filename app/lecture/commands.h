#pragma once

#include "app/rooms/app_context.h"
#include "app/rooms/command_row.h"

namespace vitrine {

/// What a presenter can ask for, with keys of a keyboard or a remote.
const std::vector<CommandRow>& lecture_commands();

/// Takes the controls away, or brings them back.
void toggle_lecture(AppContext& context);
/// Begins a lecture along a lesson, without one where the source is empty. Throws Error.
void begin_lecture(AppContext& context, const std::string& source);
/// Undo or redo leads to a moment: a lesson that runs goes to its stop. False where that is the one that it is at, and
/// where the moment is none of the lesson's. Throws Error.
bool lead_to_stop_of(AppContext& context, const Moment& moment);
/// One level back in a lecture: the black screen, what stands alone, the pointer, the notes under edit, then the
/// lecture itself.
void lecture_back(AppContext& context);
}  // namespace vitrine
