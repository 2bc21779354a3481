#pragma once

#include <vector>

#include "core/transformer/config.h"
#include "core/transformer/editor.h"
#include "core/transformer/flat_numbers.h"

namespace vitrine {

/// The positions of the tokens of each sequence, for attentions that use them; the family computes them once for a run.
struct TokenPlaces {
    const Tensor2* angles = nullptr;  // (N, d/2), of each pair of features, in radians; null without rotary positions
    std::vector<int> bias_rows = {};  // (N·N), the row of `position_bias` for a query and a key; or empty
};

/// Context of a layer in a block: configuration, position, size of its input, and the what-ifs of the run.
struct Layer {
    const TransformerConfig& config;
    int block;    // ℓ = 1 … L
    Batch batch;  // of its input rows
    const Editor& edit;
    const TokenPlaces* places = nullptr;  // null in most models
};

/// A layer's weights and, for the backward pass, the destination of their gradients: `into` has the same shapes, as
/// views of `gradients`. Parameters without memory there get no gradient.
template <class W>
struct Learned {
    const W& weights;
    const W& into;
    FlatNumbers& gradients;
};

}  // namespace vitrine
