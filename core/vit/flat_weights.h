#pragma once

#include <vector>

#include "core/transformer/flat_numbers.h"
#include "core/vit/model.h"

namespace vitrine {

/// Makes every parameter of a model of this configuration with `blocks` blocks, in the order of `parameters_of`.
Weights lay_out(const Config& config, const MakeParameter& make, int blocks);

/// All parameters, under Hugging Face's names: "vit.encoder.layer.0.attention.attention.query.weight". The tokens
/// before the patches are one parameter, which `save_model` splits by kind.
std::vector<NamedParameter> parameters_of(const Weights& weights);

/// The weights of a Vision Transformer, or values of the same shapes (gradients, moments), in one contiguous buffer.
class FlatWeights : public Flat<Weights> {
public:
    /// `nothing` allocates no buffer: `backward` then computes the gradients of activations alone.
    enum class Room { all, nothing };

    /// All zeros.
    explicit FlatWeights(const Config& config, Room room = Room::all);
};

}  // namespace vitrine
