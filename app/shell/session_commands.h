#pragma once

#include <filesystem>

#include "app/rooms/house.h"
#include "app/shell/session.h"

namespace vitrine {

// What is opened, and the visible workspace as a session: kept and taken up again. They throw Error.

/// Shows another image or model: no dialog over it, no model that learns in its place.
void show_image(House& house, const ImageSource& image);
void show_model(House& house, const ModelSource& model);

/// The visible workspace as a session, and back; what-ifs wait for the model.
Session session_of(const House& house);
void restore(House& house, const Session& session);

/// Opens what a window that was killed has left, or removes it.
void recover(House& house);
void forget_recovery(House& house);

/// What the laboratory shows of the run that is shown; null elsewhere.
const Measured* measured_in_view(const House& house);

/// The command that a file means when it is dropped or named: an image, a model, a lesson or a session.
Command command_to_open(const std::filesystem::path& path);

}  // namespace vitrine
