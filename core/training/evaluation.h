#pragma once

#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/model.h"

namespace vitrine {

/// How a map of the class token's attention lies on the things in the pictures. Pictures of "nothing" do not count.
struct AttentionQuality {
    double object_mass = 0;  // share of the map on the thing, the class token's own left out
    double mass_ratio = 0;   // that share against the thing's share of the area
    /// On patches at least half thing, else at least half what lies over it, else at least half distractor, else the
    /// rest, against their number: 1 is uniform.
    double object_density = 0, distractor_density = 0, occluder_density = 0, background_density = 0;
    double pointing = 0;  // how often the largest patch is at least a quarter thing
};

/// What a model says of pictures of one difficulty, and how sure it is.
struct AnswerQuality {
    Difficulty difficulty = Difficulty::normal;
    int count = 0;
    double accuracy = 0;
    double calibration_error = 0;       // see confidence.h
    double median_top_probability = 0;  // likewise
    double decisive_heads = 0;          // share on which taking away some one head changes the top probability much
    double same_different = 0;          // two alike or different: share right, 0 where the model has no such classes
};

struct Evaluation {
    AnswerQuality answers;                  // of normal pictures, as all that follows
    std::vector<AnswerQuality> difficulty;  // easy, normal, hard
    std::vector<std::vector<int>> confusion;  // [true class][said]
    AttentionQuality last_block, rollout;
    double untrained_pointing = 0, saliency_pointing = 0;  // what makes `pointing` honest
    double object_area = 0;
    double least_entropy = 0, most_entropy = 0;    // of all heads, means over queries and pictures, in nats
    double least_distance = 0, most_distance = 0;  // likewise, in pixels
    double head_divergence = 0;                    // Jensen–Shannon, last block, in nats
    std::vector<double> lens;                      // probability of the true class after ℓ = 0 … L
};

struct EvaluationRequest {
    int count = 5000;     // of each difficulty
    int ablated = 1000;   // of them: pictures on which heads are taken away one by one
    std::uint64_t seed = 0;
    int threads = 1;
    Progress progress = {};
};

/// Draws fresh pictures at the model's size and measures. Throws Error where the model's classes are not the pictures'.
Evaluation evaluate(const Model& model, const EvaluationRequest& request);

}  // namespace vitrine
