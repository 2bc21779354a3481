#pragma once

#include <memory>
#include <vector>

#include "core/text/text_batch.h"
#include "core/text/text_config.h"
#include "core/transformer/block_trace.h"

namespace vitrine {

struct NamedTensor;

// B sentences are packed: R rows of a source, R_t rows of a target, without padding. For one sentence, R = S and R_t =
// T. In tensors with an axis for heads, (B·h, N, …), N is the longest sentence's length; entries beyond a shorter one's
// end are 0 (scores −∞).

/// From words to the first block of a stack.
struct TextEmbeddingTrace {
    Tensor2 embedded;  // (R, D)  E, the words' embeddings
    Tensor2 tokens;    // (R, D)  √D · E, before positions
    Tensor2 position;  // (N, D)  PE of each position
    Tensor2 z;         // (R, D)  tokens + PE
};

/// From the last block to words or classes.
struct GeneratorTrace {
    LayerNormTrace ln;      // (rows, D)  only with pre-norm, else empty
    Tensor2 logits;         // (R_t, V): row t predicts the word after the target's word t; or (B, classes)
    Tensor2 probabilities;  // the same shape, softmax(logits)
};

/// The auxiliary head's output for the encoder's state at each "it" of the batch.
struct ItTrace {
    Tensor2 state;          // (n, D)
    Tensor2 logits;         // (n, V of the source)
    Tensor2 probabilities;  // (n, V)
};

/// Every activation of one run: two stacks, of which a model may have only one. Immutable; stages are shared with runs
/// that leave them unchanged. Rows are (R, D) in the encoder, (R_t, D) in the decoder.
struct TextTrace {
    std::shared_ptr<const TextBatch> batch;
    StackTrace<TextEmbeddingTrace, BlockTrace> encoder;
    std::shared_ptr<const LayerNormTrace> encoder_norm;  // null except with pre-norm
    StackTrace<TextEmbeddingTrace, DecoderTrace> decoder;
    std::shared_ptr<const GeneratorTrace> generator;
    std::shared_ptr<const ItTrace> it;  // null if the batch has no "it" for the auxiliary head

    /// Input of the decoder's cross-attention: the encoder's output.      (R, D)
    const Tensor2& memory() const;
};

struct DecoderInput;
/// Inputs of block ℓ of the decoder, taken from a run's trace.
DecoderInput decoder_input(const TextConfig& config, const TextTrace& trace, int block);

/// Each sentence's first row: [CLS].      x (R, D)  ->  (B, D)
Tensor2 first_rows(const Tensor2& x, const PackedSentences& sentences);

/// All tensors of a run of one text by their names in the dump ("encoder.1.attention", "decoder.2.cross.attention",
/// docs/architecture.md); they share memory with the trace's stages and keep them alive.
std::vector<NamedTensor> named_tensors(const TextTrace& trace);

}  // namespace vitrine
