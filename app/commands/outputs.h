#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace vitrine {

struct PictureFormat;

/// Throws UsageError if an option's file is "-", which means standard output elsewhere.
void check_is_name(const char* option, const std::filesystem::path& out);

/// The format of a picture's file by its extension, PNG without one. Throws UsageError for other extensions.
const PictureFormat& picture_format_of(const std::filesystem::path& file);

/// Prints JSON on stdout: indented over several lines, or on one line, which is flushed.
void print_json(const nlohmann::ordered_json& json);
void print_json_line(const nlohmann::ordered_json& json);

}  // namespace vitrine
