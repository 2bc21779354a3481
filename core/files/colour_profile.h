#pragma once

// Pictures with an ICC profile; used only by core/files/image.

#include <optional>
#include <vector>

#include "core/files/image_formats.h"

namespace vitrine {

/// A picture's pixels converted from its profile to sRGB (perceptual intent, Little CMS), (H, W, 3). None if it has no
/// profile, or one that cannot be read, that is for another colour space, or that changes no colour by more than 1.
std::optional<std::vector<std::uint8_t>> in_srgb(const Decoded& picture);

/// The ICC profile in a PNG file's iCCP chunk; empty if there is none.
std::vector<std::uint8_t> png_profile(Bytes png);

}  // namespace vitrine
