#pragma once

#include <string>
#include <vector>

#include "core/transformer/flat_numbers.h"
#include "core/vit/model.h"

namespace vitrine {

/// A parameter of a model by Hugging Face's name, in the order in which a run uses them.
struct NamedParameter {
    std::string name;  // "vit.encoder.layer.0.attention.attention.query.weight"
    Parameter parameter;
    int block = 0;                 // ℓ, 0 before the blocks, L + 1 behind them
    bool in_block_matrix = false;  // a weight matrix inside a block: what Muon orthogonalises
};
std::vector<NamedParameter> parameters_of(const Weights& weights);

/// The weights of a Vision Transformer, or what has their shapes, in one row of numbers.
class FlatWeights : public Flat<Weights> {
public:
    /// `nothing`: no parameter has a place; `backward` then follows the activations' gradients alone.
    enum class Room { all, nothing };

    /// Zeros.
    explicit FlatWeights(const Config& config, Room room = Room::all);
};

}  // namespace vitrine
