#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// All texts that the room offers for the model that is shown, with what should be said to each; a click takes one.
void text_samples_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
