#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Draws a lecture over the stage, in the window's root: progress, changes, content that fills the window, notes.
void lecture_cards(const Frame& frame);
/// Ink, laser, spotlight and the black screen, over everything.
void lecture_overlay(const Frame& frame);

}  // namespace vitrine
