#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct State;
struct Theme;

/// True if a stop's notes and question are shown beside the picture, for reading a lesson alone: never in full screen
/// or with a presenter's window.
bool reads_alone(const State& state);
/// True if that panel is visible: not for a stop without text.
bool reads_beside(const State& state);

/// True if the lecturer's notes are shown beside the picture, for lack of a presenter's window.
bool notes_beside(const State& state);
/// Width of either panel in a window of this width.
float reading_width(const Theme& theme, float window);

/// The stop's notes, question, answer on request, what-ifs, explanation and numbers, under its name; × hides them.
void reading_panel(const Frame& frame);

}  // namespace vitrine
