#pragma once

#include <string>
#include <vector>

// The words of the sentences that are translated, and which of them go together.

namespace vitrine {

struct Adjective;

/// A word has a place among those that make pairs, which says what pairs are held out.
struct Noun {
    const char *singular, *plural, *japanese;
    const char* counter;  // 二 匹 の 犬
    int place = 0;
    std::vector<const Adjective*> adjectives = {};  // that fit it before the noun, too
};

struct Adjective {
    const char *english, *stem;  // 大き い
    const char* too;             // 大き すぎた
    int place = 0;
};

struct Verb {
    const char *base, *third, *past;
    const char *stem, *plain_past;  // 食べ ます, 食べた 犬
    int place = 0;
    std::vector<const Noun*> subjects = {}, objects = {};
};

/// A noun that "it" may mean, and the adjectives that say so.
struct ItNoun {
    const Noun* noun;
    std::vector<const Adjective*> adjectives;
};

/// "The book didn't fit in the box because it was too big": with some adjectives the book is meant, with others the
/// box; with another verb it may be the other way about.
struct ItVerb {
    const char *base, *second;  // "fit", "in"; the second may be empty
    const char *stem, *mark;    // 収まり, に
    std::vector<ItNoun> subjects, objects;
};

/// A word and its translation.
struct WordPair {
    const char *english, *japanese;
    int place = 0;
};

/// A word for which one of a noun and several of it have words of their own: this, these.
struct Demonstrative {
    WordPair one, several;
    const char* before_noun;  // この
};

/// All tables, in a fixed order.
struct TranslationWords {
    std::vector<Noun> nouns;
    std::vector<Adjective> adjectives;
    std::vector<Verb> verbs;                    // someone does something
    std::vector<Verb> give_verbs;               // someone gives something to someone
    std::vector<std::vector<ItVerb>> it_verbs;  // those of the same nouns together
    std::vector<const Noun*> people;
    std::vector<WordPair> pronouns, possessives, numbers, places, times;
    std::vector<Demonstrative> demonstratives;
};
const TranslationWords& translation_words();

/// Whether words with these places never meet in what is learned: one pair in ten. (this, pen) and (animal, street),
/// of the lectures' own examples, are such pairs.
constexpr bool held_out_pair(int one, int other) { return (one + other) % 10 == 2; }

/// All words of a language, by the numbers of their letters.
std::vector<std::string> all_english_words();
std::vector<std::string> all_japanese_words();

}  // namespace vitrine
