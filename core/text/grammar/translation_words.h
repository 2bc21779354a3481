#pragma once

#include <string>
#include <vector>

// The words of the translated sentences, and which of them combine.

namespace vitrine {

struct Adjective;

/// A noun. Its place, a number among all words that form pairs, decides which pairs are held out.
struct Noun {
    const char *singular, *plural, *japanese;
    const char* counter;  // 二 匹 の 犬
    int place = 0;
    std::vector<const Adjective*> adjectives = {};  // those that fit the noun, also before it
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

/// A noun that "it" may refer to, and the adjectives that identify it.
struct ItNoun {
    const Noun* noun;
    std::vector<const Adjective*> adjectives;
};

/// "The book didn't fit in the box because it was too big": some adjectives identify the book, others the box; with
/// another verb it may be the other way round.
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

/// A demonstrative with different forms for one noun and several: this, these.
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
    std::vector<std::vector<ItVerb>> it_verbs;  // grouped by their nouns
    std::vector<const Noun*> people;
    std::vector<WordPair> pronouns, possessives, numbers, places, times;
    std::vector<Demonstrative> demonstratives;
};
const TranslationWords& translation_words();

/// True if words with these places never appear together in training: one pair in ten. (this, pen) and (animal,
/// street), from the lectures' own examples, are such pairs.
constexpr bool held_out_pair(int one, int other) { return (one + other) % 10 == 2; }

/// All words of a language, in byte order.
std::vector<std::string> all_english_words();
std::vector<std::string> all_japanese_words();

}  // namespace vitrine
