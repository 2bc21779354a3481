#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/names.h"
#include "core/tensor/tensor.h"
#include "core/text/text_kinds.h"
#include "core/text/text_writer.h"

namespace vitrine {

struct Decoding {
    DecodingMethod method = DecodingMethod::greedy;
    int width = 4;           // of the beam
    double temperature = 1;  // softmax(logits / T), before top-k and top-p
    int top_k = 0;           // samples from the k most probable words; 0: all
    double top_p = 1;        // samples from the fewest most probable words with a total of p (Holtzman et al. 2020)
    std::uint64_t seed = 1;  // of the sampling
    Ending ending = Ending::at_eos;
    int longest = 0;                // most words, [EOS] included; 0: as many as the model has positions for
    int candidates = 10;            // number stored for each step
    Caching caching = Caching::on;  // always off with interventions that `can_cache` excludes
    std::vector<int> forced = {};   // ids of prescribed first words; steps still record the alternatives
};

struct WordCandidate {
    int word = 0;
    double probability = 0;  // softmax(logits / T) over the whole vocabulary
};

/// The most probable words, at most `count`, best first, ties by id; never [PAD], [BOS], [UNK] or [CLS].
std::vector<WordCandidate> word_candidates(std::span<const float> logits, double temperature, int count);

/// The same for a row of logits (1, V), without a limit.
std::vector<WordCandidate> all_candidates(const Tensor2& logits, double temperature);
/// A given word with its probability.
WordCandidate candidate_of(const Tensor2& logits, double temperature, int word);
/// The first `count` candidates, or all if there are fewer.
std::vector<WordCandidate> first_of(std::vector<WordCandidate> candidates, int count);

/// The candidates for sampling: the k most probable, then the fewest with a share p of their total.
std::vector<WordCandidate> drawn_from(std::vector<WordCandidate> candidates, const Decoding& how);

/// One word produced.
struct DecodingStep {
    std::vector<WordCandidate> candidates;  // as many as are stored
    WordCandidate taken;                    // need not be among the stored candidates
    bool forced = false;
};

/// A node of the beam's tree; the root, at index 0, is the last word of the prompt.
struct BeamNode {
    int parent = -1;  // index in the tree
    int depth = 0;    // distance from the root
    int word = 0;
    double probability = 0;      // given the words before it
    double log_probability = 0;  // sum from the root
    bool kept = false;           // among the `width` best of its depth
    bool ended = false;          // [EOS]
    bool best = false;           // part of the chosen text
};

/// A decoded text.
struct DecodedText {
    std::vector<int> words;           // without [BOS] and [EOS], and without a language model's prompt
    bool ended = false;               // by [EOS], not by lack of positions or `longest`
    double log_probability = 0;       // of the words and [EOS], at the temperature
    std::vector<DecodingStep> steps;  // one per word, and one for [EOS]
    std::vector<BeamNode> tree;  // of a beam search: the `width` most probable words after each node that was extended
    std::int64_t rows = 0;       // token rows processed by the decoder, which a cache reduces
    std::int64_t rows_recomputed = 0;  // the same without a cache; equal to `rows` if there was none
};

}  // namespace vitrine
