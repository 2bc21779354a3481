#pragma once

#include <span>

#include "core/training/pictures/brush.h"

namespace vitrine {

/// A setting of the picture book, behind its things: a meadow, the sea, a room …
struct Setting {
    const char* name;
    void (*paint)(PictureScene& scene, const Light& light);  // also sets scene.background, for contrast
};
std::span<const Setting> settings();

}  // namespace vitrine
