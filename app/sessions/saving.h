#pragma once

#include <filesystem>

#include "app/rooms/app_context.h"

namespace vitrine {

// What is written aside, so that the window goes on; where it lies is told when it is there.

/// The session into a file, which becomes its own. Throws Error where there is no folder for it.
void save_session_as(AppContext& context, const std::filesystem::path& file);
/// The same to its own file, else to a new one in the folder of exports.
void save_this_session(AppContext& context);
/// The file that it would be.
std::filesystem::path file_to_save(const AppContext& context);

/// What has become of all that; false where something could not be written, which is told.
bool take_saved(AppContext& context);
/// The same once all is written.
bool finish_saving(AppContext& context);

}  // namespace vitrine
