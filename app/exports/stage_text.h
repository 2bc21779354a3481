#pragma once

#include <string>
#include <vector>

namespace vitrine {

struct AppContext;
struct InView;

/// Whether the shown place has a text: there is a run, and the room has chapters or instruments.
bool has_stage_text(const AppContext& context);
/// True if there is a run, of an image or a text, with numbers to save or copy.
bool has_numbers(const AppContext& context);
/// The stage as text for a screen reader: title, sentence, equation in plain letters, the numbers shown with all their
/// digits, what is changed, and the prediction. Empty if the place has none.
std::string stage_text(const AppContext& context);
/// Title and caption of the stage in a line; empty if the place has none.
std::string stage_caption(const AppContext& context);
/// The prediction without the changes and with them, and their other effects on it; none if nothing is changed.
std::vector<std::string> changed_prediction(const AppContext& context, const InView& shown);
/// Copies it to the clipboard and says so.
void copy_stage_text(AppContext& context);

}  // namespace vitrine
