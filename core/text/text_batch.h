#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/text/text_example.h"

namespace vitrine {

struct TextModel;

/// Token ids of B sentences, concatenated without padding: sentence b has lengths[b] of them.
struct PackedSentences {
    std::vector<int> ids;      // (R), R = Σ lengths
    std::vector<int> lengths;  // (B)
    int longest = 0;           // N

    /// Appends a sentence.
    void add(std::span<const int> sentence);
    /// The layout of its rows; valid during the lifetime of this object.
    Batch batch() const { return {static_cast<int>(lengths.size()), longest, lengths}; }
};

/// An "it" with a known noun: a training example of the auxiliary head.
struct ItGold {
    int row = 0;                                  // row in the packed source
    int noun = 0;                                 // id of the noun that "it" means
    int sentence = 0, place = 0, noun_place = 0;  // sentence, and positions in it of "it" and noun
};

/// Inputs of a pass, and the gold outputs. The source includes its special words: words [EOS] for translation, [CLS]
/// words for a class; the target is [BOS] words.
struct TextBatch {
    PackedSentences source;  // no ids without an encoder
    PackedSentences target;  // no ids without a decoder
    std::vector<int> gold;   // next word of each target row ([EOS] at the end), or class of each sentence
    std::vector<ItGold> it;

    int sentences() const;
};

/// A batch of examples with gold outputs, in the form that a model of their task reads.
TextBatch text_batch(const TextModel& model, std::span<const TextExample> examples);

/// One text without gold outputs. Source and target are words; without target words the target is [BOS] alone. A
/// language model's text is passed as `source`, and becomes its target.
TextBatch text_batch(const TextModel& model, std::span<const std::string> source,
                     std::span<const std::string> target = {});

}  // namespace vitrine
