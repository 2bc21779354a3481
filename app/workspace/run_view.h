#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "core/training/crew.h"
#include "core/training/families.h"
#include "core/training/learning_curve.h"

// What the learning room shows of models while they learn, of either family: made by app/jobs/learning.

namespace vitrine {

enum class RunStage { ready, running, paused, done, diverged };

/// What a run of any family is at one moment.
template <class Family>
struct RunMomentBase {
    StepReport report;
    double loss = 0;     // smoothed, in nats
    double seconds = 0;  // of learning
    std::shared_ptr<const typename Family::Model> model;
};

/// A run at one moment: all that is drawn of it. Immutable. `learning_run.h` has that of pictures,
/// `text_learning_run.h` that of texts.
template <class Family>
struct RunMoment;

/// One run as the window sees it.
template <class Family>
struct RunView {
    typename Family::Recipe recipe;
    RunStage stage = RunStage::ready;
    double progress = 0;             // 0 … 1
    double examples_per_second = 0;  // lately
    std::shared_ptr<const RunMoment<Family>> now;
    std::vector<std::shared_ptr<const RunMoment<Family>>> kept;  // from the first on, evenly thinned
    std::shared_ptr<const LearningCurve> curve;
    /// Examples a second of this run alone, as a few steps took that were timed aside before it began; of a run that
    /// promises a number of examples, once that is known.
    std::optional<double> expected_pace = {};

    bool over() const { return stage == RunStage::done || stage == RunStage::diverged; }
    /// The moment that is shown: the newest, or the one at a place 0 … 1 of the kept ones. None before the first.
    std::shared_ptr<const RunMoment<Family>> at(std::optional<float> scrub) const {
        if (!scrub || kept.empty()) return now;
        const auto last = static_cast<float>(kept.size() - 1);
        return kept[static_cast<std::size_t>(std::lround(std::clamp(*scrub, 0.0F, 1.0F) * last))];
    }
};

template <class Family>
using RunViews = std::vector<RunView<Family>>;

/// Whether there are runs, and none of them learns any more.
template <class Family>
bool are_over(const RunViews<Family>& runs) {
    return !runs.empty() && std::ranges::all_of(runs, &RunView<Family>::over);
}

/// Whether one of them could learn longer: it did not diverge.
template <class Family>
bool can_go_on(const RunViews<Family>& runs) {
    return std::ranges::any_of(runs, [](const auto& run) { return run.stage != RunStage::diverged; });
}

/// Whether any of them has seen something.
template <class Family>
bool any_has_begun(const RunViews<Family>& runs) {
    return std::ranges::any_of(runs, [](const auto& run) { return run.stage != RunStage::ready; });
}

/// Whether there are runs, and all of them are looked at with their models.
template <class Family>
bool shows_models(const RunViews<Family>& runs) {
    return !runs.empty() && std::ranges::all_of(runs, [](const auto& run) { return run.now && run.now->model; });
}

/// How long all runs together take on this machine, from nothing to their end, at most `pace` steps of all of them a
/// second (0: as fast as possible), looking at them left out; nothing while that is not known.
template <class Family>
std::optional<double> expected_seconds(const RunViews<Family>& runs, double pace = 0) {
    double seconds = 0, rounds = 0;
    for (const RunView<Family>& run : runs) {
        if (!run.expected_pace || !run.recipe.promised_examples) return std::nullopt;
        const auto promised = static_cast<double>(*run.recipe.promised_examples);
        seconds += promised / *run.expected_pace;
        rounds = std::max(rounds, promised / run.recipe.batch);
    }
    return runs.empty() ? std::nullopt : std::optional(pace > 0 ? std::max(seconds, rounds / pace) : seconds);
}

}  // namespace vitrine
