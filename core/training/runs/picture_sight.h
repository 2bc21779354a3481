#pragma once

#include <array>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/training/runs/example_pictures.h"

namespace vitrine {

class FlatWeights;
struct Model;

/// Histogram of a block's gradients and norms of its gradients and weights, after a step.
struct BlockFlow {
    static constexpr int bins = 48;
    static constexpr double lowest = -9, highest = 1;  // log10 |∂loss/∂w|; smaller values count as the lowest
    std::array<float, bins> gradients = {};            // shares that sum to 1, zeros in the first bin
    double gradient_norm = 0;                          // Euclidean norm over the block's parameters
    double weight_norm = 0;
};

/// Measurements inside a classifier of pictures at one moment of its training.
struct PictureSight {
    std::vector<float> attention;      // (examples, L, h, N_p): the class token's attention to patches, sums to 1
    std::vector<float> probabilities;  // (examples, classes)
    Tensor2 position_similarity;       // (N_p, N_p), cosine; empty without positions
    std::vector<BlockFlow> blocks;     // for the last step
};

/// Sets `sight`'s attention and probabilities: the model's for these examples.
void look_at_examples(const Model& model, const std::vector<ExamplePicture>& examples, PictureSight& sight);
/// Sets `sight`'s similarity of positions, and for each block the figures of the last step's `gradients` and weights.
void look_at_weights(const Model& model, const FlatWeights& weights, const FlatWeights& gradients, PictureSight& sight);

}  // namespace vitrine
