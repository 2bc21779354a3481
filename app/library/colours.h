#pragma once

#include "core/base/names.h"

namespace vitrine {

/// How a model reads an image file with a colour profile: `stored` takes the file's numbers as they are, as the usual
/// training pipelines do; `managed` converts them to sRGB, as the screen shows them.
enum class Colours { stored, managed };
inline constexpr Named<Colours> colours_names[] = {{Colours::stored, "stored"}, {Colours::managed, "managed"}};
inline const char* name_of(Colours colours) { return name_in(colours_names, colours); }

}  // namespace vitrine
