#pragma once

#include "app/rooms/app_context.h"
#include "app/rooms/command_row.h"

namespace vitrine {

/// Commands for a presenter, with keys of a keyboard or a remote control.
const std::vector<CommandRow>& lecture_commands();

/// Begins a lecture, with the last lesson if there is one, or ends it and restores the view before. Throws Error.
void toggle_lecture(AppContext& context);
/// Starts a lecture with a lesson, or without one if the source is empty. Throws Error.
void begin_lecture(AppContext& context, const std::string& source);
/// Continues the lecture of an earlier window at its stop, whose view is restored already. Without a source it has no
/// lesson. Throws Error.
void resume_lecture(AppContext& context, const StopOfLesson& at);
/// Takes a running lesson to the stop of a moment that undo or redo restored. False if it is there already, or the
/// moment does not belong to the lesson. Throws Error.
bool return_to_stop(AppContext& context, const Moment& moment);
/// Goes one level back in a lecture. Ends the first of these that is active: editing of notes, the black screen and the
/// pointer's tool, all numbers of the prediction, content that fills the window, the lecture itself.
void lecture_back(AppContext& context);
}  // namespace vitrine
