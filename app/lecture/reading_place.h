#pragma once

namespace vitrine {

struct State;
struct Theme;

// Whether and how wide a panel of words is beside a lecture's picture.

/// True if a stop's notes and question are shown beside the picture, for reading a lesson alone: never in full screen
/// or with a presenter's window.
bool reads_alone(const State& state);
/// True if that panel is visible: not for a stop without text.
bool reads_beside(const State& state);

/// True if the lecturer's notes are shown beside the picture, for lack of a presenter's window.
bool notes_beside(const State& state);
/// Width of either panel in a window of this width.
float reading_width(const Theme& theme, float window);

}  // namespace vitrine
