#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/text/text_example.h"

namespace vitrine {

struct TextModel;

/// Token ids of B sentences, one behind another without padding: sentence b has lengths[b] of them.
struct PackedSentences {
    std::vector<int> ids;      // (R), R = Σ lengths
    std::vector<int> lengths;  // (B)
    int longest = 0;           // N

    /// Puts a sentence behind those that are there.
    void add(std::span<const int> sentence);
    /// Of its rows; valid as long as this is.
    Batch batch() const { return {static_cast<int>(lengths.size()), longest, lengths}; }
};

/// An "it" whose noun is known: what the auxiliary head learns from.
struct ItGold {
    int row = 0;                                  // of the packed source
    int noun = 0;                                 // the id of the word that it stands for
    int sentence = 0, place = 0, noun_place = 0;  // where both stand in their sentence
};

/// What a pass reads, and what it should have said. The source stands with its special words: words [EOS] for
/// translation, [CLS] words for a class; the target: [BOS] words.
struct TextBatch {
    PackedSentences source;  // without an encoder: no ids
    PackedSentences target;  // without a decoder: no ids
    std::vector<int> gold;   // of each row of the target the next word ([EOS] at last), or of each sentence its class
    std::vector<ItGold> it;

    int sentences() const;
};

/// Examples as a model of their task reads them.
TextBatch text_batch(const TextModel& model, std::span<const TextExample> examples);

/// One text without an answer. Source and target are words; the target may be empty, [BOS] stands there then. A
/// language model's text is its target.
TextBatch text_batch(const TextModel& model, std::span<const std::string> source,
                     std::span<const std::string> target = {});

}  // namespace vitrine
