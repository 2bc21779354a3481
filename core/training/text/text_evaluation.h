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

/// Attention from "it" in the encoder.
struct PronounQuality {
    TalliedHead head;       // to its noun
    double other_mass = 0;  // of the same head, on the other noun
    TextScore named;        // by the auxiliary head
};

/// Attention of the class token. Heads of all blocks are considered, since the decisive words may be read in any of
/// them.
struct ClassTokenQuality {
    TalliedHead deciding;  // to the decisive words, including their negation
    double idle_mass = 0;  // of the same head, on the clause that does not decide, if there is one
    TalliedHead negation;  // to the negation, if the deciding clause has one
    TalliedHead negated;   // from the decisive word to its negation
};

/// For a story: how often each kind of determined word is correct, and the head that attends from its row to what
/// determines it.
struct FarQuality {
    TextScore words;
    TalliedHead head;
};

struct TextEvaluation {
    int count = 0;              // examples per stream
    TextScore held_out, fresh;  // see scores_of
    double perplexity = 0;      // of the next word under teacher forcing, held out; for a review of the label
    std::map<std::string, TextScore> patterns;  // held out
    std::optional<AlignmentQuality> alignment;
    std::optional<PronounQuality> it;
    std::optional<ClassTokenQuality> class_token;
    std::optional<double> bag_of_words;  // accuracy without word order
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

/// The score that the window shows, on held-out examples: the share of correct translations and reviews; for stories of
/// correct objects, each determined by a sentence far before it.
double right_of(const TextEvaluation& e);

/// The score of the attention: for translations how often a noun's largest weight is on its source word; for reviews
/// the class token's weight on the decisive words in the best head; for stories how often the best head's largest
/// weight is on what determines the object.
double attention_of(const TextEvaluation& e);

/// The head described above; none for a translation.
TalliedHead head_of(const TextEvaluation& e);

}  // namespace vitrine
