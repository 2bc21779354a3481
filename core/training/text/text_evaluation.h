#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/progress.h"
#include "core/training/head_tally.h"
#include "core/training/text/text_score.h"

namespace vitrine {

/// How a decoder's cross-attention lies on the words that a translation's words come from: the last block, mean of the
/// heads, the row of the word that is produced; how often its largest weight lies on an aligned word.
struct AlignmentQuality {
    TextScore nouns, content_words, all;
};

/// What the encoder's row of "it" looks at.
struct PronounQuality {
    TalliedHead head;       // on the noun it stands for
    double other_mass = 0;  // of the same head, on the noun it does not
    TextScore named;        // by the auxiliary head
};

/// What the class token's row looks at. It may read what decides in any block, so heads of all are asked.
struct ClassTokenQuality {
    TalliedHead deciding;  // on the words that decide, their negation included
    double idle_mass = 0;  // of the same head, on the clause that does not, where there is one
    TalliedHead negation;  // on the negation, where the deciding clause has one
    TalliedHead negated;   // the row of the deciding word, on its negation
};

/// A story's: of each kind of word that another fixes how often it is said rightly, and the head that looks at what
/// fixes it from the row where it is produced.
struct FarQuality {
    TextScore words;
    TalliedHead head;
};

struct TextEvaluation {
    int count = 0;                              // examples of each stream
    TextScore held_out, fresh;                  // see scores_of
    double perplexity = 0;                      // of the next word under teacher forcing, held out; of a review's label
    std::map<std::string, TextScore> patterns;  // held out
    std::optional<AlignmentQuality> alignment;
    std::optional<PronounQuality> it;
    std::optional<ClassTokenQuality> class_token;
    std::optional<double> bag_of_words;  // what the words of a review tell without their order
    std::map<FarKind, FarQuality> far;
};

struct TextEvaluationRequest {
    int count = 5000;
    std::uint64_t seed = 0;
    int threads = 1;
    bool brief = false;  // held-out examples alone: what a run is measured by again and again
    Progress progress = {};
};

/// Draws examples that no run learns from and measures; the seed says which. "It" is asked about in at least two fifths
/// of `count` sentences. No number of threads changes the figures.
TextEvaluation evaluate(const TextModel& model, const TextEvaluationRequest& request);

/// What a class watches rise, of held-out examples: translations and reviews that are right; of stories the objects,
/// each fixed by a sentence far before it.
double right_of(const TextEvaluation& e);

/// And where the model looks: of translations how often a noun's largest weight lies on the word that it translates; of
/// reviews the weight that the class token gives the words that decide in the best head; of stories how often the best
/// head's largest weight lies on what fixes the object.
double attention_of(const TextEvaluation& e);

/// That best head; none of a translation's.
TalliedHead head_of(const TextEvaluation& e);

}  // namespace vitrine
