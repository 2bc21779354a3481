#pragma once

#include <span>

#include "core/training/pictures/brush.h"

namespace vitrine {

/// Settings of the picture book's things: a meadow, the sea, a room …
struct Setting {
    const char* name;
    void (*paint)(PictureScene& scene, const Light& light);  // also sets scene.background, for contrast
};
std::span<const Setting> settings();

}  // namespace vitrine
