#include "core/measures/weight_agreement.h"

#include <algorithm>

#include "core/measures/analysis.h"

namespace vitrine {

Tensor2 weight_agreement(const Trace& trace, int query) {
    const auto blocks = static_cast<std::size_t>(trace.blocks());
    Tensor2 agreement = tensor2(blocks, trace.block(1)->attention.shape()[0]);
    for (std::size_t block = 0; block < blocks; ++block) {
        const auto t = trace.block(static_cast<int>(block) + 1);
        for (std::size_t i = 0; i < agreement.shape()[1]; ++i) {
            const int head = static_cast<int>(i);
            agreement(block, i) = static_cast<float>(
                rank_correlation(attention_row(*t, head, query), value_weighted_norms(*t, head, query)));
        }
    }
    return agreement;
}

PlacedHead least_agreeing_head(const Trace& trace, int query) {
    const Tensor2 agreement = weight_agreement(trace, query);
    const auto least = std::min_element(agreement.data(), agreement.data() + agreement.size()) - agreement.data();
    const auto heads = static_cast<std::ptrdiff_t>(agreement.shape()[1]);
    return {static_cast<int>(least / heads) + 1, static_cast<int>(least % heads)};
}

}  // namespace vitrine
