#pragma once

#include <filesystem>
#include <vector>

#include "app/workspace/settings.h"
#include "core/base/names.h"

namespace vitrine {

/// Kinds of files that can be opened.
enum class FileKind { image, model, session, lesson };
inline constexpr Named<FileKind> file_kind_names[] = {{FileKind::image, "images"},
                                                      {FileKind::model, "models"},
                                                      {FileKind::session, "sessions"},
                                                      {FileKind::lesson, "lessons"}};
constexpr const char* name_of(FileKind kind) { return name_in(file_kind_names, kind); }

/// Puts an opened file first among those of its kind; drops the oldest of too many.
void remember(Settings& settings, FileKind kind, const std::filesystem::path& file);
/// The files that still exist, newest first.
std::vector<std::filesystem::path> recent_files(const Settings& settings, FileKind kind);

}  // namespace vitrine
