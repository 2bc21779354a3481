#pragma once

#include <optional>
#include <string>

#include "app/rooms/room.h"

namespace vitrine {

/// What the step, or the chapter of the Text room, asks and says.
struct Asked {
    std::string equation, equation_words, question, answer;
};
/// That of what is shown; nothing in other rooms, or where there is no run yet.
std::optional<Asked> asked_in(const Frame& frame);

/// A card over the stage at a place of the window; the caller ends it with end_card.
void begin_card(const Ui& ui, const char* id, Rect rect, Color ground);
void end_card();

/// What a lecture shows over the stage: progress, what is switched off, what stands alone, notes; inside the window's
/// root.
void lecture_cards(const Frame& frame);
/// Ink, laser, spotlight and the black screen, over everything.
void lecture_overlay(const Frame& frame);

}  // namespace vitrine
