#pragma once

#include <vector>

#include "core/transformer/flat_numbers.h"
#include "core/vit/model.h"

namespace vitrine {

/// By Hugging Face's names: "vit.encoder.layer.0.attention.attention.query.weight"; the tokens before the patches
/// are one parameter, which `save_model` stores by kind.
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
