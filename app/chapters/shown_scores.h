#pragma once

#include <vector>

namespace vitrine {

struct Focus;
struct Result;

/// The numbers of the chosen query and key in the chapter about scores.
struct ShownScores {
    std::vector<float> q, k, product;       // (d): as they enter the scores; q ⊙ k
    std::vector<float> scores, weights;     // (N): the query's row in the run
    std::vector<float> undivided, without;  // (N): its scores and weights without ÷ √d
};
ShownScores scores_shown(const Result& now, const Focus& focus);

}  // namespace vitrine
