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

/// Tabs for experiments and custom runs; true if the tab changed, which the settings remember.
bool own_tab(const Frame& frame, bool own);

/// Choice of A or B for the controls.
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

/// Numbers of examples with their unit, "3840 pictures": the one count of how far training came.
std::string amount_text(const Text& text, const Recipe& recipe, const std::string& count);
std::string amount_text(const Text& text, const TextRecipe& recipe, const std::string& count);

/// The examples of one step: "32 pictures", or "32 / 64 pictures" where two runs differ.
template <class R>
std::string batch_text(const Text& text, const std::vector<R>& recipes) {
    const int first = recipes.front().batch, last = recipes.back().batch;
    const std::string count = std::to_string(first) + (first == last ? "" : " / " + std::to_string(last));
    return amount_text(text, recipes.front(), count);
}

/// A run's name and stage.
void run_state(const Ui& ui, int run, RunStage stage, const std::string& words);
void save_button(const Frame& frame, int run, const char* tip);
/// The outcome of restoring, and below its heading what to watch; `id`: of these words.
void watch_words(const Frame& frame, const std::string& words, const char* id);
/// How the figures are read, below a heading of its own: after the controls, where an experiment's own words come
/// first.
void reading_words(const Frame& frame, const std::string& words, const char* id);
/// The outcome of saving.
void saved_words(const Frame& frame);

}  // namespace vitrine
