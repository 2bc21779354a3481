#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/text/grammar/phrase.h"

namespace vitrine {

/// Words at most that a story has.
inline constexpr int longest_story = 36;

/// A word that a far one fixes.
struct FixedWord {
    int position;
    FarKind kind;
    int deciding;  // the position of what decides it
};

/// Two or three facts ("Tom has a red hat.") and what follows from them ("Amy saw the red hat.").
struct Story {
    Phrase words;
    std::vector<FixedWord> fixed;
    bool held_out = false;  // whether a colour is a thing's that it never is in what is learned
};
Story draw_story(Random& random);

/// All words of stories, by the numbers of their letters.
std::vector<std::string> all_story_words();

}  // namespace vitrine
