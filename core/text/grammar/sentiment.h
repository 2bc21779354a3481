#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/text/grammar/phrase.h"

namespace vitrine {

/// Words at most that a review has.
inline constexpr int longest_review = 15;

// What a review's words have as keys.
inline constexpr Keys deciding_key = 1, negation_key = 2, idle_key = 4;

/// A review. Of two opinions one counts: the speaker's own, or what stands behind "but" and "although …,".
struct Review {
    Phrase words;
    bool glad;
    const char* pattern;
    bool held_out = false;  // whether an adjective is said of a thing of which learning never says it
};

/// Three in ten turn their adjective round with "not", near it or far from it; what two opinions say is independent
/// where both are of equal right, so that the one that does not count tells nothing about the label.
Review draw_review(Random& random);

/// All words of reviews, by the numbers of their letters.
std::vector<std::string> all_review_words();

}  // namespace vitrine
