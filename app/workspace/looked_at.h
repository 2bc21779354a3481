#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "app/workspace/result.h"
#include "core/vit/token_weights.h"

namespace vitrine {

/// What a frame reads of a run whose blocks do not all stay in memory: a job brings it (app/jobs/looking), and the
/// frame waits for it with the words for work in progress.
struct LookedAt {
    std::shared_ptr<const Result> of;  // null: nothing
    std::set<int> blocks;              // ℓ, with and without the what-ifs
    std::set<TokenWeights> weights;    // in all blocks, with the what-ifs

    bool operator==(const LookedAt&) const = default;
};

using HeldBlocks = std::vector<std::shared_ptr<const BlockTrace>>;

/// The blocks, which stay as long as they are held; none if anything would have to be computed.
std::optional<HeldBlocks> held_blocks(const LookedAt& at);

/// What was looked at, and its blocks.
struct Looked {
    LookedAt at;
    HeldBlocks blocks;
};

}  // namespace vitrine
