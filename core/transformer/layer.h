#pragma once

#include "core/transformer/config.h"
#include "core/transformer/editor.h"
#include "core/transformer/flat_numbers.h"

namespace vitrine {

/// Where a layer of a block runs: what it is told, its place, the size of what it reads, and the what-ifs of the run.
struct Layer {
    const TransformerConfig& config;
    int block;    // ℓ = 1 … L
    Batch batch;  // of the rows that come in
    const Editor& edit;
};

/// A layer's weights and, on the way back, where their gradients go: `into` has their shapes, and its numbers lie in
/// `gradients`. A parameter without a place gets none.
template <class W>
struct Learned {
    const W& weights;
    const W& into;
    FlatNumbers& gradients;
};

}  // namespace vitrine
