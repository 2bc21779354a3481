#include "app/workspace/looked_at.h"

#include <algorithm>
#include <utility>

namespace vitrine {

std::optional<HeldBlocks> held_blocks(const LookedAt& at) {
    HeldBlocks held;
    if (!at.of || !at.of->baseline.budget) return held;
    for (const int block : at.blocks)
        for (const Trace* const trace : {&at.of->trace, &at.of->baseline}) {
            std::shared_ptr<const BlockTrace> there = trace->block_if_there(block);
            if (!there) return std::nullopt;
            held.push_back(std::move(there));
        }
    const bool weights =
        std::ranges::all_of(at.weights, [&](const TokenWeights& which) { return has_weights(at.of->trace, which); });
    return weights ? std::optional(std::move(held)) : std::nullopt;
}

}  // namespace vitrine
