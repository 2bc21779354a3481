#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/transformer/block_trace.h"

namespace vitrine {

struct NamedTensor;

/// From the image to z₀, the input of the first block.
struct EmbeddingTrace {
    Tensor3 image;            // (B·C, H, W)  preprocessed pixels
    Tensor3 covered;          // (B·C, H, W)  the same with covered patches, if what-ifs cover any; else empty
    Tensor2 patch_embedding;  // (B·N_p, D)   x_p E + b
    Tensor2 tokens;           // (B·N, D)     leading tokens + patches, before positions
    Tensor2 placed;           // (B·N, D)     tokens + E_pos, before a norm that precedes the blocks; else empty
    Tensor2 z;                // (B·N, D)     z₀, ViT paper Eq. 1
    Tensor2 rotation;         // (N, d/2)     angles of queries and keys; empty without rotary positions

    /// The pixels from which the patches are cut.
    const Tensor3& pixels() const { return covered.size() > 0 ? covered : image; }
};

/// A pooling by attention: (B·h, 1, N_p) scores of one query of each image; msa (B, D). Empty in most models.
struct PoolingTrace : AttentionTrace {
    LayerNormTrace ln;  // (B, D)  of msa
    MlpTrace mlp;       // (B, D)  of ln, added to msa
};

struct HeadTrace {
    Tensor2 tokens;         // (B·R, D)      LN of each input token, if the norm comes before the readout; else empty
    PoolingTrace pooling;   //               of these tokens
    Tensor2 ln;             // (B, D)        Eq. 4, the classifier's input; (B, 2D) if the head reads two vectors
    Tensor2 each;           // (2·B, classes)  logits of each of two classifiers; else empty
    Tensor2 features;       // (B, features)   outputs of a projection at the end; empty without one
    Tensor2 logits;         // (B, classes)  empty if the model has no classifier
    Tensor2 probabilities;  // (B, classes)  softmax(logits); for HeadKind::several sigmoid(features)
};

struct Model;
class KeptWeights;

/// State shared by runs within a memory budget, which recompute the blocks that the cache does not keep.
struct BlockBudget {
    std::shared_ptr<const Model> model;
    std::shared_ptr<BlockCache<BlockTrace>> cache;
    std::shared_ptr<KeptWeights> weights;
    bool firm = true;  // true: work that does not fit besides the blocks is refused; false: it may use free memory
};

/// Every activation of one run of a ViT. Immutable.
class Trace : public StackTrace<EmbeddingTrace, BlockTrace> {
public:
    std::shared_ptr<const HeadTrace> head;
    std::optional<BlockBudget> budget = {};  // none: every block is kept
};

/// All tensors of a run of one image by their names in the dump ("block.3.mlp.hidden", docs/architecture.md), in the
/// table's shapes; they share memory with the trace's stages and keep them alive.
std::vector<NamedTensor> named_tensors(const Trace& trace);

}  // namespace vitrine
