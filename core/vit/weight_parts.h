#pragma once

#include <array>
#include <cstddef>
#include <iterator>

#include "core/base/names.h"

namespace vitrine {

struct Shape;
struct Weights;

/// The parts of a model between which its weights are divided.
enum class WeightPart { embedding, positions, attention, mlp, norms, head };
inline constexpr Named<WeightPart> weight_part_names[] = {
    {WeightPart::embedding, "embedding"}, {WeightPart::positions, "positions"},
    {WeightPart::attention, "attention"}, {WeightPart::mlp, "mlp"},
    {WeightPart::norms, "norms"},         {WeightPart::head, "head"}};

/// The number of weights in each part, in the order of their names; the sum is `Weights::parameter_count`. The learned
/// tokens count as embedding, Q, K, V and W_O as attention, each branch's gain as that branch, the final layer norm as
/// a norm.
std::array<std::size_t, std::size(weight_part_names)> weights_by_part(const Weights& weights);
/// The same numbers for a model of some shape, without weights; core/vit/cost.cpp counts them.
std::array<double, std::size(weight_part_names)> weights_by_part(const Shape& shape);

}  // namespace vitrine
