#pragma once

#include <filesystem>

#include "app/rooms/house.h"

namespace vitrine {

// The session into a file. They throw Error.

/// Writes it to a file, which becomes its own, and tells where it lies.
void save_session_as(House& house, const std::filesystem::path& file);
/// The same to its own file, else to a new one in the folder of exports.
void save_this_session(House& house);
/// The file that it would be.
std::filesystem::path file_to_save(const House& house);

}  // namespace vitrine
