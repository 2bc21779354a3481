#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

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

/// The weights of a model, or what has their shapes (gradients, an optimiser's moments), one behind another in one row
/// of numbers that can be changed.
class FlatWeights {
public:
    /// `nothing`: no parameter has a place; `backward` then follows the activations' gradients alone.
    enum class Room { all, nothing };

    /// Zeros.
    explicit FlatWeights(const Config& config, Room room = Room::all);
    FlatWeights(const FlatWeights& other);
    FlatWeights& operator=(const FlatWeights& other);

    /// The same numbers as a model's weights; they change with `values`.
    const Weights& weights() const { return weights_; }

    std::span<float> values() { return {data_.get(), size_}; }
    std::span<const float> values() const { return {data_.get(), size_}; }
    /// The numbers of one of `weights()`'s own parameters.
    float* at(const Parameter& own) { return data_.get() + (own.data() - data_.get()); }
    std::size_t offset_of(const Parameter& own) const { return static_cast<std::size_t>(own.data() - data_.get()); }

private:
    Config config_;
    std::size_t size_ = 0;
    std::shared_ptr<float[]> data_;
    Weights weights_;
};

}  // namespace vitrine
