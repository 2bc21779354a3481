#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

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
void cancel_handout(AppContext& context);

/// Takes in what has been exported since the last frame, and how far the rest is.
void watch_exports(AppContext& context);

struct PictureOrder;
struct HandoutOrder;

/// What was drawn is written by the saving job, and told or copied once it is there; unless it is cancelled before.
void write_picture(AppContext& context, const std::shared_ptr<const PictureOrder>& order,
                   std::function<void(const std::filesystem::path&)> write);
void write_handout(AppContext& context, const std::shared_ptr<const HandoutOrder>& order, std::string page);
/// What is drawn could not be.
void picture_failed(AppContext& context, const std::string& words);
void handout_failed(AppContext& context, const std::string& words);
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
