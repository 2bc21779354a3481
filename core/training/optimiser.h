#pragma once

#include <cstdint>
#include <vector>

#include "core/training/families.h"
#include "core/vit/flat_weights.h"

namespace vitrine {

/// An optimiser's running moments of the gradients, in the shape of the parameters.
struct OptimiserState {
    NumberRow first, second;  // Muon keeps its momentum in `first`
    std::uint64_t steps = 0;

    explicit OptimiserState(std::size_t parameters) : first(parameters), second(parameters) {}
    explicit OptimiserState(const Config& config) : OptimiserState(FlatWeights(config).values().size()) {}
};

/// One parameter's part of an update; the parts are independent, so threads may share them.
struct UpdatePart {
    std::size_t offset = 0, rows = 0, columns = 0;
    bool muon = false;
    bool beside_muon = false;  // updated by AdamW although the optimiser is Muon
    bool decays = false;       // weight decay, for matrices only

    double cost() const;  // approximate, for load balancing
};
/// The parts of an update; `named` are views into `parameters`.
std::vector<UpdatePart> update_parts(const FlatNumbers& parameters, const std::vector<NamedParameter>& named,
                                     Optimiser optimiser);
std::vector<UpdatePart> update_parts(const FlatWeights& parameters, Optimiser optimiser);

/// Parameters of one step for both optimisers.
struct UpdateStep {
    double learning_rate = 0, weight_decay = 0;
    double gradient_scale = 1;  // factor from clipping
    double momentum = 0.9;      // Muon's
    double vector_rate = 0.3;   // AdamW's rate under Muon, as a share of Muon's
    double second_beta = 0.99;  // AdamW's; the first one is 0.9
    double epsilon = 1e-8;      // AdamW's
    std::uint64_t step = 1;
};

/// Applies AdamW with a first beta of 0.9, or Muon: Nesterov momentum, five Newton–Schulz steps, and a factor of 0.2
/// √max(rows, columns).
void update(const UpdatePart& part, const UpdateStep& step, FlatNumbers& parameters, const FlatNumbers& gradients,
            OptimiserState& moments);

/// Approximately the nearest matrix with orthogonal rows or columns: singular values end up in 0.7 … 1.2. X (rows,
/// columns), in place; coefficients from Jordan et al. 2024.
void orthogonalise(float* x, std::size_t rows, std::size_t columns);

}  // namespace vitrine
