#pragma once

#include <filesystem>

#include "app/rooms/app_context.h"
#include "app/rooms/room.h"

namespace vitrine {

class Writer;

/// True if the window may close now. If unsaved runs or an unsaved head would be lost, first opens a dialog, once.
bool may_close(AppContext& context);
/// Saves the unsaved runs and the unsaved head, and waits; false if something failed, which is reported.
bool save_what_was_learned(AppContext& context);
void closing_dialog(const Frame& frame, const AppContext& context);

/// Called when the window closes: saves the session for "continue", except for a model trained in the window. Sessions
/// of killed windows stay until they are restored or discarded.
void leave_open(const AppContext& context, const std::filesystem::path& folder, Writer& writer);

}  // namespace vitrine
