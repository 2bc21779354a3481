#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/names.h"

namespace vitrine {

/// Category of a target word; results are reported for each category.
enum class WordKind {
    noun,     ///< a person, an animal, a thing; not a place, time or pronoun
    content,  ///< any other word with a meaning of its own: verbs, adjectives, numbers, places, times, pronouns
    other,    ///< particles, endings, articles, punctuation; "it"; parts of phrases ("go into")
};

/// Position and meaning of the "it" in a translation: positions of words in the source.
struct Pronoun {
    int it = 0, noun = 0;
    int other = 0;  ///< the noun that it does not refer to
};

/// Kinds of words of a story that are determined by a word far before them.
enum class FarKind {
    pronoun,  ///< his or her, by the name before
    colour,   ///< a colour, by the sentence that states who owns the thing
    object,   ///< an object, by the same sentence
    quote,    ///< the closing quotation mark, by the opening one
};
inline constexpr Named<FarKind> far_kind_names[] = {
    {FarKind::pronoun, "pronoun"}, {FarKind::colour, "colour"}, {FarKind::object, "object"}, {FarKind::quote, "quote"}};
constexpr const char* name_of(FarKind kind) { return name_in(far_kind_names, kind); }

/// A word of a story that is determined by a word far before it: positions in the source.
struct FarWord {
    int position = 0;
    FarKind kind = FarKind::object;
    std::vector<int> deciding;
};

/// A sentence, a review or a story with its annotations. Words are without special tokens; positions count words from
/// 0, so after [CLS] or [BOS] they are one row further down in the model.
///
/// A review or a story is its `source`; only a translation has a `target`.
struct TextExample {
    std::vector<std::string> source, target;
    std::vector<std::vector<int>> gold;  // for every target word its aligned source positions, ascending
    std::vector<WordKind> kinds;         // for every target word
    std::optional<int> label;            // of a review: an index into sentiment_labels()
    std::string pattern;                 // name of its pattern: "this", "it", "although" …
    bool held_out = false;               // contains a pair of words that never appears in training
    std::optional<Pronoun> it;
    std::vector<FarWord> far;  // of a story, by ascending position
    // A review's, all of them positions in the source:
    std::vector<int> deciding;  // the adjective that decides the label
    std::vector<int> negation;  // its negation
    std::vector<int> idle;      // adjective and negation of the clause that does not decide
};

}  // namespace vitrine
