#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/base/progress.h"
#include "core/training/text_score.h"

namespace vitrine {

/// A head that was found by what it does: no list says which one it is.
struct FoundHead {
    int block = 1, head = 0;
    double share = 0;  // how often its largest weight lies where it should
    double mass = 0;   // mean weight there
    int count = 0;     // rows it was asked about
};

/// How a decoder's cross-attention lies on the words that a translation's words come from: the last block, mean of the
/// heads, the row of the word that is produced; how often its largest weight lies on an aligned word.
struct AlignmentQuality {
    TextScore nouns, content_words, all;
};

/// What the encoder's row of "it" looks at.
struct PronounQuality {
    FoundHead head;         // on the noun it stands for
    double other_mass = 0;  // of the same head, on the noun it does not
    TextScore named;        // by the auxiliary head
};

/// The class token's row in the last block, mean of the heads.
struct ClassTokenQuality {
    double deciding = 0;  // weight on the words that decide, their negation included
    double idle = 0;      // on the clause that does not, where there is one
    FoundHead negation;   // the best head's row of [CLS] on the negation, where the deciding clause has one
    FoundHead negated;    // the best head's row of the deciding word on its negation
};

/// A story's: of each kind of word that another fixes how often it is said rightly, and the head that looks at what
/// fixes it from the row where it is produced.
struct FarQuality {
    TextScore words;
    FoundHead head;
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

}  // namespace vitrine
