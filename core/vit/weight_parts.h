#pragma once

#include <array>
#include <iterator>

#include "core/vit/weight_walk.h"

namespace vitrine {

/// A number for each part, in the order of `weight_part_names`; whole, exact up to 2⁵³.
using WeightCounts = std::array<double, std::size(weight_part_names)>;

/// The number of weights in each part; the sum is `Weights::parameter_count`. The learned tokens count as embedding,
/// Q, K, V and W_O as attention, each branch's gain as that branch, the final layer norm as a norm.
WeightCounts weights_by_part(const Weights& weights);

/// The same for a configuration, without making weights.
struct WeightSizes {
    WeightCounts by_part = {};
    double matrices_of_block = 0;  // numbers in one block's matrices, each multiplied once for every token
};
WeightSizes weight_sizes(const Config& config);

}  // namespace vitrine
