#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// What a lecture draws over the stage: progress, changes, what fills the window, notes; in the window's root.
void lecture_cards(const Frame& frame);
/// Ink, laser, spotlight and the black screen, over everything.
void lecture_overlay(const Frame& frame);

}  // namespace vitrine
