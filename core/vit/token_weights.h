#pragma once

#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "core/base/progress.h"
#include "core/vit/trace.h"

namespace vitrine {

// A token's attention weights in all blocks. Figures through all blocks need a row or a column of each matrix, which a
// run within a budget of memory keeps for a few tokens, so that no frame waits for a block.

/// A token's weights in a head: those it gives as a query, or those that every query gives it as a key.
struct TokenWeights {
    int token = 0;
    bool as_key = false;

    auto operator<=>(const TokenWeights&) const = default;
};

/// A cache of the weights of the tokens stored last, for all runs that share a budget. Thread-safe.
class KeptWeights {
public:
    /// A block's weights by head, (h, N); null if they are not kept.
    std::shared_ptr<const Tensor2> find(const std::shared_ptr<const Tensor2>& z, TokenWeights which) const;
    /// Stores the weights (h, N) for the block with output `z`.
    void keep(const std::shared_ptr<const Tensor2>& z, TokenWeights which, Tensor2 weights);

private:
    /// By the block's output, which is the same in all runs that share the block.
    using OfBlocks = std::map<std::weak_ptr<const Tensor2>, std::shared_ptr<const Tensor2>, std::owner_less<>>;

    mutable std::mutex mutex_;
    std::map<TokenWeights, OfBlocks> kept_;
    std::vector<TokenWeights> newest_last_;
};

/// A head's weights in block ℓ of a run of one image.      (N)
std::vector<float> weights_of_head(const Trace& trace, int block, int head, TokenWeights which);

/// True if the weights are in memory for every block, as always if the run keeps all blocks.
bool has_weights(const Trace& trace, TokenWeights which);

/// Stores the weights of some tokens in all blocks; computes each block at most once.
void keep_weights(const Trace& trace, const std::set<TokenWeights>& which, const Progress& progress = {});

}  // namespace vitrine
