#pragma once

#include <filesystem>

namespace vitrine {

struct PictureFormat;

/// Throws UsageError where an option names no file: "-", which is the standard output elsewhere.
void check_is_name(const char* option, const std::filesystem::path& out);

/// The format of a picture's file by its name's ending, PNG where it has none. Throws UsageError where it is that of
/// another kind.
const PictureFormat& picture_format_of(const std::filesystem::path& file);

}  // namespace vitrine
