#pragma once

#include <cstdint>
#include <span>

namespace vitrine {

/// How a JPEG or PNG file says that its picture is to be turned: the EXIF orientation, 1 … 8; 1, upright, where it says
/// nothing or nothing that can be.
int exif_orientation(std::span<const std::uint8_t> file);

}  // namespace vitrine
