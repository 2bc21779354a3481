#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/text/grammar/phrase.h"

namespace vitrine {

/// Most words in a story.
inline constexpr int longest_story = 36;

/// A word determined by an earlier one far away.
struct FixedWord {
    int position;
    FarKind kind;
    int deciding;  // position of the word that determines it
};

/// Two or three facts ("Tom has a red hat.") and what follows from them ("Amy saw the red hat.").
struct Story {
    Phrase words;
    std::vector<FixedWord> fixed;
    bool held_out = false;  // contains a pair of colour and thing that is held out from training
};
Story draw_story(Random& random);

/// All words of stories, in byte order.
std::vector<std::string> all_story_words();

}  // namespace vitrine
