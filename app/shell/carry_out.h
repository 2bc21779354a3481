#pragma once

#include "app/rooms/house.h"
#include "app/shell/session.h"
#include "app/workspace/command.h"

namespace vitrine {

/// Carries a command out: the only place where state changes. What cannot be done becomes `state.error`.
void carry_out(const Command& command, House& house);

/// Opens a dialog with the lists that it shows; none where the id is empty.
void open_dialog(House& house, const std::string& id);

// What rows of the table of commands do that files are written or read for. They throw Error.
void copy_numbers(House& house);
void copy_command_line(House& house);
void save_this_session(House& house);
void cancel_export(House& house);
void recover(House& house);
void forget_recovery(House& house);

/// The visible workspace as a session, and back; what-ifs wait for the model.
Session session_of(const House& house);
void restore(House& house, const Session& session);

/// What another process has done since the last frame.
void watch_exports(House& house);
/// An SVG document that was asked for is there.
void take_recording(House& house, const std::string& document);

/// What the laboratory shows of the run that is shown; null elsewhere.
const Measured* measured_in_view(const House& house);

/// The command that a file means when it is dropped or named: an image, a model, a lesson or a session.
Command command_to_open(const std::filesystem::path& path);

}  // namespace vitrine
