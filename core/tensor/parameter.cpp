#include "core/tensor/parameter.h"

#include <functional>
#include <numeric>
#include <utility>

namespace vitrine {

const char* name_of(Activation activation) {
    switch (activation) {
        case Activation::gelu: return "gelu";
        case Activation::gelu_tanh: return "gelu_tanh";
        case Activation::quick_gelu: return "quick_gelu";
        case Activation::relu: return "relu";
        case Activation::elu: return "elu";
        case Activation::silu: return "silu";
    }
    return "";
}

Parameter::Parameter(std::shared_ptr<const float> data, std::vector<std::size_t> shape)
    : data_(std::move(data)), shape_(std::move(shape)) {}

Parameter::Parameter(std::shared_ptr<const PackedMatrix> packed, std::vector<std::size_t> shape)
    : packed_(std::move(packed)), shape_(std::move(shape)) {}

Parameter Parameter::stored() const { return packed_ == nullptr ? *this : Parameter(packed_->stored(), shape_); }

std::size_t Parameter::size() const {
    return empty() ? 0 : std::accumulate(shape_.begin(), shape_.end(), std::size_t{1}, std::multiplies<>());
}

}  // namespace vitrine
