#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vitrine {

/// The EXIF orientation of a JPEG or PNG file, 1 … 8, by which its image must be turned. 1 (upright) if the file has
/// none or an invalid one.
int exif_orientation(std::span<const std::uint8_t> file);

/// The orientation in an EXIF block, with or without "Exif" before it.
int orientation_in(std::span<const std::uint8_t> block);

/// The content of a PNG file's first chunk of that name; empty if there is none.
std::span<const std::uint8_t> png_chunk(std::span<const std::uint8_t> file, std::string_view name);

}  // namespace vitrine
