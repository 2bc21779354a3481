#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/model.h"

namespace vitrine {

/// Overlap of the attention of the model's readout with the things in the pictures, without pictures of "nothing".
struct AttentionQuality {
    double object_mass = 0;  // share of the patches' attention that is on the thing
    double mass_ratio = 0;   // that share ÷ the thing's share of the area
    /// Mass per area on patches that are at least half thing, else at least half occluder, else at least half
    /// distractor, else the rest; 1 is uniform.
    double object_density = 0, distractor_density = 0, occluder_density = 0, background_density = 0;
    double pointing = 0;  // share of pictures whose patch of largest weight is at least a quarter thing
};

/// A model's answers for pictures of one difficulty, and their confidence.
struct AnswerQuality {
    Difficulty difficulty = Difficulty::normal;
    int count = 0;
    double accuracy = 0;
    double calibration_error = 0;       // see confidence.h
    double median_top_probability = 0;  // see confidence.h
    double decisive_heads = 0;          // share of pictures with a head whose removal matters (`decisive_change`)
    double same_different = 0;          // accuracy on two things, alike or different; 0 without such classes
};

struct Evaluation {
    AnswerQuality answers;                    // on normal pictures, like all below except `difficulty`
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
    std::optional<int> kept_blocks = {};  // blocks that each thread's run keeps in memory; none: all
};

/// Draws fresh pictures at the model's size and measures the model. Throws Error if the model's classes are not the
/// pictures'.
Evaluation evaluate(const Model& model, const EvaluationRequest& request);

}  // namespace vitrine
