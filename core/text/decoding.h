#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/text/decoding_method.h"
#include "core/text/text_forward.h"

namespace vitrine {

struct Decoding {
    DecodingMethod method = DecodingMethod::greedy;
    int width = 4;            // of the beam
    double temperature = 1;   // softmax(logits / T), before anything is cut away
    int top_k = 0;            // only the k most probable words are drawn from; 0: all
    double top_p = 1;         // only the most probable words that together have p (Holtzman et al. 2020)
    std::uint64_t seed = 1;   // of the drawing
    int longest = 0;          // words at most, [EOS] counted; 0: as many as the model has places
    int candidates = 10;      // kept of each step
    bool cached = true;       // whether keys and values of earlier words are kept rather than computed again
    std::vector<int> forced;  // the first words, chosen already, as ids; a step tells what else there was
};

struct WordCandidate {
    int word = 0;
    double probability = 0;  // softmax(logits / T) over the whole vocabulary
};

/// One word of the text that is produced.
struct DecodingStep {
    std::vector<WordCandidate> candidates;  // most probable first; never [PAD], [BOS], [UNK] or [CLS]
    WordCandidate taken;                    // may stand behind the candidates that are kept
    bool forced = false;
};

/// A word of the beam's tree; the root is [BOS].
struct BeamNode {
    int parent = -1;  // its place in the tree
    int depth = 0;    // words from the root
    int word = 0;
    double probability = 0;      // given the words before it
    double log_probability = 0;  // of all words from the root
    bool kept = false;           // whether the beam followed it, or it ended a text that was kept
    bool ended = false;          // [EOS]
    bool best = false;           // whether it belongs to the text that was chosen
};

/// A text as it was produced.
struct DecodedText {
    std::vector<int> words;           // without [BOS] and [EOS]; behind a language model's prompt
    bool ended = false;               // by [EOS], not by want of places
    double log_probability = 0;       // of the words and [EOS], at the temperature
    std::vector<DecodingStep> steps;  // one for each word, and one for [EOS]
    std::vector<BeamNode> tree;  // of a beam; every node that was ever considered among the best `width` of its parent
    std::int64_t rows = 0;       // token rows that went through decoder blocks: what a cache saves
};

/// Writes a target for a source, or goes on with a language model's prompt. The batch has one text; its target ([BOS],
/// or [BOS] and a prompt) is what production begins behind.
DecodedText decode(const TextModel& model, const TextBatch& text, const Decoding& how,
                   std::span<const Intervention> interventions = {});

/// Greedy decoding of a batch at once, for evaluation.      ->  the words of each text
std::vector<std::vector<int>> decode_greedily(const TextModel& model, const TextBatch& texts,
                                              std::span<const Intervention> interventions = {});

/// Everything that a room or the command line shows of one text.
struct TextRun {
    std::vector<std::string> input;   // the words that were read, without special ones; unknown words as typed
    DecodedText decoded;              // nothing of a classifier
    std::vector<std::string> output;  // its words; of a classifier the label alone
    int label = -1;                   // of a classifier
    TextTrace trace;                  // the pass over the whole text and all that was produced: row t led to word t + 1
};

/// Reads words and produces: decodes, then one pass over all of it.
TextRun run_text(const TextModel& model, std::span<const std::string> words, const Decoding& how = {},
                 std::span<const Intervention> interventions = {});

}  // namespace vitrine
