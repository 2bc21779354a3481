#pragma once

#include <string>

namespace vitrine {

struct AppContext;

/// Whether the shown place has a text: there is a run, and the room has chapters or instruments.
bool has_stage_text(const AppContext& context);
/// The stage as text for a screen reader: title, sentence, equation in plain letters, the numbers shown with all their
/// digits, what is changed, and the prediction. Empty if the place has none.
std::string stage_text(const AppContext& context);
/// Copies it to the clipboard and says so.
void copy_stage_text(AppContext& context);

}  // namespace vitrine
