#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

/// Within a dialog's layer: the rectangle of the dialog.
Rect dialog_place();

}  // namespace vitrine
