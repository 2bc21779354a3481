#pragma once

#include <string>

#include "app/rooms/room.h"

namespace vitrine {

/// What a lecture shows over the stage: progress, question, notes and clock; inside the window's root.
void lecture_cards(const Frame& frame);
/// Ink, laser, spotlight and the black screen, over everything.
void lecture_overlay(const Frame& frame);
/// The speaker's notes: the lecturer's own, else the lesson's, else the step's.
std::string notes_text(const Ui& ui, const State& state, int step);

}  // namespace vitrine
