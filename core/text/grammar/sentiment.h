#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/text/grammar/phrase.h"

namespace vitrine {

/// Most words in a review.
inline constexpr int longest_review = 15;

// Keys of a review's words.
inline constexpr Keys deciding_key = 1, negation_key = 2, idle_key = 4;

/// A review. Of two opinions one decides: the speaker's own, or the one after "but" or "although …,".
struct Review {
    Phrase words;
    bool glad;
    const char* pattern;
    bool held_out = false;  // an adjective appears with a thing from which training holds it out
};

/// Draws a review. Three in ten negate their adjective with "not", next to it or far away. Where either of two opinions
/// may decide, they agree in four of ten reviews, so that the other opinion gives little hint of the label.
Review draw_review(Random& random);

/// All words of reviews, in byte order.
std::vector<std::string> all_review_words();

}  // namespace vitrine
