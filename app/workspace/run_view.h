#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/workspace/kept_runs.h"
#include "core/training/crew.h"
#include "core/training/families.h"
#include "core/training/learning_curve.h"

// The learning room's view of models of either family in training: made by app/jobs/learning.

namespace vitrine {

enum class RunStage { ready, running, paused, done, diverged };

/// The part of a moment that is common to all families.
template <class Family>
struct RunMomentBase {
    StepReport report;
    double loss = 0;     // smoothed, in nats
    double seconds = 0;  // of training
    std::shared_ptr<const typename Family::Model> model;
};

/// The drawn state of a run at one moment. Immutable. See `learning_run.h` for pictures, `text_learning_run.h` for
/// texts.
template <class Family>
struct RunMoment;

/// A run as shown in the window.
template <class Family>
struct RunView {
    typename Family::Recipe recipe;
    RunStage stage = RunStage::ready;
    double progress = 0;             // 0 … 1
    double examples_per_second = 0;  // recent
    std::shared_ptr<const RunMoment<Family>> now;
    std::vector<std::shared_ptr<const RunMoment<Family>>> kept;  // from the first to the newest, evenly thinned
    std::shared_ptr<const LearningCurve> curve;
    /// Examples per second for this run alone, estimated from a few timed steps before it began; only for a run of a
    /// fixed number of examples, once known.
    std::optional<double> expected_pace = {};
    RunCheckpoint checkpoint = {};               // as of its last pause, or some seconds ago
    std::optional<std::uint64_t> restored = {};  // step of another window's checkpoint from which it was restored

    bool over() const { return stage == RunStage::done || stage == RunStage::diverged; }
    /// The shown moment: the newest, or the kept one at a position 0 … 1. Null before the first.
    std::shared_ptr<const RunMoment<Family>> at(std::optional<float> scrub) const {
        if (!scrub || kept.empty()) return now;
        const auto last = static_cast<float>(kept.size() - 1);
        return kept[static_cast<std::size_t>(std::lround(std::clamp(*scrub, 0.0F, 1.0F) * last))];
    }
};

template <class Family>
using RunViews = std::vector<RunView<Family>>;

/// True if there are runs and all are finished.
template <class Family>
bool are_over(const RunViews<Family>& runs) {
    return !runs.empty() && std::ranges::all_of(runs, &RunView<Family>::over);
}

/// True if any of the runs can be continued: it did not diverge.
template <class Family>
bool can_go_on(const RunViews<Family>& runs) {
    return std::ranges::any_of(runs, [](const auto& run) { return run.stage != RunStage::diverged; });
}

/// True if any of the runs has begun.
template <class Family>
bool any_has_begun(const RunViews<Family>& runs) {
    return std::ranges::any_of(runs, [](const auto& run) { return run.stage != RunStage::ready; });
}

/// True if there are runs and all have their models.
template <class Family>
bool shows_models(const RunViews<Family>& runs) {
    return !runs.empty() && std::ranges::all_of(runs, [](const auto& run) { return run.now && run.now->model; });
}

/// Seconds until all runs are over, at their recent speeds: the longest remaining time, since the runs take turns. None
/// if unknown, or if nothing is left.
template <class Family>
std::optional<double> seconds_left(const RunViews<Family>& runs) {
    double longest = 0;
    for (const RunView<Family>& run : runs) {
        if (run.over()) continue;
        const double left = 1 - run.progress;
        if (run.recipe.promised_seconds) {
            longest = std::max(longest, *run.recipe.promised_seconds * left);
            continue;
        }
        if (run.examples_per_second <= 0 || !run.recipe.promised_examples) return std::nullopt;
        longest =
            std::max(longest, static_cast<double>(*run.recipe.promised_examples) * left / run.examples_per_second);
    }
    return longest > 0 ? std::optional(longest) : std::nullopt;
}

/// Expected total duration of all runs on this machine in seconds, with at most `pace` steps per second in total (0:
/// unlimited); the time for measuring is not included. None if unknown.
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
