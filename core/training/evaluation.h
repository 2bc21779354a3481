#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/model.h"

namespace vitrine {

/// Overlap of an attention map of the class token with the things in the pictures. Leaves out pictures of "nothing".
struct AttentionQuality {
    double object_mass = 0;  // share of the map on the thing, without the class token itself
    double mass_ratio = 0;   // that share ÷ the thing's share of the area
    /// Mass per area on patches that are at least half thing, else at least half occluder, else at least half
    /// distractor, else the rest; 1 is uniform.
    double object_density = 0, distractor_density = 0, occluder_density = 0, background_density = 0;
    double pointing = 0;  // how often the largest patch is at least a quarter thing
};

/// A model's answers for pictures of one difficulty, and their confidence.
struct AnswerQuality {
    Difficulty difficulty = Difficulty::normal;
    int count = 0;
    double accuracy = 0;
    double calibration_error = 0;       // see confidence.h
    double median_top_probability = 0;  // see confidence.h
    double decisive_heads = 0;  // share of pictures on which removing some one head changes the top probability much
    double same_different = 0;  // two alike or different: share of right answers, 0 if the model has no such classes
};

struct Evaluation {
    AnswerQuality answers;                    // on normal pictures, like everything below
    std::vector<AnswerQuality> difficulty;    // easy, normal, hard
    std::vector<std::vector<int>> confusion;  // [true class][answer]
    AttentionQuality last_block, rollout;
    double untrained_pointing = 0, saliency_pointing = 0;  // baselines for `pointing`
    double object_area = 0;
    double least_entropy = 0, most_entropy = 0;    // over all heads: means over queries and pictures, in nats
    double least_distance = 0, most_distance = 0;  // the same, in pixels
    double head_divergence = 0;                    // Jensen–Shannon, last block, in nats
    std::vector<double> lens;                      // probability of the true class after ℓ = 0 … L
};

struct EvaluationRequest {
    int count = 5000;    // pictures of each difficulty
    int ablated = 1000;  // of these, pictures on which heads are removed one at a time
    std::uint64_t seed = 0;
    int threads = 1;
    Progress progress = {};
    std::optional<int> kept_blocks = {};  // of each thread's run, within a budget of memory; none: all
};

/// Draws fresh pictures at the model's size and measures the model. Throws Error if the model's classes are not the
/// pictures'.
Evaluation evaluate(const Model& model, const EvaluationRequest& request);

}  // namespace vitrine
