#pragma once

#include <optional>

#include "core/base/random.h"
#include "core/text/grammar/phrase.h"

namespace vitrine {

/// Most words in a sentence, on either side.
inline constexpr int longest_sentence = 14;

/// A sentence and its translation. Each determines the other.
struct SentencePair {
    Phrase english, japanese;
    const char* pattern;
    bool held_out = false;
    std::optional<Pronoun> it = {};  // positions in the English sentence
};

/// Draws one of six patterns: what something is ("this"), how it is ("adjective"), what someone does ("verb"), gives
/// someone ("give"), did not do because "it" was too … ("it"), and a relative clause ("that").
SentencePair draw_sentence_pair(Random& random);

}  // namespace vitrine
