#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "app/workspace/result.h"
#include "core/vit/token_weights.h"

namespace vitrine {

/// The parts of a run that a frame reads, if not all blocks stay in memory. A job computes them (app/jobs/looking);
/// until then the frame says that work is in progress.
struct LookedAt {
    std::shared_ptr<const Result> of;  // null: nothing
    std::set<int> blocks;              // ℓ, with and without the what-ifs
    std::set<TokenWeights> weights;    // in all blocks, with the what-ifs

    bool operator==(const LookedAt&) const = default;
};

using HeldBlocks = std::vector<std::shared_ptr<const BlockTrace>>;

/// The blocks of `at`, which stay in memory as long as the result holds them (empty without a memory budget); none if
/// any block or attention weight would have to be computed first.
std::optional<HeldBlocks> held_blocks(const LookedAt& at);

/// The parts of a run with their blocks, held in memory.
struct Looked {
    LookedAt at;
    HeldBlocks blocks;
};

}  // namespace vitrine
