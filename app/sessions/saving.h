#pragma once

#include <filesystem>

#include "app/rooms/app_context.h"

namespace vitrine {

// Asynchronous saving; the path is reported once it is written.

/// Saves the session to a file, which becomes its own. Throws Error if its folder cannot be created.
void save_session_as(AppContext& context, const std::filesystem::path& file);
/// Saves to its own file, else to a new one in the export folder.
void save_this_session(AppContext& context);
/// The file that `save_this_session` would write.
std::filesystem::path file_to_save(const AppContext& context);

/// Takes over finished saves; false if one failed, which is reported.
bool take_saved(AppContext& context);
/// The same after waiting for all of them.
bool finish_saving(AppContext& context);

}  // namespace vitrine
