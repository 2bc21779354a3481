#pragma once

#include <filesystem>
#include <vector>

#include "app/workspace/settings.h"
#include "core/base/names.h"

namespace vitrine {

/// What files are opened as.
enum class FileKind { image, model, session, lesson };
inline constexpr Named<FileKind> file_kind_names[] = {{FileKind::image, "images"},
                                                      {FileKind::model, "models"},
                                                      {FileKind::session, "sessions"},
                                                      {FileKind::lesson, "lessons"}};
constexpr const char* name_of(FileKind kind) { return name_in(file_kind_names, kind); }

/// Puts a file that was opened before all others of its kind; the oldest of many is forgotten.
void remember(Settings& settings, FileKind kind, const std::filesystem::path& file);
/// Those that are still there, the newest first.
std::vector<std::filesystem::path> recent_files(const Settings& settings, FileKind kind);

}  // namespace vitrine
