#pragma once

#include <array>
#include <memory>
#include <vector>

#include "app/workspace/run_view.h"
#include "core/files/image.h"
#include "core/tensor/tensor.h"
#include "core/training/recipe.h"

// What is shown of nets that learn to name pictures.

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

/// Without `model` only the curves of a run are looked at; then nothing stands below `accuracy`.
template <>
struct RunMoment<Pictures> : RunMomentBase<Pictures> {
    double accuracy = 0;               // smoothed over the last some hundred pictures, before their steps, as the loss
    std::vector<float> attention;      // (examples, L, h, N_p): where the class token looks, its own share left out
    std::vector<float> probabilities;  // (examples, classes)
    Tensor2 position_similarity;       // (N_p, N_p), cosine; empty without positions
    std::vector<BlockFlow> blocks;     // of the last step
};

}  // namespace vitrine
