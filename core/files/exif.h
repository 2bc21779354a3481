#pragma once

#include <cstdint>
#include <span>

namespace vitrine {

/// The EXIF orientation of a JPEG or PNG file, 1 … 8: how its image must be turned. 1 (upright) if the file has none or
/// an invalid one.
int exif_orientation(std::span<const std::uint8_t> file);

}  // namespace vitrine
