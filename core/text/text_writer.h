#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/text/text_forward.h"
#include "core/transformer/block_trace.h"

namespace vitrine {

/// Whether keys and values of words that were read are kept, or computed anew with every word.
enum class Caching { off, on };

/// Whether what was computed of earlier words stays true as later ones come: not where they are seen (no mask), nor
/// where an intervention picks a row or looks at all of them at once.
bool can_cache(const TextConfig& config, std::span<const Intervention> interventions);

/// The decoder of a model as it writes B texts at once, a word of each at a time. A copy goes on by itself, as a beam
/// needs it. Model, interventions and what the encoder left live longer.
class TextWriter {
public:
    TextWriter(const TextModel& model, const TextTrace& encoded, int texts, Caching caching,
               std::span<const Intervention> interventions = {});

    /// Reads the next words, the same number for each text, one text behind another; a text begins with [BOS].
    ///
    ///   words (B·m)  ->  logits (B, V) of the word that follows each
    Tensor2 read(std::span<const int> words);

    /// Token rows that have gone through the decoder so far: what a cache saves.
    std::int64_t rows() const { return rows_; }
    /// The same if nothing were kept: all words so far, at each reading.
    std::int64_t rows_anew() const { return rows_anew_; }

private:
    Tensor2 read_cached(const PackedSentences& words);
    Tensor2 read_again(const PackedSentences& words);

    const TextModel* model_;
    const TextTrace* encoded_;
    std::span<const Intervention> interventions_;
    Caching caching_;
    std::vector<KeyValueCache> self_, cross_;  // of each block, where it is on
    std::vector<std::vector<int>> texts_;      // all words so far
    std::int64_t rows_ = 0, rows_anew_ = 0;
};

}  // namespace vitrine
