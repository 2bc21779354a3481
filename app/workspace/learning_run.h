#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/files/image.h"
#include "core/tensor/tensor.h"
#include "core/training/trainer.h"

// What the learning room shows of models while they learn: made by app/jobs/learning.

namespace vitrine {

/// The pictures that every run of the class is looked at with: the same ones, small for the model, large for the eye.
struct ExamplePicture {
    int label = 0;
    std::shared_ptr<const Image> small, large;
};

/// How a block's gradients and weights are spread, after one step.
struct BlockFlow {
    static constexpr int bins = 48;
    static constexpr double lowest = -9, highest = 1;  // of log10 |∂loss/∂w|; what is smaller counts as the lowest
    std::array<float, bins> gradients = {};            // shares, summing to 1 with the zeros in the first
    double gradient_norm = 0;                          // Euclidean, over the block's parameters
    double weight_norm = 0;
};

/// A run at one moment: all that is drawn of it. Immutable.
struct LearningMoment {
    StepReport report;
    double loss = 0, accuracy = 0;       // smoothed over the last some hundred pictures, before their steps
    double seconds = 0;                  // of learning
    std::shared_ptr<const Model> model;  // null where only the curves of a run are looked at; then nothing below
    std::vector<float> attention;        // (examples, L, h, N_p): where the class token looks, its own share left out
    std::vector<float> probabilities;    // (examples, classes)
    Tensor2 position_similarity;         // (N_p, N_p), cosine; empty without positions
    std::vector<BlockFlow> blocks;       // of the last step
};

/// Loss and accuracy over the pictures seen so far.
struct LearningCurve {
    std::vector<double> pictures, loss, accuracy;
    /// Where pictures run out, now and then: without dropout, on some fresh ones and on some of the run's own.
    std::vector<double> checked, fresh, training;

    /// Whether pictures of its own and fresh ones are told apart.
    bool parts() const { return !checked.empty(); }
};

enum class RunStage { ready, running, paused, done, diverged };

/// One run as the window sees it.
struct RunView {
    Recipe recipe;
    RunStage stage = RunStage::ready;
    double progress = 0;             // 0 … 1
    double pictures_per_second = 0;  // lately
    std::shared_ptr<const LearningMoment> now;
    std::vector<std::shared_ptr<const LearningMoment>> kept;  // from the first on, evenly thinned
    std::shared_ptr<const LearningCurve> curve;
    /// Pictures a second of this run alone, as a few steps took that were timed aside before it began; of a run that
    /// promises pictures, once that is known.
    std::optional<double> expected_pace = {};
};

/// How long all runs together take on this machine, from nothing to their end, looking at them left out; nothing while
/// that is not known.
std::optional<double> expected_seconds(const std::vector<RunView>& runs);

/// Whether there are runs, and none of them learns any more.
bool are_over(const std::vector<RunView>& runs);
/// Whether one of them could learn longer: it did not diverge.
bool can_go_on(const std::vector<RunView>& runs);

}  // namespace vitrine
