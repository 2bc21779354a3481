#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/text/text_forward.h"
#include "core/transformer/block_trace.h"

namespace vitrine {

/// Whether keys and values of earlier words are cached; otherwise they are recomputed with every word.
enum class Caching { off, on };

/// True if the activations of earlier words do not change as words are added: false without a causal mask, or if an
/// intervention picks a row or depends on all rows.
bool can_cache(const TextConfig& config, std::span<const Intervention> interventions);

/// A model's decoder while it writes B texts in parallel, one word of each at a time. A copy continues independently,
/// as a beam needs. Model, interventions and the encoder's trace must outlive it.
class TextWriter {
public:
    TextWriter(const TextModel& model, const TextTrace& encoded, int texts, Caching caching,
               std::span<const Intervention> interventions = {});

    /// Reads the next words, the same number m for each text, text by text; a text begins with [BOS].
    ///
    ///   words (B·m)  ->  logits (B, V) for the word after each text
    Tensor2 read(std::span<const int> words);

    /// Token rows processed by the decoder so far, which a cache reduces.
    std::int64_t rows() const { return rows_; }
    /// The same without a cache: all words so far, in each call.
    std::int64_t rows_recomputed() const { return rows_recomputed_; }

private:
    Tensor2 read_cached(const PackedSentences& words);
    Tensor2 read_uncached(const PackedSentences& words);

    const TextModel* model_;
    const TextTrace* encoded_;
    std::span<const Intervention> interventions_;
    Caching caching_;
    std::vector<KeyValueCache> self_, cross_;  // by block, if caching is on
    std::vector<std::vector<int>> texts_;      // all words so far
    std::int64_t rows_ = 0, rows_recomputed_ = 0;
};

}  // namespace vitrine
