#pragma once

#include <memory>
#include <vector>

#include "core/files/safetensors.h"
#include "core/text/text_batch.h"
#include "core/text/text_config.h"
#include "core/transformer/block_trace.h"

namespace vitrine {

// B sentences lie packed: R rows of a source, R_t rows of a target, no padding among them. In a run of one sentence
// R = S and R_t = T. Where a tensor has an axis for heads, (B·h, N, …), N is the longest sentence's length, and what
// stands behind a shorter one's end is 0 (of scores −∞).

/// From words to the first block of a stack.
struct TextEmbeddingTrace {
    Tensor2 embedded;  // (R, D)  E, the rows of the words
    Tensor2 tokens;    // (R, D)  √D · E, before positions
    Tensor2 position;  // (N, D)  PE of each place
    Tensor2 z;         // (R, D)  tokens + PE
};

/// From the last block to words or classes.
struct GeneratorTrace {
    LayerNormTrace ln;      // (rows, D)  with pre-norm alone, else empty
    Tensor2 logits;         // (R_t, V): row t is about the word that follows the target's word t; or (B, classes)
    Tensor2 probabilities;  // the same shape, softmax(logits)
};

/// What the auxiliary head makes of the encoder's state at each "it" of the batch.
struct ItTrace {
    Tensor2 state;          // (n, D)
    Tensor2 logits;         // (n, V of the source)
    Tensor2 probabilities;  // (n, V)
};

/// Every activation of one run: two stacks, of which a model may have one. Immutable once it is built; its stages are
/// shared with the runs that left them unchanged. Rows are (R, D) in the encoder, (R_t, D) in the decoder.
struct TextTrace {
    std::shared_ptr<const TextBatch> batch;
    StackTrace<TextEmbeddingTrace, BlockTrace> encoder;
    std::shared_ptr<const LayerNormTrace> encoder_norm;  // null but with pre-norm
    StackTrace<TextEmbeddingTrace, DecoderTrace> decoder;
    std::shared_ptr<const GeneratorTrace> generator;
    std::shared_ptr<const ItTrace> it;  // null where no "it" of the batch is asked about

    /// What the decoder's cross-attention reads: the encoder's output.      (R, D)
    const Tensor2& memory() const;
};

struct DecoderInput;
/// What block ℓ of the decoder reads in such a run.
DecoderInput decoder_input(const TextConfig& config, const TextTrace& trace, int block);

/// Each sentence's first row: [CLS].      x (R, D)  ->  (B, D)
Tensor2 first_rows(const Tensor2& x, const PackedSentences& sentences);

/// Every tensor of a run of one text by its name in the dump ("encoder.1.attention", "decoder.2.cross.attention",
/// docs/architecture.md); they point into the stages of the trace and keep them.
std::vector<NamedTensor> named_tensors(const TextTrace& trace);

}  // namespace vitrine
