#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct State;
struct Theme;

/// Whether a stop's notes and question stand beside the picture, for who reads a lesson alone: never where the window
/// fills a screen or the presenter has a window of their own.
bool reads_alone(const State& state);
/// Whether the panel with them stands there: a stop that says nothing has none.
bool reads_beside(const State& state);

/// Whether the lecturer's own notes stand beside the picture of a lecture, where the presenter's window has none.
bool notes_beside(const State& state);
/// The width that either takes from the stage in a window of this width.
float reading_width(const Theme& theme, float window);

/// Notes, question, answer once it is asked for, what can be switched, explanation and numbers of the stop, whose name
/// stands over its picture; × hides them.
void reading_panel(const Frame& frame);

}  // namespace vitrine
