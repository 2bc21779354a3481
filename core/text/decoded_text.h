#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/names.h"
#include "core/tensor/tensor.h"
#include "core/text/decoding_method.h"
#include "core/text/text_writer.h"

namespace vitrine {

struct Decoding {
    DecodingMethod method = DecodingMethod::greedy;
    int width = 4;           // of the beam
    double temperature = 1;  // softmax(logits / T), before anything is cut away
    int top_k = 0;           // only the k most probable words are drawn from; 0: all
    double top_p = 1;        // only the most probable words that together have p (Holtzman et al. 2020)
    std::uint64_t seed = 1;  // of the drawing
    Ending ending = Ending::at_eos;
    int longest = 0;                // words at most, [EOS] counted; 0: as many as the model has places for
    int candidates = 10;            // kept of each step
    Caching caching = Caching::on;  // where an intervention forbids it, it is off
    std::vector<int> forced = {};   // the first words, chosen already, as ids; a step tells what else there was
};

struct WordCandidate {
    int word = 0;
    double probability = 0;  // softmax(logits / T) over the whole vocabulary
};

/// The most probable words, at most `count`, best first, the first of equals; never [PAD], [BOS], [UNK] or [CLS].
std::vector<WordCandidate> word_candidates(std::span<const float> logits, double temperature, int count);

/// The same of a row of logits (1, V): every word that can be said.
std::vector<WordCandidate> all_candidates(const Tensor2& logits, double temperature);
/// One word, whichever.
WordCandidate candidate_of(const Tensor2& logits, double temperature, int word);
/// At most so many of them.
std::vector<WordCandidate> first_of(std::vector<WordCandidate> candidates, int count);

/// Those of them that may be drawn: the k most probable, then the fewest that have a share p of what these have.
std::vector<WordCandidate> drawn_from(std::vector<WordCandidate> candidates, const Decoding& how);

/// One word of the text that is produced.
struct DecodingStep {
    std::vector<WordCandidate> candidates;  // as many as are kept
    WordCandidate taken;                    // may stand behind the candidates that are kept
    bool forced = false;
};

/// A word of the beam's tree; the root, in the first place, is the word that production begins behind.
struct BeamNode {
    int parent = -1;  // its place in the tree
    int depth = 0;    // words from the root
    int word = 0;
    double probability = 0;      // given the words before it
    double log_probability = 0;  // of all words from the root
    bool kept = false;           // whether it is one of the `width` best of its depth
    bool ended = false;          // [EOS]
    bool best = false;           // whether it belongs to the text that was chosen
};

/// A text as it was produced.
struct DecodedText {
    std::vector<int> words;           // without [BOS] and [EOS]; behind a language model's prompt
    bool ended = false;               // by [EOS], not by want of places
    double log_probability = 0;       // of the words and [EOS], at the temperature
    std::vector<DecodingStep> steps;  // one for each word, and one for [EOS]
    std::vector<BeamNode> tree;       // of a beam: the `width` most probable words behind each node that was followed
    std::int64_t rows = 0;            // token rows that went through the decoder: what a cache saves
    std::int64_t rows_anew = 0;       // as many as would go without a cache; `rows` where there was none
};

}  // namespace vitrine
