#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// All papers that Vitrine rests on: searched by typing, opened or copied by a click, taken away as BibTeX.
void references_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
