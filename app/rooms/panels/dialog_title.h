#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

struct Theme;

/// Within a dialog's layer: the part of the line of the dialog's title that nothing else takes.
Rect free_in_title(const Theme& theme);

}  // namespace vitrine
