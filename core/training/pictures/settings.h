#pragma once

#include <span>

#include "core/training/pictures/brush.h"

namespace vitrine {

/// Where the things of the picture book are seen: a meadow, the sea, a room …
struct Setting {
    const char* name;
    void (*paint)(PictureScene& scene, const Light& light);  // says what stands out before it, too
};
std::span<const Setting> settings();

}  // namespace vitrine
