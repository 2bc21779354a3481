#pragma once

#include <cstdint>
#include <vector>

#include "core/training/optimiser_kind.h"
#include "core/vit/flat_weights.h"

namespace vitrine {

/// What an optimiser remembers of the gradients so far, in the shape of the parameters.
struct OptimiserState {
    NumberRow first, second;  // Muon keeps its momentum in `first`
    std::uint64_t steps = 0;

    explicit OptimiserState(std::size_t parameters) : first(parameters), second(parameters) {}
    explicit OptimiserState(const Config& config) : OptimiserState(FlatWeights(config).values().size()) {}
};

/// One parameter's part of an update; parts do not depend on one another, so threads may share them.
struct UpdatePart {
    std::size_t offset = 0, rows = 0, columns = 0;
    bool muon = false;
    bool beside_muon = false;  // AdamW's, while Muon takes the matrices
    bool decays = false;       // weight decay: of matrices

    double cost() const;  // roughly, to share the work
};
/// `named` lie in the row `parameters`.
std::vector<UpdatePart> update_parts(const FlatNumbers& parameters, const std::vector<NamedParameter>& named,
                                     Optimiser optimiser);
std::vector<UpdatePart> update_parts(const FlatWeights& parameters, Optimiser optimiser);

/// Both optimisers' numbers for one step.
struct UpdateStep {
    double learning_rate = 0, weight_decay = 0;
    double gradient_scale = 1;  // what clipping leaves
    double momentum = 0.9;      // Muon's
    double vector_rate = 0.3;   // AdamW's share of the rate beside Muon
    double second_beta = 0.99;  // AdamW's; its first one is 0.9
    double epsilon = 1e-8;      // AdamW's
    std::uint64_t step = 1;
};

/// AdamW with a first beta of 0.9. Muon: Nesterov's momentum, five Newton–Schulz steps, 0.2 √max(rows, columns).
void update(const UpdatePart& part, const UpdateStep& step, FlatNumbers& parameters, const FlatNumbers& gradients,
            OptimiserState& moments);

/// The share of the learning rate after a share (0 … 1) of the run: a straight warm-up, then half a cosine to `last`.
double rate_after(double progress, double warm_up, double last);

/// The nearest matrix with orthogonal rows or columns, roughly: singular values come to 0.7 … 1.2. X (rows, columns),
/// in place; after Jordan et al. 2024, whose coefficients these are.
void orthogonalise(float* x, std::size_t rows, std::size_t columns);

}  // namespace vitrine
