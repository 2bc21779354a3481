#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

/// The rectangle of the open dialog; to be called within its layer.
Rect dialog_place();

}  // namespace vitrine
