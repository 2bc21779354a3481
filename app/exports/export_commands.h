#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/rooms/app_context.h"
#include "app/workspace/command.h"

namespace vitrine {

struct Opening;

// Exports from the window: pictures, numbers, handouts. All throw Error.

void execute(const command::ExportPicture& command, AppContext& context);
void execute(const command::ExportNumbers& command, AppContext& context);
void execute(const command::WriteHandout& command, AppContext& context);
/// Writes the numbers of the picture to a CSV file, with indices counted as on the screen.
void save_table(AppContext& context);
void copy_numbers(AppContext& context);
void copy_command_line(AppContext& context);
void cancel_export(AppContext& context);
void cancel_handout(AppContext& context);

/// Reports exports that have finished since the last frame, and updates the progress of others.
void watch_exports(AppContext& context);

/// The current view as the initial state of a picture, with the window's theme and lecture mode.
Opening opening_in_view(const AppContext& context);

struct PictureOrder;
struct HandoutOrder;

/// Has the saving job write a drawn picture, and then reports or copies it, unless the order is cancelled before.
void write_picture(AppContext& context, const std::shared_ptr<const PictureOrder>& order,
                   std::function<void(const std::filesystem::path&)> write);
void write_handout(AppContext& context, const std::shared_ptr<const HandoutOrder>& order, std::string page);
/// Reports that a picture could not be drawn.
void picture_failed(AppContext& context, const std::string& words);
void handout_failed(AppContext& context, const std::string& words);
/// Saves the SVG document that `ExportPicture` requested.
void take_recording(AppContext& context, const std::string& document);

/// The session files in a folder, newest first.
std::vector<std::filesystem::path> sessions_in(const std::filesystem::path& folder);
/// An unused file name for the current view, "cat-attention.png", or from a typed name; there must be a run.
std::filesystem::path next_export(const AppContext& context, const std::string& ending, const std::string& typed = {});
/// The same; creates the folder if necessary.
std::filesystem::path new_export(const AppContext& context, const std::string& ending, const std::string& typed = {});
/// Creates a folder if necessary. Throws Error.
void make_folder(const std::filesystem::path& folder);
/// Clears the report of written files, unless exports in progress still add to it.
void begin_report(AppContext& context);
/// Adds a written file to the report.
void report_written(AppContext& context, const std::filesystem::path& file, const char* words = "export.written");
/// Writes all cited papers as a BibTeX file in the export folder.
void write_bibtex(AppContext& context);

}  // namespace vitrine
