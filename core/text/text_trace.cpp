#include "core/text/text_trace.h"

#include <algorithm>
#include <string>

#include "core/transformer/decoder_block.h"
#include "core/transformer/tensor_names.h"

namespace vitrine {

const Tensor2& TextTrace::memory() const { return encoder_norm ? encoder_norm->out : encoder.z(encoder.blocks()); }

DecoderInput decoder_input(const TextConfig& config, const TextTrace& trace, int block) {
    DecoderInput in{.z = trace.decoder.z(block - 1), .causal = config.causal};
    if (!config.has_cross()) return in;
    in.memory = &trace.memory();
    in.memory_batch = trace.batch->source.batch();
    return in;
}

Tensor2 first_rows(const Tensor2& x, const PackedSentences& sentences) {
    const std::size_t columns = x.shape()[1];
    Tensor2 rows = tensor2(sentences.lengths.size(), columns);
    std::size_t first = 0;
    for (std::size_t b = 0; b < sentences.lengths.size(); ++b) {
        std::copy_n(&x(first, 0), columns, &rows(b, 0));
        first += static_cast<std::size_t>(sentences.lengths[b]);
    }
    return rows;
}

namespace {

/// Adds the tensors of a stack: those before its first block, and those of its blocks.
template <class Block>
void add_stack(TensorNames& names, const StackTrace<TextEmbeddingTrace, Block>& stack, const std::string& words,
               const std::string& blocks) {
    if (!stack.embedding) return;
    names.of(stack.embedding);
    names.add(words + ".embedded", stack.embedding->embedded);
    names.add(words + ".tokens", stack.embedding->tokens);
    names.add(words + ".position", stack.embedding->position);
    names.add(words + ".z", stack.embedding->z);
    for (int block = 1; block <= stack.blocks(); ++block) {
        const std::string prefix = blocks + "." + std::to_string(block) + ".";
        names.add(prefix, prefix + "z", stack.block(block));
    }
}

}  // namespace

std::vector<NamedTensor> named_tensors(const TextTrace& trace) {
    TensorNames names(TensorNames::Empty::leave_out);
    add_stack(names, trace.encoder, "source", "encoder");
    if (trace.encoder_norm) {
        names.of(trace.encoder_norm);
        names.add("encoder.norm", *trace.encoder_norm);
    }
    add_stack(names, trace.decoder, "target", "decoder");
    names.of(trace.generator);
    names.add("decoder.norm", trace.generator->ln);
    names.add("generator.logits", trace.generator->logits);
    names.add("generator.probabilities", trace.generator->probabilities);
    if (trace.it) {
        names.of(trace.it);
        names.add("it.state", trace.it->state);
        names.add("it.logits", trace.it->logits);
        names.add("it.probabilities", trace.it->probabilities);
    }
    return names.take();
}

}  // namespace vitrine
