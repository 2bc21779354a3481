#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace vitrine {

/// Pixels, top row first; `channels` is 3, or 4 with straight alpha.
struct DrawnPart {
    int width = 0, height = 0, channels = 3;
    std::vector<std::uint8_t> bytes;
};

/// A PNG file's bytes; empty if the picture is too large for one.
std::string png_of(const DrawnPart& picture);
/// Writes a PNG file with the software's name, atomically. Throws Error.
void write_png(const std::filesystem::path& file, const DrawnPart& picture);

}  // namespace vitrine
