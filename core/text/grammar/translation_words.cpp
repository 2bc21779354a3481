#include "core/text/grammar/translation_words.h"

#include <cassert>
#include <set>
#include <sstream>
#include <string_view>

namespace vitrine {

namespace {

using Words = std::vector<std::string>;

/// "eats ate" split into "eats", "ate".
Words split_at_spaces(const char* words) {
    std::istringstream stream(words);
    Words parts;
    for (std::string word; stream >> word;) parts.push_back(word);
    return parts;
}

struct NounRow {
    const char *singular, *plural, *japanese, *counter, *group;
};
constexpr NounRow noun_rows[] = {
    {"dog", "dogs", "犬", "匹", "animals"},
    {"cat", "cats", "猫", "匹", "animals"},
    {"animal", "animals", "動物", "匹", "animals"},
    {"horse", "horses", "馬", "頭", "animals"},
    {"bird", "birds", "鳥", "羽", "animals"},
    {"boy", "boys", "男の子", "人", "people"},
    {"girl", "girls", "女の子", "人", "people"},
    {"teacher", "teachers", "先生", "人", "people"},
    {"student", "students", "学生", "人", "people"},
    {"apple", "apples", "りんご", "個", "food"},
    {"egg", "eggs", "卵", "個", "food"},
    {"fish", "fish", "魚", "匹", "food"},
    {"cake", "cakes", "ケーキ", "個", "food"},
    {"pen", "pens", "ペン", "本", "things"},
    {"book", "books", "本", "冊", "things"},
    {"umbrella", "umbrellas", "傘", "本", "things"},
    {"ball", "balls", "ボール", "個", "things"},
    {"letter", "letters", "手紙", "通", "things"},
    {"box", "boxes", "箱", "個", "holders"},
    {"bag", "bags", "鞄", "個", "holders"},
    {"street", "streets", "通り", "本", "ways"},
    {"river", "rivers", "川", "本", "ways"},
    {"bridge", "bridges", "橋", "本", "ways"},
};

/// `fits` lists groups and nouns. 古い is not said of living things; people have no colours.
struct AdjectiveRow {
    const char *english, *stem, *fits;
};
constexpr AdjectiveRow adjective_rows[] = {
    {"big", "大き", "animals food things holders"},
    {"small", "小さ", "people animals food things holders ways"},
    {"old", "古", "food things holders ways"},
    {"new", "新し", "things holders ways"},
    {"white", "白", "animals egg fish cake things holders"},
    {"black", "黒", "animals things holders"},
    {"red", "赤", "apple fish things holders"},
    {"young", "若", "people animals"},
    {"kind", "優し", "people"},
    {"long", "長", "pen book umbrella letter ways"},
    {"wide", "広", "ways"},
    {"narrow", "狭", "holders ways"},
    {"dark", "暗", "ways"},
    {"dangerous", "危な", "ways"},
    {"hot", "熱", "food"},
    {"hard", "硬", "food"},
    {"sweet", "甘", "apple cake"},
    {"weak", "弱", "animals"},
    {"sleepy", "眠", "animals"},
    {"tired", "疲れ", "animals"},
};
/// Not an い-adjective: used only in the pattern "it".
constexpr std::string_view tired = "tired";

struct VerbRow {
    const char *base, *third, *past, *stem, *plain_past, *subjects, *objects;
};
constexpr VerbRow verb_rows[] = {
    {"eat", "eats", "ate", "食べ", "食べた", "people animals", "food"},
    {"buy", "buys", "bought", "買い", "買った", "people", "food things holders"},
    {"see", "sees", "saw", "見", "見た", "people animals", "people animals food things holders"},
    {"draw", "draws", "drew", "描き", "描いた", "people", "people animals food things"},
    {"find", "finds", "found", "見つけ", "見つけた", "people animals", "animals food things holders"},
    {"carry", "carries", "carried", "運び", "運んだ", "people animals", "food things holders"},
    {"wash", "washes", "washed", "洗い", "洗った", "people", "animals food holders"},
    {"use", "uses", "used", "使い", "使った", "people", "things holders"},
};
constexpr VerbRow give_rows[] = {
    {"give", "gives", "gave", "あげ", "", "people", "food things"},
    {"send", "sends", "sent", "送り", "", "people", "food things"},
    {"show", "shows", "showed", "見せ", "", "people", "food things"},
};

struct ItRow {
    const char *base, *second, *stem, *mark;
    const char *subjects, *of_subject;  // and the adjectives that identify the subject as "it"
    const char *objects, *of_object;
};
constexpr ItRow way_rows[] = {
    {"cross", "", "渡り", "を", "animals", "tired sleepy weak small", "ways", "wide long dark dangerous"},
    {"follow", "", "たどり", "を", "animals", "tired sleepy weak small", "ways", "long dark dangerous narrow"},
    {"enter", "", "入り", "に", "animals", "tired sleepy weak small", "street river", "wide dark dangerous narrow"},
};
constexpr ItRow food_rows[] = {
    {"eat", "", "食べ", "を", "animals", "tired sleepy weak small", "food", "hot hard sweet old"},
    {"bite", "", "かじり", "を", "animals", "tired sleepy weak small", "food", "hot hard old big"},
    {"swallow", "", "飲み込み", "を", "animals", "tired sleepy weak small", "food", "hot hard big"},
};
constexpr ItRow holder_rows[] = {
    {"fit", "in", "収まり", "に", "things", "big long", "holders", "small narrow"},
    {"go", "into", "入り", "に", "things", "big long", "holders", "small narrow"},
    {"cover", "", "覆い", "を", "things", "small", "holders", "big"},
    {"hide", "", "隠し", "を", "things", "small", "holders", "big"},
};

// First places of the kinds of words, far enough apart; they decide which pairs are held out.
constexpr int first_adjective = 30, first_verb = 60, first_give_verb = 75, first_number = 80, first_demonstrative = 89;

constexpr const char* english_signs[] = {"a",    "an",   "the",    "is",    "are",     "isn't",   "aren't", "do",
                                         "does", "did",  "didn't", "don't", "doesn't", "because", "it",     "was",
                                         "too",  "that", "to",     "in",    ".",       "?"};
constexpr const char* japanese_signs[] = {"は",     "を",     "で",           "に",   "が",   "の",         "い",
                                          "く",     "か",     "ない",         "です", "では", "ありません", "ます",
                                          "ません", "ました", "ませんでした", "ので", "その", "、",         "。"};

/// True if a list of groups and words includes a noun.
bool includes(const Words& list, const NounRow& noun) {
    for (const std::string& word : list)
        if (word == noun.group || word == noun.singular) return true;
    return false;
}

/// True if every word of a list is a noun or a group.
[[maybe_unused]] bool all_are_nouns(const Words& list) {
    for (const std::string& word : list) {
        bool named = false;
        for (const NounRow& noun : noun_rows) named = named || includes({word}, noun);
        if (!named) return false;
    }
    return true;
}

std::vector<const Noun*> nouns_of(const std::vector<Noun>& nouns, const char* list) {
    const Words words = split_at_spaces(list);
    assert(all_are_nouns(words));
    std::vector<const Noun*> found;
    for (std::size_t i = 0; i < nouns.size(); ++i)
        if (includes(words, noun_rows[i])) found.push_back(&nouns[i]);
    return found;
}

std::vector<Verb> verbs_of(const std::vector<Noun>& nouns, const auto& rows, int place) {
    std::vector<Verb> verbs;
    for (const VerbRow& row : rows)
        verbs.push_back({row.base, row.third, row.past, row.stem, row.plain_past, place++,
                         nouns_of(nouns, row.subjects), nouns_of(nouns, row.objects)});
    return verbs;
}

/// The nouns with those of the adjectives that fit them; nouns without any are left out.
std::vector<ItNoun> it_nouns(const TranslationWords& words, const char* nouns, const char* adjectives) {
    const Words meant = split_at_spaces(adjectives);
    std::vector<ItNoun> found;
    for (const Noun* noun : nouns_of(words.nouns, nouns)) {
        ItNoun entry{noun, {}};
        const NounRow& row = noun_rows[noun->place];
        for (std::size_t i = 0; i < words.adjectives.size(); ++i)
            for (const std::string& word : meant)
                if (word == adjective_rows[i].english && includes(split_at_spaces(adjective_rows[i].fits), row))
                    entry.adjectives.push_back(&words.adjectives[i]);
        if (!entry.adjectives.empty()) found.push_back(entry);
    }
    return found;
}

std::vector<ItVerb> it_verbs_of(const TranslationWords& words, const auto& rows) {
    std::vector<ItVerb> verbs;
    for (const ItRow& row : rows)
        verbs.push_back({row.base, row.second, row.stem, row.mark, it_nouns(words, row.subjects, row.of_subject),
                         it_nouns(words, row.objects, row.of_object)});
    return verbs;
}

void add_nouns_and_adjectives(TranslationWords& words) {
    int place = 0;
    for (const NounRow& row : noun_rows)
        words.nouns.push_back({row.singular, row.plural, row.japanese, row.counter, place++});
    place = first_adjective;
    for (const AdjectiveRow& row : adjective_rows)
        words.adjectives.push_back({row.english, row.stem, row.english == tired ? "すぎていた" : "すぎた", place++});
    for (const AdjectiveRow& row : adjective_rows) assert(all_are_nouns(split_at_spaces(row.fits)));
    for (std::size_t n = 0; n < words.nouns.size(); ++n)
        for (std::size_t a = 0; a < words.adjectives.size(); ++a)
            if (adjective_rows[a].english != tired && includes(split_at_spaces(adjective_rows[a].fits), noun_rows[n]))
                words.nouns[n].adjectives.push_back(&words.adjectives[a]);
}

TranslationWords all_tables() {
    TranslationWords words;
    add_nouns_and_adjectives(words);
    words.verbs = verbs_of(words.nouns, verb_rows, first_verb);
    words.give_verbs = verbs_of(words.nouns, give_rows, first_give_verb);
    words.it_verbs = {it_verbs_of(words, way_rows), it_verbs_of(words, food_rows), it_verbs_of(words, holder_rows)};
    words.people = nouns_of(words.nouns, "people");
    words.pronouns = {{"I", "私"},     {"you", "あなた"}, {"he", "彼"},
                      {"she", "彼女"}, {"we", "私たち"},  {"they", "彼ら"}};
    words.possessives = {{"my", "私"}, {"your", "あなた"}, {"his", "彼"}, {"her", "彼女"}};
    words.numbers = {{"two", "二", first_number}, {"three", "三", first_number + 1}, {"four", "四", first_number + 2}};
    words.places = {{"park", "公園"}, {"school", "学校"}, {"library", "図書館"}, {"garden", "庭"}};
    words.times = {{"yesterday", "昨日"}, {"today", "今日"}, {"every day", "毎日"}};
    const int at = first_demonstrative;
    words.demonstratives = {{{"this", "これ", at}, {"these", "これら", at + 1}, "この"},
                            {{"that", "あれ", at + 2}, {"those", "あれら", at + 3}, "あの"}};
    return words;
}

std::vector<std::string> sorted(const Words& words) {
    std::set<std::string> different(words.begin(), words.end());
    different.erase("");
    return {different.begin(), different.end()};
}

}  // namespace

const TranslationWords& translation_words() {
    static const TranslationWords words = all_tables();
    return words;
}

std::vector<std::string> all_english_words() {
    const TranslationWords& t = translation_words();
    Words all(std::begin(english_signs), std::end(english_signs));
    const auto add = [&](auto... words) { (all.emplace_back(words), ...); };
    for (const Noun& noun : t.nouns) add(noun.singular, noun.plural);
    for (const Adjective& adjective : t.adjectives) add(adjective.english);
    for (const auto* verbs : {&t.verbs, &t.give_verbs})
        for (const Verb& verb : *verbs) add(verb.base, verb.third, verb.past);
    for (const std::vector<ItVerb>& verbs : t.it_verbs)
        for (const ItVerb& verb : verbs) add(verb.base, verb.second);
    for (const auto* pairs : {&t.pronouns, &t.possessives, &t.numbers, &t.places, &t.times})
        for (const WordPair& pair : *pairs)
            for (const std::string& word : split_at_spaces(pair.english)) add(word);
    for (const Demonstrative& d : t.demonstratives) add(d.one.english, d.several.english);
    return sorted(all);
}

std::vector<std::string> all_japanese_words() {
    const TranslationWords& t = translation_words();
    Words all(std::begin(japanese_signs), std::end(japanese_signs));
    const auto add = [&](auto... words) { (all.emplace_back(words), ...); };
    for (const Noun& noun : t.nouns) add(noun.japanese, noun.counter);
    for (const Adjective& adjective : t.adjectives) add(adjective.stem, adjective.too);
    for (const auto* verbs : {&t.verbs, &t.give_verbs})
        for (const Verb& verb : *verbs) add(verb.stem, verb.plain_past);
    for (const std::vector<ItVerb>& verbs : t.it_verbs)
        for (const ItVerb& verb : verbs) add(verb.stem, verb.mark);
    for (const auto* pairs : {&t.pronouns, &t.possessives, &t.numbers, &t.places, &t.times})
        for (const WordPair& pair : *pairs) add(pair.japanese);
    for (const Demonstrative& d : t.demonstratives) add(d.one.japanese, d.several.japanese, d.before_noun);
    return sorted(all);
}

}  // namespace vitrine
