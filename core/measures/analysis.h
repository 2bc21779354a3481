#pragma once

#include <span>
#include <vector>

#include "core/tensor/parameter.h"
#include "core/tensor/tensor.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

// Numbers read from a trace: pure functions that change nothing in the run.

struct Prediction {
    int index = 0;
    float logit = 0.0F;
    float probability = 0.0F;
};

/// The classes with the largest logits, best first; ties by index, NaN last. Empty if the model has no classifier.
std::vector<Prediction> top_predictions(const HeadTrace& head, int count);

/// The prediction for one class.
Prediction prediction_of(const HeadTrace& head, int index);

/// A class's probability in a run and in the run it is compared with.
struct PredictionChange {
    Prediction now;
    float probability_before = 0.0F;
};

/// The best classes of a run, best first; the previous best is always included, in the last place if necessary.
std::vector<PredictionChange> top_changes(const HeadTrace& now, const HeadTrace& before, int count);

/// max |S_ij − S_ji| of a head's scores in a run whose keys are its queries; 0 if rounding alone explains it.
float asymmetry(const BlockTrace& block, int head);

/// ⟨a_i, a_j⟩ / (‖a_i‖ ‖a_j‖) for all pairs of rows.      (n, d)  ->  (n, n), 0 for a zero row
Tensor2 cosine_similarity(const float* rows, std::size_t count, std::size_t length);

/// Mean cosine similarity of all pairs of different rows, zero rows left out: 1 when all tokens point one way, which
/// is where attention without skip connections leads (Dong et al. 2021).      (N, D)  ->  −1 … 1, 0 without a pair
double mean_pair_cosine(const Tensor2& tokens);

/// Cosine similarity of one row to every row.      (n, d)  ->  (n), 0 for a zero row
std::vector<float> cosines_to(const Tensor2& rows, int row);

/// Euclidean norms of the rows.      (n, d)  ->  (n)
std::vector<float> row_norms(const Tensor2& rows);
/// ⟨a_i, b_i⟩ / (‖a_i‖ ‖b_i‖) row by row.      (n, d), (n, d)  ->  (n), 0 for a zero row
std::vector<float> row_cosines(const Tensor2& a, const Tensor2& b);
/// Cosine similarity of two vectors of one length; 0 for a zero vector.
float cosine(std::span<const float> a, std::span<const float> b);

/// The contribution of each head to a token: heads_i W_O[:, i·d … (i + 1)·d]ᵀ. The rows and the bias of W_O sum to the
/// token's msa (ViT paper, Eq. 8).      ->  (h, D)
Tensor2 head_contributions(const AttentionTrace& t, const LinearWeights& projection, int token);

/// The norms of one head's contributions to all tokens.      ->  (N)
std::vector<float> head_contribution_norms(const BlockTrace& block, const LinearWeights& projection, int head);

/// The norms of a_j v_j, the terms of one head's weighted sum: the effect of a weight rather than its size.      ->
/// (N)
std::vector<float> value_weighted_norms(const BlockTrace& block, int head, int query);

/// Spearman's correlation of two rankings, −1 … 1; equal values share the mean of their ranks; 0 if one is constant.
double rank_correlation(std::span<const float> a, std::span<const float> b);

/// Relative length of a block's branches: mean over the tokens of ‖branch‖ / ‖z‖, where z is what the branch is added
/// to.
struct SkipRatio {
    double attention = 0, mlp = 0;
};
std::vector<SkipRatio> skip_ratios(const Trace& trace);  // by block

/// The indices of the largest values, largest first.
std::vector<int> largest(std::span<const float> values, int count);

/// −log Q(true class) in nats, from the logits; exact even if the probability rounds to 0.
double cross_entropy(std::span<const float> logits, int true_class);

/// Mean, standard deviation (population), extremes and Euclidean norm.
struct Summary {
    float mean = 0.0F, deviation = 0.0F, least = 0.0F, most = 0.0F, norm = 0.0F;
};
Summary summarise(std::span<const float> values);

/// One number of the patch embedding: ⟨patch, filter⟩ + bias, all in the order (c, y, x).
struct FilterProduct {
    std::vector<float> patch, filter, product;  // (C·P·P)
    float sum = 0.0F, bias = 0.0F, result = 0.0F;
};
FilterProduct filter_product(const Tensor3& image, const LinearWeights& embedding, int patch, int feature);

}  // namespace vitrine
