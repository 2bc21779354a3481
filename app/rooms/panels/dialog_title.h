#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

struct Theme;

/// Within a dialog: the free part of its title's line.
Rect free_in_title(const Theme& theme);

}  // namespace vitrine
