#pragma once

#include <filesystem>

#include "app/rooms/app_context.h"
#include "app/sessions/session.h"
#include "app/workspace/command.h"

namespace vitrine {

// Opening files, and the visible workspace as a session. All throw Error.

/// Shows another image or model: closes dialogs and leaves rooms that do not show it.
void show_image(AppContext& context, const ImageSource& image);
void show_model(AppContext& context, const ModelSource& model);
/// The same for the run that the workspace already requests.
void show_run(AppContext& context);
/// Runs the open model with another setting; one that changes the weights opens the model again. What-ifs that name a
/// token are dropped, since the tokens may differ.
void execute(const command::ChangeModelSetting& command, AppContext& context);

/// The visible workspace as a session. The run beside it is left out if its model was trained in the window, since no
/// file names that model.
Session session_of(const AppContext& context);
/// The same with the lecture that is on, which only a window's last state has.
Session last_state_of(const AppContext& context);
/// Adds the run beside the visible one to a session; there must be one.
void add_run_beside(const AppContext& context, Session& session);
/// Shows a session in the visible workspace; its what-ifs are applied once the model is open.
void restore(AppContext& context, const Session& session);

/// Opens a session file, which becomes the session's own.
void execute(const command::OpenSession& command, AppContext& context);

/// Opens a session left by a killed window.
void recover(AppContext& context, const std::filesystem::path& file);
/// Stops offering the sessions left by killed windows. Their files stay while the start page or a notice offers to undo
/// this, by `offer_discarded`; otherwise `delete_discarded` deletes them.
void discard_left(AppContext& context);
void offer_discarded(AppContext& context);
void delete_discarded(AppContext& context);
/// Opens the session of the last window; without one, continues with the current view.
void continue_session(AppContext& context);

/// Lists recent files that still exist, and a model that knows photographs, in the state.
void list_recents(AppContext& context);

/// The command for a dropped or named file: an image, a model, a lesson or a session.
Command command_to_open(const std::filesystem::path& path);

}  // namespace vitrine
