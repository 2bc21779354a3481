#pragma once

#include <vector>

namespace vitrine {

struct Frame;
struct Focus;
struct Intervention;

// The first minute: a strip in place of the tokens, below the attention maps, that leads through a click on a patch,
// all heads, and one head switched off, to a changed prediction.

/// The head that the first minute switches off: without it the bundled model predicts dog, not cat, for the first
/// minute's picture.
constexpr int first_minute_block = 6, first_minute_head = 1;

/// The next action that the strip asks for; it depends only on the experiment and the focus. Switching off one more
/// head changes little, so the strip does not end there. In another chapter it asks whether to continue.
enum class FirstMinute { patch, all_heads, switch_off, seen, left };
FirstMinute first_minute_at(const Focus& focus, const std::vector<Intervention>& what_ifs);

/// Whether the strip is shown: only for the first minute's picture and model, and outside lectures.
bool shows_first_minute(const Frame& frame);
/// Draws the strip in the current child window.
void first_minute_strip(const Frame& frame);

}  // namespace vitrine
