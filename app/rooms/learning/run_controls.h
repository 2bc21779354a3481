#pragma once

#include <string>

#include "app/rooms/learning/chosen_runs.h"
#include "app/rooms/room.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/run_view.h"

// Controls of the learning room that runs of both families have.

namespace vitrine {

/// Experiments, or choices of one's own? True where another tab was chosen, which the settings then remember.
bool own_tab(const Frame& frame, bool own);

/// A or B: whose choices the controls show.
void edited_choice(const Ui& ui, int& edited);

/// One run or two; the second begins as the first, and is the one that is changed.
template <class Family>
void two_choice(const Ui& ui, ChosenRuns<Family>& runs, const char* tip) {
    if (toggle(ui, {"learn.two", ui.text("learn.two"), ui.text(tip), {}}, runs.two)) {
        runs.choices[1] = runs.choices[0];
        runs.edited = runs.two ? 1 : 0;
    }
    if (runs.two) edited_choice(ui, runs.edited);
}

/// A run's name, and how it stands.
void run_state(const Ui& ui, int run, RunStage stage, const std::string& words);
void save_button(const Frame& frame, int run, const char* tip);
/// What was saved, and over the words about what to watch.
void watch_heading(const Frame& frame);

}  // namespace vitrine
