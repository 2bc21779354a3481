#pragma once

#include "app/rooms/app_context.h"
#include "app/workspace/command.h"

namespace vitrine {

// What is taken away from the window: pictures, numbers, handouts. They throw Error.

void carry(const command::ExportPicture& command, AppContext& context);
void carry(const command::ExportNumbers& command, AppContext& context);
void carry(const command::WriteHandout& command, AppContext& context);
void copy_numbers(AppContext& context);
void copy_command_line(AppContext& context);
void cancel_export(AppContext& context);

/// What another process has done since the last frame.
void watch_exports(AppContext& context);
/// An SVG document that was asked for is there.
void take_recording(AppContext& context, const std::string& document);

/// The session files of a folder, the newest first.
std::vector<std::filesystem::path> sessions_in(const std::filesystem::path& folder);
/// A file that is not there yet for what is shown, "cat-attention.png", or of a name that was typed; a run is there.
std::filesystem::path next_export(const AppContext& context, const std::string& ending, const std::string& typed = {});
/// The same in a folder that is there.
std::filesystem::path new_export(const AppContext& context, const std::string& ending, const std::string& typed = {});
/// A folder that is there. Throws Error.
void make_folder(const std::filesystem::path& folder);
/// Tells that a file was written, and where.
void tell_written(AppContext& context, const std::filesystem::path& file, const char* words = "export.written");
/// The papers that Vitrine rests on, as a BibTeX file in the folder of exports.
void write_bibtex(AppContext& context);

}  // namespace vitrine
