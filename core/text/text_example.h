#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/names.h"

namespace vitrine {

/// What kind of word a target word is, for figures by kind.
enum class WordKind {
    noun,     ///< a person, an animal, a thing; no place, no time, no pronoun
    content,  ///< any other word that means something by itself: verbs, adjectives, numbers, places, times, pronouns
    other,    ///< particles, endings, articles, signs; "it"; what only goes with the word before it ("every day", "go
              ///< into")
};

/// Where a translation's "it" stands and what it means: positions of words in the source.
struct Pronoun {
    int it = 0, noun = 0;
    int other = 0;  ///< the noun that it does not mean
};

/// What fixes a word of a story.
enum class FarKind {
    pronoun,  ///< his or her, by the name before it
    colour,   ///< by the sentence that says what the owner has
    object,   ///< by the colour there
    quote,    ///< the closing one, by the opening one
};
inline constexpr Named<FarKind> far_kind_names[] = {
    {FarKind::pronoun, "pronoun"}, {FarKind::colour, "colour"}, {FarKind::object, "object"}, {FarKind::quote, "quote"}};
constexpr const char* name_of(FarKind kind) { return name_in(far_kind_names, kind); }

/// A word of a story that a word far before it fixes: positions in the source.
struct FarWord {
    int position = 0;
    FarKind kind = FarKind::object;
    std::vector<int> deciding;
};

/// A sentence, a review or a story with what is known about it. Words are without special tokens; positions count words
/// from 0: one that is preceded by [CLS] or [BOS] stands one row further down in the model.
///
/// A review and a story are their `source`; `target` is a translation's alone.
struct TextExample {
    std::vector<std::string> source, target;
    std::vector<std::vector<int>> gold;  // of every target word the source positions it is aligned with, rising
    std::vector<WordKind> kinds;         // of every target word
    std::optional<int> label;            // a review's: a place in sentiment_labels()
    std::string pattern;                 // of what kind it is: "this", "it", "although" …
    bool held_out = false;               // whether it has a pair of words that learning never shows together
    std::optional<Pronoun> it;
    std::vector<FarWord> far;  // a story's, by rising position
    // A review's, all of them positions in the source:
    std::vector<int> deciding;  // the adjective that says the label
    std::vector<int> negation;  // what turns it round
    std::vector<int> idle;      // adjective and negation of the clause that does not count
};

}  // namespace vitrine
