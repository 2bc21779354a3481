#pragma once

#include "core/transformer/config.h"
#include "core/transformer/editor.h"
#include "core/transformer/flat_numbers.h"

namespace vitrine {

/// Context of a layer in a block: configuration, position, size of its input, and the what-ifs of the run.
struct Layer {
    const TransformerConfig& config;
    int block;    // ℓ = 1 … L
    Batch batch;  // of its input rows
    const Editor& edit;
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
