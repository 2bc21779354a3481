#pragma once

#include <filesystem>

#include "app/rooms/app_context.h"
#include "app/sessions/session.h"
#include "app/workspace/command.h"

namespace vitrine {

// What is opened, and the visible workspace as a session: kept and taken up again. They throw Error.

/// Shows another image or model: no dialog over it, no model that learns in its place.
void show_image(AppContext& context, const ImageSource& image);
void show_model(AppContext& context, const ModelSource& model);

/// The visible workspace as a session, and back; what-ifs wait for the model.
Session session_of(const AppContext& context);
void restore(AppContext& context, const Session& session);

/// Opens a session file, which is the session's own from then on.
void open_session(AppContext& context, const std::filesystem::path& file);

/// Opens what a window that was killed has left, or removes all that was left.
void recover(AppContext& context, const std::filesystem::path& file);
void forget_recovery(AppContext& context);
/// Goes on with what was open when the last window was closed; without that, with what is open.
void continue_session(AppContext& context);

/// What was opened before and is still there, into the state.
void list_recents(AppContext& context);

/// The command that a file means when it is dropped or named: an image, a model, a lesson or a session.
Command command_to_open(const std::filesystem::path& path);

}  // namespace vitrine
