#pragma once

#include <filesystem>

#include "app/rooms/app_context.h"
#include "app/rooms/room.h"

namespace vitrine {

class Writer;

/// Whether the window may close now; where runs or a head of one's own pictures would be lost that nobody has saved,
/// it asks first, once.
bool may_close(AppContext& context);
/// Saves all that it asks about and waits for it; false where something could not be, which is told.
bool save_what_was_learned(AppContext& context);
void closing_dialog(const Frame& frame, const AppContext& context);

/// When the window is closed: what is open goes on by "continue" the next time, but for a model that was trained in
/// the window. What killed windows have left stays until it is taken or thrown away.
void leave_open(const AppContext& context, const std::filesystem::path& folder, Writer& writer);

}  // namespace vitrine
