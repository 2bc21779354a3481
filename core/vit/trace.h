#pragma once

#include <memory>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/transformer/block_trace.h"

namespace vitrine {

struct NamedTensor;

/// From the image to z₀, the input of the first block.
struct EmbeddingTrace {
    Tensor3 image;            // (B·C, H, W)  preprocessed pixels
    Tensor2 patch_embedding;  // (B·N_p, D)   x_p E + b
    Tensor2 tokens;           // (B·N, D)     leading tokens + patches, before positions
    Tensor2 z;                // (B·N, D)     z₀, ViT paper Eq. 1
};

struct HeadTrace {
    Tensor2 ln;             // (B, D)        Eq. 4
    Tensor2 logits;         // (B, classes)  empty where the model has no classifier
    Tensor2 probabilities;  // (B, classes)  softmax(logits)
};

/// Every activation of one run. Immutable once it is built; its stages are shared with the runs that left them
/// unchanged.
class Trace {
public:
    std::shared_ptr<const EmbeddingTrace> embedding;
    std::shared_ptr<const HeadTrace> head;

    /// L, of a finished run.
    int blocks() const { return static_cast<int>(blocks_.size()); }

    /// Block ℓ = 1 … L. Whoever reads its tensors holds the pointer meanwhile: `const auto block = trace.block(ℓ);`.
    std::shared_ptr<const BlockTrace> block(int block) const;

    /// zℓ (B·N, D), ℓ = 0 … L. It lives as long as the trace, whether a block is kept or not.
    const Tensor2& z(int block) const;

    /// Puts a block behind those that are there.
    void add_block(std::shared_ptr<const BlockTrace> block);

    /// Whether both runs have the very same block ℓ: nothing before its end differs.
    friend bool shares_block(const Trace& a, const Trace& b, int block);

private:
    std::vector<std::shared_ptr<const BlockTrace>> blocks_;  // blocks_[ℓ − 1]
    std::vector<std::shared_ptr<const Tensor2>> z_;          // z_[ℓ − 1]
};

bool shares_block(const Trace& a, const Trace& b, int block);

/// Every tensor of a run of one image by its name in the dump ("block.3.mlp.hidden", docs/architecture.md), with the
/// shapes of the table; they point into the stages of the trace and keep them.
std::vector<NamedTensor> named_tensors(const Trace& trace);

}  // namespace vitrine
