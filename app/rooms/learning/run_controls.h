#pragma once

#include <string>
#include <vector>

#include "app/rooms/learning/chosen_runs.h"
#include "app/rooms/room.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/run_view.h"

// Controls of the learning room for runs of both families.

namespace vitrine {

/// Tabs for experiments and custom runs; returns true if the tab changed, which is also stored in the settings.
bool own_tab(const Frame& frame, bool own);

/// Choice of the run, A or B, that the controls edit.
void edited_choice(const Ui& ui, int& edited);

/// Choice of one or two runs; the second starts as a copy of the first and becomes the edited one.
template <class Family>
void two_choice(const Ui& ui, ChosenRuns<Family>& runs, const char* tip) {
    if (toggle(ui, {"learn.two", ui.text("learn.two"), ui.text(tip), {}}, runs.two)) {
        runs.choices[1] = runs.choices[0];
        runs.edited = runs.two ? 1 : 0;
    }
    if (runs.two) edited_choice(ui, runs.edited);
}

/// A number of examples with its unit, "3840 pictures": the measure of training's progress everywhere.
std::string amount_text(const Text& text, const Recipe& recipe, const std::string& count);
std::string amount_text(const Text& text, const TextRecipe& recipe, const std::string& count);

/// The examples of one step: "32 pictures", or "32 / 64 pictures" where two runs differ.
template <class R>
std::string batch_text(const Text& text, const std::vector<R>& recipes) {
    const int first = recipes.front().batch, last = recipes.back().batch;
    const std::string count = std::to_string(first) + (first == last ? "" : " / " + std::to_string(last));
    return amount_text(text, recipes.front(), count);
}

/// Writes a run's letter as a heading, and its stage in `words` below.
void run_state(const Ui& ui, int run, RunStage stage, const std::string& words);
void save_button(const Frame& frame, int run, const char* tip);
/// Writes that runs were restored, if they were, then a heading and what to watch. `id` is the words' probe id.
void watch_words(const Frame& frame, const std::string& words, const char* id);
/// Writes a heading and how the figures are read: below the controls, since an experiment's own words are above them.
void reading_words(const Frame& frame, const std::string& words, const char* id);
/// Writes the outcome of saving, if there is one.
void saved_words(const Frame& frame);

}  // namespace vitrine
