#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

struct AppContext;
struct Frame;
struct State;
struct Focus;

// The first minute: a strip in place of the tokens, below the attention maps, that leads through a click on a patch,
// all heads, and one head switched off, to a prediction that moves.

/// The next action that the strip asks for; it depends only on the experiment and the focus.
enum class FirstMinute { patch, all_heads, switch_off, seen };
FirstMinute first_minute_at(const Focus& focus, bool changed);

/// Whether its strip is shown.
bool shows_first_minute(const State& state, const Focus& focus);
/// Draws it in the current child window.
void first_minute_strip(const Frame& frame);

}  // namespace vitrine
