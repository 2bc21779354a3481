#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// A direction in logit space: a class, or one class against another.
struct Target {
    int index = 0;
    std::optional<int> against = {};

    bool operator==(const Target&) const = default;
};

/// A finished forward pass and the target.
struct RelevanceOf {
    const Model& model;
    const Trace& trace;
    std::span<const Intervention> what_ifs = {};  // of the trace's run
    Target target;
    int first_block = 1, last_block = 0;  // ℓ; 0: L
};

/// Gradient-weighted relevance (Chefer, Gur & Wolf, ICCV 2021, the generic form): Â = mean over heads of (∇A ⊙ A)⁺ with
/// ∇A the gradient of the target's logit, R ← R + Â R from R = I, after each block of the range.      ->  (N, N) each
std::vector<Tensor2> relevance_by_block(const RelevanceOf& of, const Progress& progress = {});

/// The relevance of each token to the head: the rows of `relevance`, the last such matrix, weighted by each token's
/// share in the readout. If the head pools by attention, weighted by (∇A ⊙ A)⁺ of its query, mean over its heads. (N)
std::vector<float> relevance_of_readout(const RelevanceOf& of, const Tensor2& relevance);

}  // namespace vitrine
