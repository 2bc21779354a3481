#pragma once

#include "core/text/text_config.h"
#include "core/text/text_trace.h"
#include "core/transformer/editor.h"
#include "core/transformer/flat_numbers.h"

namespace vitrine {

/// PE(p, 2i) = sin(p / 10000^(2i/D)),  PE(p, 2i + 1) = cos of the same; Vaswani et al. 2017, § 3.5.
///
///   places `first` … `first + places − 1`  ->  (places, D)
Tensor2 sine_positions(int places, int features, int first = 0);

/// Parameters that map the words of one stack to vectors.
struct WordEmbedding {
    const TextConfig& config;
    const Parameter& words;     // E (V, D)
    const Parameter& position;  // (longest, D), if positions are learned
};

/// z = √D · E[words] + PE.      R words  ->  activations; every sentence begins at position `first`
TextEmbeddingTrace embed_words(const WordEmbedding& w, const PackedSentences& words, const Editor& edit, int first = 0);

/// Destinations of an embedding's gradients.
struct WordEmbeddingBack {
    WordEmbedding into;
    FlatNumbers& gradients;
};

/// Backward pass from ∂z, stored in `g`, which also receives the gradients of the other activations.
void embed_words_back(const WordEmbeddingBack& b, const PackedSentences& words, const Editor& edit,
                      TextEmbeddingTrace& g);

}  // namespace vitrine
