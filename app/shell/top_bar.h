#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// What am I looking at? The rooms, the image, the model, the selection as a sentence, the tools.
void top_bar(const Frame& frame);

}  // namespace vitrine
