#pragma once

#include <algorithm>
#include <cassert>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/tensor/ops.h"
#include "core/tensor/tensor.h"
#include "core/transformer/block_cache.h"

namespace vitrine {

// Every activation of a block, in the order they are computed; a dump uses these names. B sequences, N tokens each.

struct AttentionTrace {
    Tensor3 q, k, v;    // (B·h, N, d); k and v of a memory (B·h, N_k, d)
    Tensor3 scores;     // (B·h, N, N)  QKᵀ/√d, −∞ where a mask hides the key  [head, query, key]
    Tensor3 attention;  // (B·h, N, N)  softmax(scores)  [head, query, key]
    Tensor3 heads;      // (B·h, N, d)  attention · V
    Tensor2 msa;        // (B·N, D)     after W_O

    // Parts that only some attentions have; empty in others.
    Tensor3 normed_q, normed_k;  // (B·h, N, d)  each row normalised
    Tensor3 turned_q, turned_k;  // (B·h, N, d)  rotated by rotary positions

    /// The queries and keys whose products are the scores.
    const Tensor3& queries() const { return turned_q.size() > 0 ? turned_q : normed_q.size() > 0 ? normed_q : q; }
    const Tensor3& keys() const { return turned_k.size() > 0 ? turned_k : normed_k.size() > 0 ? normed_k : k; }
};

struct MlpTrace {
    Tensor2 hidden;      // (B·N, M)  before the activation; of a gated MLP the gate x W_g + b
    Tensor2 activation;  // (B·N, M)  after it
    Tensor2 out;         // (B·N, D)  after the second linear layer

    // Parts that only some MLPs have; empty in others.
    Tensor2 value;        // (B·N, M)  x W_x + b of a gated MLP
    Tensor2 gated;        // (B·N, M)  activation ⊙ value
    LayerNormTrace norm;  // (B·N, M)  of the hidden layer, before the second linear layer

    /// The hidden layer before its norm, and the second linear layer's input.
    const Tensor2& hidden_layer() const { return gated.size() > 0 ? gated : activation; }
    const Tensor2& inside() const { return norm.out.size() > 0 ? norm.out : hidden_layer(); }
};

/// A row of A (B·h, N, N_k), sums to 1.
std::span<const float> attention_row(const Tensor3& attention, std::size_t matrix, std::size_t query);
/// The attention row of a query of the first sequence. (N), sums to 1
std::span<const float> attention_row(const AttentionTrace& t, int head, int query);

/// A row of attention with an additional loss: −log A[matrix, query, key], times a scale.
struct AttentionTarget {
    std::size_t matrix = 0, query = 0, key = 0;  // of A (B·h, N, N_k)
    float scale = 0;
};

/// Trace of an encoder block.
struct BlockTrace : AttentionTrace {
    LayerNormTrace ln1;
    Tensor2 scaled_msa;  // (B·N, D)     γ₁ ⊙ msa; empty without layer scale
    Tensor2 residual;    // (B·N, D)     z'ℓ, Eq. 2
    LayerNormTrace ln2;
    MlpTrace mlp;
    Tensor2 scaled_mlp;  // (B·N, D)  γ₂ ⊙ mlp.out; empty without layer scale
    std::shared_ptr<const Tensor2> z = std::make_shared<Tensor2>();  // (B·N, D)  zℓ, Eq. 3; may outlive the block

    /// The branches as they enter the residual stream: after layer scale, if the model has it.
    const Tensor2& attention_branch() const { return scaled_msa.size() > 0 ? scaled_msa : msa; }
    const Tensor2& mlp_branch() const { return scaled_mlp.size() > 0 ? scaled_mlp : mlp.out; }
};

/// Trace of a decoder block.
struct DecoderTrace {
    LayerNormTrace ln1;
    AttentionTrace self;  // masked
    Tensor2 residual;     // (B·N, D)  after self-attention's sum, or its norm
    LayerNormTrace ln2;
    AttentionTrace cross;  // q of the target, k and v of the memory: (B·h, N, N_k); empty without a memory
    Tensor2 crossed;       // (B·N, D)  after cross-attention's sum; without a memory equal to `residual`
    LayerNormTrace ln3;
    MlpTrace mlp;
    std::shared_ptr<const Tensor2> z = std::make_shared<Tensor2>();  // (B·N, D)
};

/// One stack of a run, from its embedding to its last block: the base of every family's trace. Embedding and blocks are
/// immutable, and shared with the runs whose what-ifs leave them unchanged.
template <class Embedding, class Block>
class StackTrace {
public:
    std::shared_ptr<const Embedding> embedding;  // null if the model has no such stack

    /// L, in a finished run.
    int blocks() const { return static_cast<int>(blocks_.size()); }

    /// Block ℓ = 1 … L. Hold the pointer while you read its tensors: `const auto block = trace.block(ℓ);`. In a run
    /// with limited memory the block may be recomputed, with the same bits.
    std::shared_ptr<const Block> block(int block) const {
        assert(block >= 1 && block <= blocks());
        const Slot& slot = blocks_[static_cast<std::size_t>(block - 1)];
        return slot.kept ? slot.kept : slot.cache->get(*slot.again);
    }
    /// Block ℓ if it is in memory, else null.
    std::shared_ptr<const Block> block_if_there(int block) const {
        const Slot& slot = blocks_[static_cast<std::size_t>(block - 1)];
        return slot.kept ? slot.kept : slot.cache->there(*slot.again);
    }

    /// zℓ (B·N, D), ℓ = 0 … L. It lives as long as the trace, even if the block is not kept.
    const Tensor2& z(int block) const { return block == 0 ? embedding->z : *z_[static_cast<std::size_t>(block - 1)]; }
    /// The same, with shared ownership: it may outlive the trace.
    std::shared_ptr<const Tensor2> kept_z(int block) const {
        if (block == 0) return {embedding, &embedding->z};
        return z_[static_cast<std::size_t>(block - 1)];
    }

    /// Adds a block after the last one.
    void add_block(std::shared_ptr<const Block> block) {
        z_.push_back(block->z);
        blocks_.push_back({std::move(block), {}, {}});
    }
    /// Adds a block that the trace does not keep: `compute` recomputes it, with the same bits and the same `z`.
    void add_block(std::shared_ptr<const Block> block, const std::shared_ptr<BlockCache<Block>>& cache,
                   std::function<std::shared_ptr<const Block>()> compute) {
        z_.push_back(block->z);
        const auto again = std::make_shared<typename BlockCache<Block>::Entry>();
        again->compute = std::move(compute);
        cache->add(*again, std::move(block));
        blocks_.push_back({{}, again, cache});
    }

    /// Adds a block before the first one, since a backward pass begins with the last block.
    void add_block_before(std::shared_ptr<const Block> block) {
        z_.insert(z_.begin(), block->z);
        blocks_.insert(blocks_.begin(), Slot{std::move(block), {}, {}});
    }

    /// Drops all blocks after block ℓ; a what-if computes them again.
    void drop_blocks_after(int block) {
        const auto kept = std::min(static_cast<std::size_t>(std::max(block, 0)), blocks_.size());
        z_.resize(kept);
        blocks_.resize(kept);
    }

    /// True if both runs share block ℓ, so nothing up to its output differs.
    friend bool shares_block(const StackTrace& a, const StackTrace& b, int block) {
        const auto at = static_cast<std::size_t>(block - 1);
        return a.z_[at] == b.z_[at];
    }

private:
    /// A block, either kept or recomputed on request.
    struct Slot {
        std::shared_ptr<const Block> kept;
        std::shared_ptr<typename BlockCache<Block>::Entry> again;
        std::shared_ptr<BlockCache<Block>> cache;
    };

    std::vector<Slot> blocks_;                       // blocks_[ℓ − 1]
    std::vector<std::shared_ptr<const Tensor2>> z_;  // z_[ℓ − 1]
};

/// The keys and values of earlier tokens, kept so that they are not computed again: a decoder that generates text runs
/// one row at a time.
struct KeyValueCache {
    Tensor3 k, v;    // (B·h, N, d)
    int tokens = 0;  // N, 0 at first
};

}  // namespace vitrine
