#include "core/text/grammar/translation.h"

#include <string_view>

#include "core/text/grammar/translation_words.h"

namespace vitrine {

namespace {

// ---- meanings of words

constexpr Keys key(int number) { return Keys{1} << number; }
constexpr Keys verb_key = key(0), tense = key(1), negation = key(2), asking = key(3), stop = key(4), place_key = key(5),
               time_key = key(6), being = key(7), because = key(8), too_key = key(9), it_key = key(10);

/// Keys of a noun phrase's words; the up to three noun phrases of a sentence have different ones.
struct NounKeys {
    Keys number, which, adjective, noun;
};
constexpr NounKeys noun_keys(int at) { return {key(at), key(at + 1), key(at + 2), key(at + 3)}; }
constexpr NounKeys subject_keys = noun_keys(12), object_keys = noun_keys(16), receiver_keys = noun_keys(20);

// ---- both languages at once

struct Draft {
    Phrase english, japanese;
    void add(const Draft& more) {
        english.add(more.english);
        japanese.add(more.japanese);
    }
};

enum class Mood { statement, negative, question };

/// Statements are `statements` times as likely as negatives or questions.
Mood draw_mood(Random& random, int statements) {
    const int drawn = random.below(statements + 2);
    return drawn < statements ? Mood::statement : drawn == statements ? Mood::negative : Mood::question;
}

void add_end(Draft& draft, Mood mood) {
    if (mood == Mood::question) draft.japanese.add(other("か", asking));
    draft.english.add(mood == Mood::question ? other("?", asking | stop) : other(".", stop));
    draft.japanese.add(other("。", stop));
}

const char* article(std::string_view next) {
    return std::string_view("aeiou").find(next[0]) == std::string_view::npos ? "a" : "an";
}

/// Records whether a sentence contains a pair of words that is held out from training.
struct Pairs {
    bool held_out = false;
    void add(int one, int two) { held_out = held_out || held_out_pair(one, two); }
};

const Adjective& draw_adjective(Random& random, const Noun& noun, Pairs& pairs) {
    const Adjective& drawn = *one_of(random, noun.adjectives);
    pairs.add(drawn.place, noun.place);
    return drawn;
}

// ---- noun phrases

/// Role of a noun phrase: "the dog" is 犬 as a subject and その 犬 as an object, where "a dog" is 犬.
enum class Role { subject, object, receiver };

constexpr NounKeys keys_of(Role role) {
    return role == Role::subject ? subject_keys : role == Role::object ? object_keys : receiver_keys;
}

struct NounPlan {
    const Noun* noun;
    Role role;
    double adjective = 0.3, number = 0.15;  // their probabilities
};

struct NounPhrase : Draft {
    bool several = false;
};

/// Adds the words before the adjective.
void add_determiner(Random& random, const NounPlan& plan, NounPhrase& phrase, Pairs& pairs) {
    const TranslationWords& t = translation_words();
    const NounKeys keys = keys_of(plan.role);
    const double drawn = random.uniform();
    if (drawn < plan.number) {
        const WordPair& number = one_of(random, t.numbers);
        pairs.add(number.place, plan.noun->place);
        phrase.several = true;
        phrase.english.add(content(number.english, keys.number));
        phrase.japanese.add(content(number.japanese, keys.number), other(plan.noun->counter, keys.number | keys.noun),
                            other("の"));
    } else if (drawn < plan.number + 0.15) {
        const int mine = plan.role == Role::receiver ? 1 : 0;  // "my teacher" would need another verb
        const auto& whose =
            t.possessives[static_cast<std::size_t>(mine + random.below(static_cast<int>(t.possessives.size()) - mine))];
        phrase.english.add(content(whose.english, keys.which));
        phrase.japanese.add(content(whose.japanese, keys.which), other("の"));
    } else if (drawn < plan.number + 0.3) {
        const Demonstrative& which = one_of(random, t.demonstratives);
        phrase.english.add(other(which.one.english, keys.which));
        phrase.japanese.add(other(which.before_noun, keys.which));
    } else if (plan.role != Role::object) {
        phrase.english.add(other("the"));
    } else if (chance(random, 0.5)) {
        phrase.english.add(other("the", keys.which));
        phrase.japanese.add(other("その", keys.which));
    } else {
        phrase.english.add(other("a"));
    }
}

NounPhrase draw_noun_phrase(Random& random, const NounPlan& plan, Pairs& pairs) {
    const NounKeys keys = keys_of(plan.role);
    NounPhrase phrase;
    add_determiner(random, plan, phrase, pairs);
    if (chance(random, plan.adjective)) {
        const Adjective& adjective = draw_adjective(random, *plan.noun, pairs);
        phrase.english.add(content(adjective.english, keys.adjective));
        phrase.japanese.add(content(adjective.stem, keys.adjective), other("い"));
    }
    phrase.english.add(noun(phrase.several ? plan.noun->plural : plan.noun->singular, keys.noun));
    phrase.japanese.add(noun(plan.noun->japanese, keys.noun));
    if (std::string_view(phrase.english[0].word) == "a") phrase.english[0].word = article(phrase.english[1].word);
    return phrase;
}

/// The subject; `several` is also set if the English verb has no -s: I, you.
NounPhrase draw_subject(Random& random, const std::vector<const Noun*>& nouns, Pairs& pairs) {
    if (!chance(random, 0.3)) return draw_noun_phrase(random, {one_of(random, nouns), Role::subject}, pairs);
    const WordPair& pronoun = one_of(random, translation_words().pronouns);
    NounPhrase phrase;
    phrase.english.add(content(pronoun.english, subject_keys.noun));
    phrase.japanese.add(content(pronoun.japanese, subject_keys.noun));
    const std::string_view word = pronoun.english;
    phrase.several = word != "he" && word != "she";
    return phrase;
}

// ---- patterns: adjectives

Token copula(bool several, Mood mood) {
    if (mood == Mood::negative) return other(several ? "aren't" : "isn't", being | negation);
    return other(several ? "are" : "is", mood == Mood::question ? being | asking : being);
}

/// "This isn't a red pen."  これ は 赤 い ペン では ありません 。
SentencePair draw_this(Random& random) {
    const TranslationWords& t = translation_words();
    Pairs pairs;
    const Noun& thing = one_of(random, t.nouns);
    const bool described = chance(random, 0.5);
    Draft what;
    if (described) {
        const Adjective& adjective = draw_adjective(random, thing, pairs);
        what.english.add(content(adjective.english, subject_keys.adjective));
        what.japanese.add(content(adjective.stem, subject_keys.adjective), other("い"));
    }
    const Demonstrative& which = one_of(random, t.demonstratives);
    const bool several = chance(random, 0.5);
    const WordPair& word = several ? which.several : which.one;
    pairs.add(word.place, thing.place);
    what.english.add(noun(several ? thing.plural : thing.singular, subject_keys.noun));
    what.japanese.add(noun(thing.japanese, subject_keys.noun));

    const Mood mood = draw_mood(random, 2);
    const Token is = copula(several, mood), pointer = other(word.english, subject_keys.which);
    Draft all;
    if (mood == Mood::question) all.english.add(is, pointer);
    if (mood != Mood::question) all.english.add(pointer, is);
    if (!several) all.english.add(other(article(what.english[0].word)));
    all.japanese.add(other(word.japanese, subject_keys.which), other("は"));
    all.add(what);
    if (mood == Mood::negative) all.japanese.add(other("では", negation), other("ありません", being | negation));
    if (mood != Mood::negative) all.japanese.add(other("です", being));
    add_end(all, mood);
    return {all.english, all.japanese, "this", pairs.held_out};
}

/// "My dog isn't big."  私 の 犬 は 大き く ない です 。
SentencePair draw_adjective_sentence(Random& random) {
    Pairs pairs;
    const Noun& thing = one_of(random, translation_words().nouns);
    Draft all = draw_noun_phrase(random, {&thing, Role::subject, 0.0}, pairs);
    const bool several = all.japanese.find(subject_keys.number) >= 0;
    const Adjective& adjective = draw_adjective(random, thing, pairs);
    const Mood mood = draw_mood(random, 2);
    if (mood == Mood::question) {
        Phrase asked;
        asked.add(copula(several, mood));
        asked.add(all.english);
        all.english = asked;
    } else {
        all.english.add(copula(several, mood));
    }
    all.english.add(content(adjective.english, subject_keys.adjective));
    all.japanese.add(other("は"), content(adjective.stem, subject_keys.adjective));
    if (mood == Mood::negative) all.japanese.add(other("く"), other("ない", negation | being));
    if (mood != Mood::negative) all.japanese.add(other("い"));
    all.japanese.add(other("です", mood == Mood::negative ? being | negation : being));
    add_end(all, mood);
    return {all.english, all.japanese, "adjective", pairs.held_out};
}

// ---- patterns: actions

enum class Tense { past, now };

/// A verb in its person, tense and mood: the English words before and after the subject, and the last Japanese words.
struct Predicate {
    Phrase front, group, ending;
};

Predicate predicate(const Verb& verb, bool several, Tense when, Mood mood) {
    const bool past = when == Tense::past;
    Predicate parts;
    if (mood == Mood::question) {
        parts.front.add(other(past ? "did" : several ? "do" : "does", tense | asking));
        parts.group.add(content(verb.base, verb_key));
    } else if (mood == Mood::negative) {
        parts.group.add(other(past      ? "didn't"
                              : several ? "don't"
                                        : "doesn't",
                              negation | tense),
                        content(verb.base, verb_key));
    } else {
        parts.group.add(content(past ? verb.past : several ? verb.base : verb.third, verb_key | tense));
    }
    if (mood == Mood::negative) parts.ending.add(other(past ? "ませんでした" : "ません", negation | tense));
    if (mood != Mood::negative) parts.ending.add(other(past ? "ました" : "ます", tense));
    return parts;
}

void add_time(Draft& draft, const WordPair& time) {
    if (std::string_view(time.english) == "every day")
        draft.english.add(content("every", time_key), other("day", time_key));
    else
        draft.english.add(content(time.english, time_key));
    draft.japanese.add(content(time.japanese, time_key));
}

enum class Where { anywhere, nowhere };  // whether a clause may name a place

/// A clause with subject, verb, `tail`, place and time: in Japanese the time comes first, the verb last.
Draft draw_clause(Random& random, const Verb& verb, const Draft& tail, Where where, Pairs& pairs) {
    const TranslationWords& t = translation_words();
    const NounPhrase subject = draw_subject(random, verb.subjects, pairs);
    Draft time, all;
    Tense when = Tense::past;
    if (chance(random, 0.45)) {
        const WordPair& drawn = one_of(random, t.times);
        if (std::string_view(drawn.english) == "every day") when = Tense::now;
        add_time(time, drawn);
    } else if (chance(random, 0.2)) {
        when = Tense::now;
    }
    const Mood mood = draw_mood(random, 3);
    const Predicate parts = predicate(verb, subject.several, when, mood);
    all.english.add(parts.front);
    all.english.add(subject.english);
    all.english.add(parts.group);
    all.english.add(tail.english);
    all.japanese.add(time.japanese);
    all.japanese.add(subject.japanese);
    all.japanese.add(other("は"));
    if (where == Where::anywhere && chance(random, 0.35)) {
        const WordPair& place = one_of(random, t.places);
        all.english.add(other("in"), other("the"), content(place.english, place_key));
        all.japanese.add(content(place.japanese, place_key), other("で"));
    }
    all.english.add(time.english);
    all.japanese.add(tail.japanese);
    all.japanese.add(content(verb.stem, verb_key));
    all.japanese.add(parts.ending);
    add_end(all, mood);
    return all;
}

/// "The cat ate two fish in the park yesterday."  昨日 猫 は 公園 で 二 匹 の 魚 を 食べ ました 。
SentencePair draw_verb(Random& random) {
    Pairs pairs;
    const Verb& verb = one_of(random, translation_words().verbs);
    const Noun& object = *one_of(random, verb.objects);
    pairs.add(verb.place, object.place);
    Draft tail = draw_noun_phrase(random, {&object, Role::object}, pairs);
    tail.japanese.add(other("を"));
    const Draft all = draw_clause(random, verb, tail, Where::anywhere, pairs);
    return {all.english, all.japanese, "verb", pairs.held_out};
}

/// "The girl gave a book to the teacher."  女の子 は 先生 に 本 を あげ ました 。
SentencePair draw_give(Random& random) {
    Pairs pairs;
    const TranslationWords& t = translation_words();
    const Verb& verb = one_of(random, t.give_verbs);
    const Noun& object = *one_of(random, verb.objects);
    pairs.add(verb.place, object.place);
    const NounPhrase what = draw_noun_phrase(random, {&object, Role::object, 0.2}, pairs);
    const NounPhrase whom = draw_noun_phrase(random, {one_of(random, t.people), Role::receiver, 0.1, 0.0}, pairs);
    Draft tail;
    tail.english.add(what.english);
    tail.english.add(other("to"));
    tail.english.add(whom.english);
    tail.japanese.add(whom.japanese);
    tail.japanese.add(other("に"));
    tail.japanese.add(what.japanese);
    tail.japanese.add(other("を"));
    const Draft all = draw_clause(random, verb, tail, Where::nowhere, pairs);
    return {all.english, all.japanese, "give", pairs.held_out};
}

/// "The dog that found a fish is big."  魚 を 見つけた 犬 は 大き い です 。
SentencePair draw_that(Random& random) {
    Pairs pairs;
    const Verb& verb = one_of(random, translation_words().verbs);
    const Noun& object = *one_of(random, verb.objects);
    const Noun& subject = *one_of(random, verb.subjects);
    pairs.add(verb.place, object.place);
    const NounPhrase what = draw_noun_phrase(random, {&object, Role::object, 0.15, 0.1}, pairs);
    const Adjective& adjective = draw_adjective(random, subject, pairs);
    Draft all;
    all.english.add(other("the"), noun(subject.singular, subject_keys.noun), other("that"),
                    content(verb.past, verb_key));
    all.english.add(what.english);
    all.english.add(other("is", being), content(adjective.english, subject_keys.adjective));
    all.japanese.add(what.japanese);
    all.japanese.add(other("を"), content(verb.plain_past, verb_key), noun(subject.japanese, subject_keys.noun),
                     other("は"), content(adjective.stem, subject_keys.adjective), other("い"), other("です", being));
    add_end(all, Mood::statement);
    return {all.english, all.japanese, "that", pairs.held_out};
}

// ---- pattern: the meaning of "it"

/// "The animal didn't cross the street because it was too tired."
/// 動物 が 疲れ すぎていた ので 、 動物 は その 通り を 渡り ませんでした 。
SentencePair draw_it(Random& random) {
    Pairs pairs;
    const ItVerb& verb = one_of(random, one_of(random, translation_words().it_verbs));
    const ItNoun& subject = one_of(random, verb.subjects);
    const ItNoun& object = one_of(random, verb.objects);
    const bool is_subject = chance(random, 0.5);
    const ItNoun& meant = is_subject ? subject : object;
    const Adjective& adjective = *one_of(random, meant.adjectives);
    pairs.add(subject.noun->place, object.noun->place);
    pairs.add(adjective.place, meant.noun->place);

    Phrase english, japanese;
    english.add(other("the"), noun(subject.noun->singular, subject_keys.noun), other("didn't", negation),
                content(verb.base, verb_key));
    if (*verb.second != '\0') english.add(other(verb.second, verb_key));
    english.add(other("the", object_keys.which), noun(object.noun->singular, object_keys.noun),
                other("because", because), other("it", it_key), other("was"), other("too", too_key),
                content(adjective.english, subject_keys.adjective), other(".", stop));
    japanese.add(noun(meant.noun->japanese, it_key | (is_subject ? subject_keys.noun : object_keys.noun)), other("が"),
                 content(adjective.stem, subject_keys.adjective), other(adjective.too, too_key), other("ので", because),
                 other("、", because), noun(subject.noun->japanese, subject_keys.noun), other("は"),
                 other("その", object_keys.which), noun(object.noun->japanese, object_keys.noun), other(verb.mark),
                 content(verb.stem, verb_key), other("ませんでした", negation), other("。", stop));
    const int s = english.find(subject_keys.noun), o = english.find(object_keys.noun);
    const Pronoun it{english.find(it_key), is_subject ? s : o, is_subject ? o : s};
    return {english, japanese, "it", pairs.held_out, it};
}

struct Pattern {
    int share;  // in per cent
    SentencePair (*draw)(Random&);
};
constexpr Pattern patterns[] = {
    {15, draw_this}, {10, draw_adjective_sentence}, {33, draw_verb}, {10, draw_give}, {24, draw_it}, {8, draw_that}};

SentencePair draw_pattern(Random& random) {
    int drawn = random.below(100);
    for (const Pattern& pattern : patterns) {
        if (drawn < pattern.share) return pattern.draw(random);
        drawn -= pattern.share;
    }
    return draw_that(random);
}

}  // namespace

SentencePair draw_sentence_pair(Random& random) {
    while (true) {
        const SentencePair pair = draw_pattern(random);
        if (pair.english.size() <= longest_sentence && pair.japanese.size() <= longest_sentence) return pair;
    }
}

}  // namespace vitrine
