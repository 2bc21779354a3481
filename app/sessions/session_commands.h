#pragma once

#include <filesystem>

#include "app/rooms/house.h"
#include "app/sessions/session.h"
#include "app/workspace/command.h"

namespace vitrine {

// What is opened, and the visible workspace as a session: kept and taken up again. They throw Error.

/// Shows another image or model: no dialog over it, no model that learns in its place.
void show_image(House& house, const ImageSource& image);
void show_model(House& house, const ModelSource& model);

/// The visible workspace as a session, and back; what-ifs wait for the model.
Session session_of(const House& house);
void restore(House& house, const Session& session);

/// Opens a session file, which is the session's own from then on.
void open_session(House& house, const std::filesystem::path& file);

/// Opens what a window that was killed has left, or removes all that was left.
void recover(House& house, const std::filesystem::path& file);
void forget_recovery(House& house);
/// Goes on with what was open when the last window was closed; without that, with what is open.
void continue_session(House& house);

/// What was opened before and is still there, into the state.
void list_recents(House& house);

/// What the laboratory shows of the run that is shown; null elsewhere.
const Measured* measured_in_view(const House& house);

/// The command that a file means when it is dropped or named: an image, a model, a lesson or a session.
Command command_to_open(const std::filesystem::path& path);

}  // namespace vitrine
