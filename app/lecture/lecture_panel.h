#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// What a lecture shows over the stage: progress, what is switched off, what stands alone, notes; inside the window's
/// root.
void lecture_cards(const Frame& frame);
/// Ink, laser, spotlight and the black screen, over everything.
void lecture_overlay(const Frame& frame);

}  // namespace vitrine
