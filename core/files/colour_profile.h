#pragma once

// Used by core/files/image alone: pictures with an ICC profile.

#include <optional>
#include <vector>

#include "core/files/image_formats.h"

namespace vitrine {

/// The colours of a picture that has a profile, in sRGB (perceptual intent, Little CMS): (H, W, 3). None where it has
/// no profile, one that cannot be read or is of another kind of picture, or one that changes no colour by more than 1.
std::optional<std::vector<std::uint8_t>> in_srgb(const Decoded& picture);

/// The ICC profile in a PNG file's iCCP chunk; empty if there is none.
std::vector<std::uint8_t> png_profile(Bytes png);

}  // namespace vitrine
