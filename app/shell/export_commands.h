#pragma once

#include "app/rooms/house.h"

namespace vitrine {

// What is taken away from the window: pictures, numbers, handouts. They throw Error.

void carry(const command::ExportPicture& command, House& house);
void carry(const command::ExportNumbers& command, House& house);
void carry(const command::WriteHandout& command, House& house);

/// Where exports go: the folder that was chosen, else one at home.
std::filesystem::path export_folder(const Settings& settings);
/// The session files of a folder, the newest first.
std::vector<std::filesystem::path> sessions_in(const std::filesystem::path& folder);
/// A file that is not there yet for what is shown, "cat-attention.png", in a folder that is there.
std::filesystem::path new_export(const House& house, const std::string& ending);
/// Tells that a file was written.
void tell_written(House& house, const std::filesystem::path& file);

}  // namespace vitrine
