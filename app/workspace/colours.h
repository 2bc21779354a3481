#pragma once

#include "core/base/names.h"

namespace vitrine {

/// What a model is given of an image file with a colour profile: the numbers that are stored, as the pipelines that
/// trained it do, or the colours that they stand for, in sRGB. The screen shows the latter.
enum class Colours { stored, managed };
inline constexpr Named<Colours> colours_names[] = {{Colours::stored, "stored"}, {Colours::managed, "managed"}};
inline const char* name_of(Colours colours) { return name_in(colours_names, colours); }

}  // namespace vitrine
