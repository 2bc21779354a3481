#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct Laboratory;
struct Measured;
struct Ui;

/// Explanation, controls and caveat of the instrument. `measured`: null before the first measurement.
void laboratory_panel(const Frame& frame, const Measured* measured);

/// Tabs of the instruments.
void laboratory_tabs(const Ui& ui, Laboratory& lab);

}  // namespace vitrine
