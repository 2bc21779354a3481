#pragma once

#include "app/rooms/house.h"
#include "app/workspace/command.h"

namespace vitrine {

// What is taken away from the window: pictures, numbers, handouts. They throw Error.

void carry(const command::ExportPicture& command, House& house);
void carry(const command::ExportNumbers& command, House& house);
void carry(const command::WriteHandout& command, House& house);
void copy_numbers(House& house);
void copy_command_line(House& house);
void cancel_export(House& house);

/// What another process has done since the last frame.
void watch_exports(House& house);
/// An SVG document that was asked for is there.
void take_recording(House& house, const std::string& document);

/// The session files of a folder, the newest first.
std::vector<std::filesystem::path> sessions_in(const std::filesystem::path& folder);
/// A file that is not there yet for what is shown, "cat-attention.png", or of a name that was typed; a run is there.
std::filesystem::path next_export(const House& house, const std::string& ending, const std::string& typed = {});
/// The same in a folder that is there.
std::filesystem::path new_export(const House& house, const std::string& ending, const std::string& typed = {});
/// A folder that is there. Throws Error.
void make_folder(const std::filesystem::path& folder);
/// Tells that a file was written, and where.
void tell_written(House& house, const std::filesystem::path& file, const char* words = "export.written");
/// The papers that Vitrine rests on, as a BibTeX file in the folder of exports.
void write_bibtex(House& house);

}  // namespace vitrine
