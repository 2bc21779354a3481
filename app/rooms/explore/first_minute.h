#pragma once

#include <vector>

namespace vitrine {

struct Frame;
struct Focus;
struct Intervention;

// The first minute: a strip in place of the tokens, below the attention maps, that leads through a click on a patch,
// all heads, and one head switched off, to a prediction that moves.

/// The head that it switches off: without it the bundled model calls the picture of the first minute a dog, no longer a
/// cat.
constexpr int first_minute_block = 6, first_minute_head = 1;

/// The next action that the strip asks for; it depends only on the experiment and the focus. Switching off one more
/// head changes little, so the strip does not end there. In another chapter it asks whether to continue.
enum class FirstMinute { patch, all_heads, switch_off, seen, left };
FirstMinute first_minute_at(const Focus& focus, const std::vector<Intervention>& what_ifs);

/// Whether its strip is shown: for its own picture and model.
bool shows_first_minute(const Frame& frame);
/// Draws it in the current child window.
void first_minute_strip(const Frame& frame);

}  // namespace vitrine
