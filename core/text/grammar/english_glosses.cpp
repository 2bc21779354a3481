#include "core/text/grammar/english_glosses.h"

#include <map>

#include "core/text/grammar/translation_words.h"

namespace vitrine {

namespace {

struct Gloss {
    const char *japanese, *english;
};
// Particles, endings and counters, which have no translation of their own.
constexpr Gloss small_words[] = {
    {"は", "topic"},
    {"を", "object"},
    {"が", "subject"},
    {"の", "of"},
    {"に", "to, in"},
    {"で", "at"},
    {"か", "question"},
    {"い", "adjective"},
    {"く", "adjective"},
    {"ない", "not"},
    {"です", "is"},
    {"では", "is (not)"},
    {"ありません", "not"},
    {"ます", "does"},
    {"ません", "does not"},
    {"ました", "did"},
    {"ませんでした", "did not"},
    {"ので", "because"},
    {"その", "the"},
    {"すぎた", "was too"},
    {"すぎていた", "was too"},
};

std::map<std::string, std::string> all_glosses() {
    const TranslationWords& t = translation_words();
    std::map<std::string, std::string> glosses;
    const auto add = [&](const char* japanese, const std::string& english) {
        if (*japanese != '\0') glosses.emplace(japanese, english);  // the first meaning is kept
    };
    for (const Gloss& gloss : small_words) add(gloss.japanese, gloss.english);
    for (const Noun& noun : t.nouns) add(noun.japanese, noun.singular);
    for (const Adjective& adjective : t.adjectives) add(adjective.stem, adjective.english);
    for (const auto* verbs : {&t.verbs, &t.give_verbs})
        for (const Verb& verb : *verbs) add(verb.stem, verb.base), add(verb.plain_past, verb.past);
    for (const std::vector<ItVerb>& verbs : t.it_verbs)
        for (const ItVerb& verb : verbs)
            add(verb.stem, *verb.second == '\0' ? verb.base : std::string(verb.base) + " " + verb.second);
    for (const auto* pairs : {&t.pronouns, &t.possessives, &t.numbers, &t.places, &t.times})
        for (const WordPair& pair : *pairs) add(pair.japanese, pair.english);
    for (const Demonstrative& d : t.demonstratives) {
        add(d.one.japanese, d.one.english);
        add(d.several.japanese, d.several.english);
        add(d.before_noun, d.one.english);
    }
    for (const Noun& noun : t.nouns) add(noun.counter, "counter");
    return glosses;
}

}  // namespace

std::string english_gloss(const std::string& japanese) {
    static const std::map<std::string, std::string> glosses = all_glosses();
    const auto found = glosses.find(japanese);
    return found == glosses.end() ? std::string() : found->second;
}

}  // namespace vitrine
