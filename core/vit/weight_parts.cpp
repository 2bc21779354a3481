#include "core/vit/weight_parts.h"

#include <algorithm>

#include "core/base/overloaded.h"
#include "core/vit/flat_weights.h"
#include "core/vit/weight_walk.h"

namespace vitrine {

namespace {

double size_of(const Parameter& p) { return static_cast<double>(p.size()); }
double size_of(const LinearWeights& w) { return size_of(w.weight) + size_of(w.bias); }
double size_of(const LayerNormWeights& w) { return size_of(w.gamma) + size_of(w.beta); }

}  // namespace

WeightCounts weights_by_part(const Weights& weights) {
    WeightCounts counts{};
    walk_weights(weights, [&](const WeightPlace& at, const auto& member) {
        counts[static_cast<std::size_t>(at.part)] += size_of(member);
    });
    return counts;
}

WeightSizes weight_sizes(const Config& config) {
    static const float nothing = 0;  // placeholder for all numbers of a parameter
    const MakeParameter unmade = [](const std::vector<std::size_t>& shape) {
        return Parameter({std::shared_ptr<const float>(), &nothing}, shape);
    };
    WeightSizes sizes;
    const Overloaded in_matrix{[](const LinearWeights& w) { return size_of(w.weight); },
                               [](const auto&) { return 0.0; }};
    const Weights one_block = lay_out(config, unmade, std::min(config.blocks, 1));
    walk_weights(one_block, [&](const WeightPlace& at, const auto& member) {
        sizes.by_part[static_cast<std::size_t>(at.part)] += size_of(member) * (at.in_block ? config.blocks : 1);
        if (at.in_block) sizes.matrices_of_block += in_matrix(member);
    });
    return sizes;
}

std::size_t Weights::parameter_count() const {
    double count = 0;
    for (const double of_part : weights_by_part(*this)) count += of_part;
    return static_cast<std::size_t>(count);
}

}  // namespace vitrine
