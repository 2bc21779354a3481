#pragma once

#include <cstddef>
#include <optional>
#include <span>
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

/// A run of an experiment: its preset's id, 'a' or 'b', and its name, such as "Skip connections, A: with skips".
struct RunOfExperiment {
    std::string id;
    char letter = 'a';
    std::string name;
};
/// The experiment of a finished run, one of several in the order in which they finished. Experiments share runs, so it
/// is the one whose other run is beside it, else the only one with such a run; none if there are several.
template <class Family>
std::optional<RunOfExperiment> experiment_of_run(const Text& text, std::span<const typename Family::Recipe> runs,
                                                 std::size_t run);

}  // namespace vitrine
