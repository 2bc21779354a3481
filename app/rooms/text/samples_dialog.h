#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// All sample texts for the shown model, with the expected outputs; a click chooses one.
void text_samples_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
