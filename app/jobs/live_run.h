#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/jobs/kept_moments.h"
#include "app/platform/threads.h"
#include "app/workspace/run_view.h"
#include "core/base/clock.h"
#include "core/training/runs/run_record.h"
#include "core/training/trainer.h"

namespace vitrine {

/// The fastest pace, in steps per second, that a viewer can follow; up to it, runs are measured more often.
constexpr double slow_pace = 40;

/// Measures a set of runs of a family in training and makes their moments. The training job uses the functions that
/// `Observer<Pictures>` and `Observer<Texts>` have in common.
template <class Family>
class Observer;

/// A run of the training job, with its history.
template <class Family>
struct LiveRun {
    explicit LiveRun(const typename Family::Recipe& r, int crew = training_thread_count())
        : recipe(r), threads(crew), trainer(r, {crew, low_niceness}) {}

    bool over() const { return stage == RunStage::done || stage == RunStage::diverged; }

    double progress() const {
        if (recipe.promised_seconds) return seconds / *recipe.promised_seconds;
        return static_cast<double>(trainer.seen()) / static_cast<double>(recipe.promised_examples.value_or(1));
    }

    /// Extends a finished run by its original length.
    void extend() {
        if (stage != RunStage::done) return;
        const auto& first = trainer.recipe();
        if (first.promised_seconds) *recipe.promised_seconds += *first.promised_seconds;
        if (first.promised_examples) *recipe.promised_examples += *first.promised_examples;
        stage = RunStage::paused;
    }

    void step() {
        constexpr std::uint64_t most_points = 2000;  // in a curve
        stage = RunStage::running;
        report = trainer.step(std::min(1.0, progress()));
        score.take(report, Observer<Family>::share_of_step(recipe.batch));
        if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm))
            stage = RunStage::diverged;
        else if (progress() >= 1)
            stage = RunStage::done;
        if (report.step < next_point) return;
        curve = std::make_shared<LearningCurve>(*curve);
        curve->seen.push_back(static_cast<double>(report.seen));
        curve->loss.push_back(score.loss);
        curve->accuracy.push_back(score.accuracy);
        next_point =
            report.step + 1 + report.step * 4 / most_points;  // denser at the beginning, where the curve changes most
    }

    /// Restarts the measurement of speed, after a pause or a look.
    void begin_timing() {
        looked_at = Clock::now();
        seen_then = trainer.seen();
    }

    /// Updates `speed`, in examples per second: a mean over about ten seconds, so that the time left is steady.
    void measure_speed() {
        constexpr double memory = 10;
        const double passed = seconds_since(looked_at);
        if (trainer.seen() > seen_then && looked_at != Clock::time_point()) {
            const double newest = static_cast<double>(trainer.seen() - seen_then) / std::max(passed, 1e-6);
            timed += passed;
            // At first the mean of all measurements, so that no single one dominates.
            speed += (newest - speed) * std::min(1.0, passed / std::min(timed, memory));
        }
        begin_timing();
    }

    /// The part of a moment that is common to all families.
    RunMomentBase<Family> moment(bool with_model) const {
        return {report, score.loss, seconds,
                with_model ? std::make_shared<const typename Family::Model>(trainer.model()) : nullptr};
    }

    typename Family::Recipe recipe;
    const int threads;
    Trainer<Family> trainer;
    StepReport report;
    RunStage stage = RunStage::ready;
    RunningScore score;
    double seconds = 0, speed = 0, timed = 0;
    std::uint64_t next_check = 0, next_point = 0;  // in examples; in steps
    std::shared_ptr<LearningCurve> curve = std::make_shared<LearningCurve>();
    KeptMoments<RunMoment<Family>> kept{Observer<Family>::most_moments};
    Clock::time_point looked_at;
    double look_cost = 0;  // in seconds
    std::uint64_t seen_then = 0;
    std::optional<double> expected_pace;
    RunCheckpoint checkpoint;
    std::uint64_t step_of_checkpoint = 0;
    typename Observer<Family>::Inside inside = {};  // as last measured, or as in the checkpoint
    std::optional<std::uint64_t> restored;          // step of the checkpoint that the run continues
};

}  // namespace vitrine
