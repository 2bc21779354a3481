#pragma once

#include <string>
#include <vector>

#include "app/ui/ui.h"
#include "app/workspace/learning_run.h"

namespace vitrine {

struct LearningState;

/// "A · L = 4, D = 64 · pre-norm · Muon 0.0100": a run's distinguishing settings; without the size if brief.
enum class RunName { full, brief };
std::string run_name(const Ui& ui, const Recipe& recipe, int run, RunName how = RunName::full);

/// The key of the sentence about runs that have not begun.
std::string sentence_of_runs(const LearningState& state);

/// "B · no skips": how a run differs from the other one; its full name if it does not, or if their sizes differ.
std::string apart_name(const Ui& ui, const RunViews<Pictures>& runs, int run);

}  // namespace vitrine
