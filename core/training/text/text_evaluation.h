#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/progress.h"
#include "core/text/text_example.h"
#include "core/training/tally.h"

namespace vitrine {

struct TextModel;

/// Agreement of a translation's cross-attention with the word alignment: in the last block, averaged over heads, how
/// often the largest weight in the row of a produced word is on an aligned source word.
struct AlignmentQuality {
    TextScore nouns, content_words, all;
};

/// How well "it" finds its noun: by attention in the encoder, and by the auxiliary head.
struct PronounQuality {
    TalliedHead head;       // the best head, from "it" to its noun
    double other_mass = 0;  // of the same head, on the other noun
    TextScore named;        // nouns named by the auxiliary head
};

/// Attention of the class token. Heads of all blocks are considered, since any block may read the decisive words.
struct ClassTokenQuality {
    TalliedHead deciding;  // to the decisive words, including their negation
    double idle_mass = 0;  // of the same head, on the clause that does not decide, if there is one
    TalliedHead negation;  // to the negation, if the deciding clause has one
    TalliedHead negated;   // from the decisive word to its negation
};

/// For a story and a kind of words that earlier words determine: how often such a word is correct, and the best head
/// from its row to the words that determine it.
struct FarQuality {
    TextScore words;
    TalliedHead head;
};

struct TextEvaluation {
    int count = 0;              // examples per stream
    TextScore held_out, fresh;  // see scores_of
    double perplexity = 0;      // of the next word under teacher forcing, held out; for a review, of the label
    std::map<std::string, TextScore> patterns;  // held out
    std::optional<AlignmentQuality> alignment;
    std::optional<PronounQuality> it;
    std::optional<ClassTokenQuality> class_token;
    std::optional<double> bag_of_words;  // accuracy of a classifier that ignores word order
    std::map<FarKind, FarQuality> far;
};

struct TextEvaluationRequest {
    int count = 5000;
    std::uint64_t seed = 0;
    int threads = 1;
    bool brief = false;  // only held-out examples, for repeated measurements during a run
    Progress progress = {};
};

/// Draws examples that no run is trained on, by seed, and measures the model. At least two fifths of `count` sentences
/// have "it". The figures do not depend on the number of threads.
TextEvaluation evaluate(const TextModel& model, const TextEvaluationRequest& request);

/// The score that the window shows, on held-out examples: the share of correct translations or reviews; for stories,
/// of correct objects, each determined by a much earlier sentence.
double right_of(const TextEvaluation& e);

/// The score of the attention: for translations, how often a noun's largest weight is on its source word; for reviews,
/// the class token's weight on the decisive words in the best head; for stories, how often the best head's largest
/// weight is on the words that determine the object.
double attention_of(const TextEvaluation& e);

/// The best head of `attention_of`; for a translation, a TalliedHead with a count of 0.
TalliedHead head_of(const TextEvaluation& e);

}  // namespace vitrine
