#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct Laboratory;
struct Measured;
struct Ui;

/// What the instrument is, its controls, what it is not. `measured`: null while there is nothing yet.
void laboratory_panel(const Frame& frame, const Measured* measured);

/// Which instrument? One tab each.
void laboratory_tabs(const Ui& ui, Laboratory& lab);

}  // namespace vitrine
