#pragma once

#include "app/rooms/app_context.h"
#include "app/rooms/command_row.h"

namespace vitrine {

/// Commands for a presenter, with keys of a keyboard or a remote control.
const std::vector<CommandRow>& lecture_commands();

/// Hides the controls, or shows them again.
void toggle_lecture(AppContext& context);
/// Starts a lecture with a lesson, or without one if the source is empty. Throws Error.
void begin_lecture(AppContext& context, const std::string& source);
/// Continues the lecture of an earlier window at its stop; the view is there already. Without a source it has no
/// lesson. Throws Error.
void resume_lecture(AppContext& context, const StopOfLesson& at);
/// After undo or redo: a running lesson goes to the stop of the moment. False if it is there already, or the moment
/// does not belong to the lesson. Throws Error.
bool return_to_stop(AppContext& context, const Moment& moment);
/// One level back in a lecture. Ends the first of these that is there: notes under edit, the black screen with the
/// pointer, the prediction with all its numbers, what fills the window, the lecture itself.
void lecture_back(AppContext& context);
}  // namespace vitrine
