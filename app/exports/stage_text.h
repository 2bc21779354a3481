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
/// The stage as text for a screen reader: title, sentence, equation in plain letters, the shown numbers with all their
/// digits, the changes, and the prediction. Empty if the place has none.
std::string stage_text(const AppContext& context);
/// Title and caption of the stage on one line; empty if the place has none.
std::string stage_caption(const AppContext& context);
/// Lines on the prediction without and with the changes, and on their other effects on it; empty if it is unchanged.
std::vector<std::string> changed_prediction(const AppContext& context, const InView& shown);
/// Copies `stage_text` to the clipboard and shows a notice.
void copy_stage_text(AppContext& context);

}  // namespace vitrine
