#pragma once

#include <array>
#include <memory>
#include <vector>

#include "app/workspace/run_view.h"
#include "core/tensor/tensor.h"
#include "core/training/recipe.h"

// The view of classifiers of pictures in training.

namespace vitrine {

struct Image;

/// An example picture shown to every run: small for the model, large for display.
struct ExamplePicture {
    int label = 0;
    std::shared_ptr<const Image> small, large;
};

/// Distributions of a block's gradients and weights after a step.
struct BlockFlow {
    static constexpr int bins = 48;
    static constexpr double lowest = -9, highest = 1;  // log10 |∂loss/∂w|; smaller values count as the lowest
    std::array<float, bins> gradients = {};            // shares that sum to 1, zeros in the first bin
    double gradient_norm = 0;                          // Euclidean norm over the block's parameters
    double weight_norm = 0;
};

/// Without `model` only the curves are shown; then everything after `accuracy` is empty.
template <>
struct RunMoment<Pictures> : RunMomentBase<Pictures> {
    double accuracy = 0;  // smoothed like the loss over some hundred pictures, each answered before it was trained on
    std::vector<float> attention;      // (examples, L, h, N_p): the class token's attention without its own share
    std::vector<float> probabilities;  // (examples, classes)
    Tensor2 position_similarity;       // (N_p, N_p), cosine; empty without positions
    std::vector<BlockFlow> blocks;     // for the last step
};

}  // namespace vitrine
