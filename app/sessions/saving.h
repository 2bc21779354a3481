#pragma once

#include <filesystem>

#include "app/rooms/house.h"

namespace vitrine {

// What is written aside, so that the window goes on; where it lies is told when it is there.

/// The session into a file, which becomes its own. Throws Error where there is no folder for it.
void save_session_as(House& house, const std::filesystem::path& file);
/// The same to its own file, else to a new one in the folder of exports.
void save_this_session(House& house);
/// The file that it would be.
std::filesystem::path file_to_save(const House& house);

/// What has become of all that; false where something could not be written, which is told.
bool take_saved(House& house);
/// The same once all is written.
bool finish_saving(House& house);

}  // namespace vitrine
