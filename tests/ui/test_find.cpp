#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/dialogs/find_entries.h"
#include "app/frame/keymap.h"
#include "app/library/references.h"
#include "app/platform/embedded.h"
#include "app/ui/search.h"
#include "core/measures/catalogue.h"
#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"
#include "embedded/assets.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

/// Types into the open finder in place of what is there; any language.
void type_words(Harness& h, const std::string& words) {
    h.press(Key::k, Key::ctrl);
    for (const char32_t c : [&] {
             std::u32string letters;
             for (std::size_t i = 0; i < words.size();) {  // UTF-8
                 const auto byte = static_cast<unsigned char>(words[i]);
                 const int more = byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
                 char32_t c = more == 2 ? byte & 0xFU : more == 1 ? byte & 0x1FU : byte;
                 for (int k = 1; k <= more; ++k)
                     c = c << 6 | (static_cast<unsigned char>(words[i + static_cast<std::size_t>(k)]) & 0x3FU);
                 letters += c;
                 i += static_cast<std::size_t>(more) + 1;
             }
             return letters;
         }())
        h.input.character(c);
    h.frame(static_cast<int>(words.size()) + 3);
}

/// What the finder offers, the best first.
std::vector<std::string> rows_for(Harness& h, const std::string& words) {
    type_words(h, words);
    std::vector<std::string> rows;
    for (int i = 0; h.shows("find.row." + std::to_string(i)); ++i)
        rows.push_back(h.item("find.row." + std::to_string(i)).text);
    h.press(Key::escape);
    return rows;
}

std::string first(Harness& h, const std::string& words) {
    const std::vector<std::string> rows = rows_for(h, words);
    return rows.empty() ? "" : rows.front();
}

bool offers(Harness& h, const std::string& words, const std::string& row) {
    const std::vector<std::string> rows = rows_for(h, words);
    return std::ranges::find(rows, row) != rows.end();
}

TEST(Find, KnowsTheWordsThatPeopleUse) {
    Harness h;
    EXPECT_EQ(first(h, "cls"), "Class token");
    EXPECT_EQ(first(h, "rollout"), "Rollout");
    EXPECT_EQ(first(h, "dark"), "Switch between dark and light");
    EXPECT_EQ(first(h, "theme"), "Switch between dark and light");
    EXPECT_EQ(first(h, "save"), "Save the session");
    EXPECT_EQ(first(h, "ledger"), "Where the logit comes from");
    EXPECT_EQ(first(h, "looks at"), "Attention matrix");
    EXPECT_TRUE(first(h, "abnar").starts_with("Abnar & Zuidema 2020"));
    EXPECT_EQ(first(h, "ffn"), "MLP");
    EXPECT_EQ(first(h, "full screen"), "Full screen: on or off");
    EXPECT_EQ(first(h, "ctrl s"), "Save the session");
    EXPECT_EQ(first(h, "F11"), "Full screen: on or off");
    EXPECT_EQ(first(h, "한국어"), "한국어");
    EXPECT_EQ(first(h, "block 3"), "Block 3");
}

TEST(Find, FindsHalfRememberedSentencesAndQuestions) {
    Harness h;
    std::string listed;
    for (const std::string& row : rows_for(h, "that picture where attention flows through all layers"))
        listed += row + "; ";
    EXPECT_NE(listed.find("Rollout"), std::string::npos) << listed;
    EXPECT_EQ(first(h, "why divide by the square root"), "Scores");
    EXPECT_TRUE(offers(h, "why do heads differ", "Query, key, value"));
    EXPECT_TRUE(offers(h, "vanishing gradient", "Residual connection"));
    EXPECT_TRUE(offers(h, "gradient", "Residual connection"));
    EXPECT_TRUE(rows_for(h, "xyzzy plugh").empty());
}

/// What somebody remembers of a picture, in the three languages, and the texts of which one must be among the first
/// `among` hits.
TEST(Find, RanksWhatAHalfRememberedPhraseNamesFirst) {
    struct Row {
        const char* phrase;
        std::vector<const char*> means;
        std::size_t among = 1;
    };
    const std::vector<Row> rows = {
        {"attention flows through all layers", {"lab.method.rollout"}},
        {"that picture where attention flows through all layers", {"lab.method.rollout"}},
        {"that thing where tokens become colours", {"lab.figure.components"}},
        {"what would the model say after each block", {"lab.lens.title"}},
        {"the token put before the patches", {"step.class_token.title"}},
        {"two heads and their difference", {"lab.compare.title"}},
        {"weights", {"step.models.title"}, 3},
        {"warm", {"step.norm_place.title"}, 3},
        {"hide the later words", {"text.mask.title"}, 3},
        {"where in the source each word comes from", {"text.cross_attention.title"}, 3},
        {"norm before or after the sum", {"step.norm_place.title"}},
        {"why is it divided by root d", {"step.scores.title"}},
        {"how much each head adds to the logit", {"lab.ledger.title"}},
        {"train it on my own photos", {"command.own"}},
        {"which patch looks at this one", {"step.attention.title", "step.attention_matrix.title"}, 3},
        {"cover part of the image and see what changes", {"lab.occlusion.title"}},
        {"how many weights and where", {"step.models.title"}, 3},
        {"skip connection keeps the gradient alive", {"step.residual.title", "step.learning.title"}},
        {"注意が全部の層を流れる図", {"lab.method.rollout"}},
        {"なぜ√dで割るのか", {"step.scores.title"}},
        {"後ろの単語を隠すマスク", {"text.mask.title"}, 3},
        {"二つのヘッドの差", {"lab.compare.title"}, 3},
        {"画像の一部を隠すとどうなるか", {"lab.occlusion.title"}},
        {"各ブロックの後の予測", {"lab.lens.title"}, 3},
        {"어텐션이 모든 층을 흐르는 그림", {"lab.method.rollout"}},
        {"왜 √d로 나누나", {"step.scores.title"}},
        {"뒤 단어를 가리는 마스크", {"text.mask.title"}, 3},
        {"두 헤드의 차이", {"lab.compare.title"}, 3},
        {"그림 일부를 가리면 무엇이 바뀌나", {"lab.occlusion.title"}},
        {"블록마다 예측이 어떻게 바뀌나", {"lab.lens.title"}, 3},
    };
    Harness h;
    for (const auto& [phrase, means, among] : rows) {
        std::vector<std::string> hits = rows_for(h, phrase);
        hits.resize(std::min(hits.size(), std::max<std::size_t>(among, 4)));
        std::string listed;
        for (const std::string& hit : hits) listed += hit + "; ";
        hits.resize(std::min(hits.size(), among));
        EXPECT_TRUE(std::ranges::any_of(
            means, [&](const char* text) { return std::ranges::find(hits, h.app->text()(text)) != hits.end(); }))
            << phrase << ": " << listed;
    }
}

/// The ids of what is found, the best first, whether or not its row has room.
std::vector<std::string> ids_for(Harness& h, const std::string& words) {
    const std::vector<FindEntry>& entries = h.app->dialogs().finder().entries();
    const SearchIndex index = index_of(entries);
    std::vector<std::string> ids;
    for (const std::size_t i : index.find(words)) ids.push_back(entries[i].id);
    return ids;
}

/// No two rows read alike, and each says where it leads: room, part of the room, kind.
TEST(Find, NoTwoRowsReadAlike) {
    for (const char* const shown : {"en", "ja", "ko"}) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = shown;
        Harness h(std::move(opening));
        h.press(Key::k, Key::ctrl);
        std::map<std::string, std::string> seen;
        for (const FindEntry& entry : h.app->dialogs().finder().entries()) {
            const auto [same, fresh] = seen.emplace(
                entry.words + " | " + entry.room + " | " + entry.within + " | " + entry.kind + " | " + entry.key,
                entry.id);
            EXPECT_TRUE(fresh) << shown << ": " << entry.id << " reads as " << same->second << ": " << same->first;
        }
        h.press(Key::escape);
        type_words(h, h.app->text()("learn.experiment.text_positions"));
        std::set<std::string> places;
        for (int i = 0; i < 2; ++i) {
            const Rect row = h.item("find.row." + std::to_string(i)).rect;
            for (const Probe::Words& drawn : h.app->probe().words())
                if (row.contains(drawn.rect.centre()) && drawn.text.find(" · ") != std::string::npos)
                    places.insert(drawn.text);
        }
        EXPECT_EQ(places.size(), 2U) << shown;
    }
}

/// What √d, the mask and the norm's statistics are called leads to their chapter, in three languages.
TEST(Find, ParaphrasesLeadToTheirChapter) {
    Harness h;
    h.press(Key::k, Key::ctrl);
    for (const char* const words :
         {"square root", "scale", "scaling", "divide", "why divide", "sqrt", "scaled dot product", "平方根", "スケール",
          "なぜ割る", "제곱근", "√d로 나누기", "스케일", "왜 나누나"}) {
        const std::vector<std::string> ids = ids_for(h, words);
        ASSERT_FALSE(ids.empty()) << words;
        EXPECT_EQ(ids.front(), "step.scores") << words;
    }
    for (const char* const words : {"square root", "divide", "sqrt", "scale", "平方根", "제곱근"}) {
        const std::vector<std::string> ids = ids_for(h, words);
        EXPECT_NE(std::ranges::find(ids, "what_if.no-scale"), ids.end()) << words;
    }
    for (const char* const words : {"mask", "マスク", "마스크"}) {
        std::vector<std::string> ids = ids_for(h, words);
        ASSERT_GT(ids.size(), 2U) << words;
        ids.resize(2);
        EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()),
                  (std::set<std::string>{"text.mask", "text.masked_attention"}))
            << words;
    }
    for (const char* const words : {"statistics", "統計", "통계"}) {
        const std::vector<std::string> ids = ids_for(h, words);
        EXPECT_NE(std::ranges::find(ids, "step.layer_norm"), ids.end()) << words;
    }
}

/// Of a term with punctuation only what has it; chapters come before the glossary and papers in every language.
TEST(Find, ListsNoLooseMatchesAndChaptersBeforePapers) {
    for (const char* const shown : {"en", "ja", "ko"}) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = shown;
        Harness h(std::move(opening));
        h.press(Key::k, Key::ctrl);
        for (const std::string& id : ids_for(h, "n-1"))
            EXPECT_FALSE(id.starts_with("reference.")) << id << " for n-1 in " << shown;
        for (const char* const words : {"attention", "layer norm", "dropout"}) {
            const std::vector<std::string> ids = ids_for(h, words);
            ASSERT_FALSE(ids.empty()) << words;
            EXPECT_FALSE(ids.front().starts_with("reference.") || ids.front().starts_with("glossary."))
                << ids.front() << " for " << words << " in " << shown;
        }
    }
}

/// Steps, instruments, experiments and exercises say in which room they are; a setting is in none.
TEST(Find, GivesEachHitItsRoom) {
    Harness h;
    const auto kind_of = [&](const std::string& words) {
        type_words(h, words);
        const Rect row = h.item("find.row.0").rect;
        std::string kind;
        for (const Probe::Words& drawn : h.app->probe().words())
            if (row.contains(drawn.rect.centre()) && drawn.text != h.item("find.row.0").text) kind = drawn.text;
        h.press(Key::escape);
        return kind;
    };
    EXPECT_EQ(kind_of("residual connection"), "Explore · Chapter");
    EXPECT_EQ(kind_of("cross-attention"), "Text · Chapter");
    EXPECT_EQ(kind_of("rollout"), "Lab · Rollout · Measure");
    EXPECT_EQ(kind_of("the logit lens"), "Lab · Instrument");
    EXPECT_EQ(kind_of("which axis sums to 1"), "Repair · Exercise");
    EXPECT_EQ(kind_of("settings").rfind("Command", 0), 0U) << "a dialog is in no room";
}

TEST(Find, FindsInEveryLanguageWhateverIsShown) {
    for (const char* const shown : {"en", "ja", "ko"}) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = shown;
        opening.state.settings.english_terms = false;
        Harness h(std::move(opening));
        const Text& text = h.app->text();
        for (const char* const words : {"attention matrix", "注意行列", "어텐션 행렬"})
            EXPECT_EQ(first(h, words), text("step.attention_matrix.title")) << words << " in " << shown;
        for (const char* const words : {"layer norm", "層正規化", "층 정규화"})
            EXPECT_EQ(first(h, words), text("step.layer_norm.title")) << words << " in " << shown;
        EXPECT_EQ(first(h, "保存"), text("command.save")) << shown;
        EXPECT_EQ(first(h, "다크"), text("command.theme")) << shown;
    }
}

TEST(Find, ForgivesOneMistakeInAWord) {
    Harness h;
    EXPECT_EQ(first(h, "atention matrix"), "Attention matrix");
    EXPECT_EQ(first(h, "drpout"), "Dropout");
    EXPECT_EQ(first(h, "gallrey"), first(h, "gallery"));
    EXPECT_TRUE(rows_for(h, "qqqqzzzz").empty());
}

TEST(Find, LeadsWhereItSays) {
    Harness h;
    const auto choose = [&](const std::string& words) {
        type_words(h, words);
        h.press(Key::enter);
        EXPECT_FALSE(h.shows("find.input")) << words;
    };
    choose("rollout");
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::depth);
    choose("occlusion");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::occlusion);
    choose("entropy");
    EXPECT_EQ(h.focus().lab.statistic, "entropy");
    choose("cls");
    EXPECT_EQ(h.focus().step, step_index("class_token"));
    EXPECT_EQ(h.app->state().room, "explore");
    choose("日本語");
    EXPECT_EQ(h.app->state().settings.language, "ja");
    choose("english");
    EXPECT_EQ(h.app->state().settings.language, "en");
    choose("hints");
    EXPECT_FALSE(h.app->state().settings.hints);
    choose("tour");
    EXPECT_TRUE(h.app->state().lecture.on);
}

TEST(Find, OffersAWhatIfBesideThoseThatAreOnWithItsChapter) {
    Harness h;
    const std::vector<std::pair<const char*, Intervention>> asked = {{"without norm", normalise(Norm::none)},
                                                                     {"without skips", without_skips()},
                                                                     {"without positions", remove_positions()}};
    for (const auto& [words, what_if] : asked) {
        type_words(h, words);
        h.press(Key::enter);
        h.settle();
        EXPECT_TRUE(contains(h.result().experiment.what_ifs, what_if)) << words;
        EXPECT_TRUE(h.shows("switch." + to_word(what_if, h.result().model->config))) << words;
    }
    EXPECT_EQ(h.result().experiment.what_ifs.size(), asked.size());
    EXPECT_TRUE(offers(h, "정규화 없이", h.app->text()("removal.norm_none_everywhere")));
    EXPECT_TRUE(offers(h, "残差なし", h.app->text()("removal.no_skip")));
}

TEST(Find, OpensTheGlossaryAndTheReferencesAtTheirWord) {
    Harness h;
    type_words(h, "abnar");
    h.press(Key::enter);
    EXPECT_EQ(h.item("dialog").text, "dialog.references");
    EXPECT_TRUE(h.shows("references.row.abnar2020"));
    EXPECT_FALSE(h.shows("references.row.pearson1901"));
    h.press(Key::escape);
    h.app->ask(command::LookUp{"glossary", "softmax"});
    h.frame(4);
    EXPECT_EQ(h.item("glossary.input").text, "softmax");
    h.press(Key::escape);
    h.press(Key::k, Key::ctrl);
    EXPECT_EQ(h.item("find.input").text, "") << "each time it begins empty";
}

TEST(Find, ArrowsChooseARowAndEnterTakesIt) {
    Harness h;
    type_words(h, "attention");
    const std::string second = h.item("find.row.1").text;
    h.press(Key::down);
    h.press(Key::enter);
    EXPECT_FALSE(h.shows("find.input"));
    EXPECT_NE(second, h.app->text()("step.attention.title"));
    EXPECT_TRUE(h.focus().step != step_index("attention") || h.app->state().room != "explore" ||
                h.app->state().lecture.on || !h.app->state().dialog.empty());
}

/// Every command, key, chapter, instrument, measure, paper and picture is found by its own name, among the first.
TEST(Find, FindsEverythingByItsOwnName) {
    Harness h;
    const Text& text = h.app->text();
    for (const Step& step : curriculum())
        EXPECT_EQ(first(h, text("step." + std::string(step.id) + ".title")),
                  text("step." + std::string(step.id) + ".title"));
    for (const Named<Instrument>& row : instrument_names) {
        const std::string title = text("lab." + std::string(row.name) + ".title");
        EXPECT_TRUE(offers(h, title, title)) << title;
    }
    for (const MeasureEntry& row : measure_catalogue()) EXPECT_FALSE(rows_for(h, row.name).empty()) << row.name;
    const std::vector<std::string> norms = rows_for(h, "norms");
    EXPECT_TRUE(std::ranges::none_of(norms, [](const auto& row) { return row.starts_with("norms"); }))
        << "what draws a measure stands for it";
    for (const Reference& row : references()) {
        const std::vector<std::string> rows = rows_for(h, citation_of(row));
        EXPECT_TRUE(std::ranges::any_of(rows, [&](const auto& r) { return r.starts_with(citation_of(row)); }))
            << row.id;
    }
    for (const CommandRow& row : command_table().rows())
        if (row.found && can_do(row, h.app->context())) {
            EXPECT_TRUE(offers(h, text("command." + row.id), text("command." + row.id))) << row.id;
        }
}

TEST(Find, SynonymsAreOfThingsThatThereAre) {
    Harness h;
    std::set<std::string> ids;
    h.press(Key::k, Key::ctrl);
    for (const FindEntry& entry : h.app->dialogs().finder().entries()) ids.insert(entry.id);
    int files = 0;
    for (const Embedded& file : assets()) {
        if (!file.name.starts_with("synonyms/")) continue;
        ++files;
        const auto table = nlohmann::json::parse(file.text());
        for (const auto& [id, words] : table.items()) {
            EXPECT_TRUE(ids.contains(id)) << file.name << " has other words for " << id << ", which there is not";
            EXPECT_FALSE(words.empty()) << id;
        }
    }
    EXPECT_EQ(files, 3);
}

/// What can be found by other words in English can be found so in Japanese and Korean.
TEST(Find, EveryOtherWordHasCounterpartsInEveryLanguage) {
    std::map<std::string, nlohmann::json> tables;
    for (const Embedded& file : assets())
        if (file.name.starts_with("synonyms/")) tables[std::string(file.name)] = nlohmann::json::parse(file.text());
    for (const auto& [id, words] : tables.at("synonyms/en.json").items())
        for (const char* const language : {"ja", "ko"})
            EXPECT_TRUE(tables.at("synonyms/" + std::string(language) + ".json").contains(id))
                << language << ": " << id;
    for (const auto& [language, phrases] : {std::pair{"ja", std::pair{"答えが見えない", "重みの数"}},
                                            std::pair{"ko", std::pair{"답이 보이지 않는다", "가중치 수"}}}) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = language;
        Harness h(std::move(opening));
        h.press(Key::k, Key::ctrl);
        const auto among_first = [&](const std::string& phrase, const std::string& id) {
            std::vector<std::string> ids = ids_for(h, phrase);
            ids.resize(std::min<std::size_t>(ids.size(), 3));
            return std::ranges::find(ids, id) != ids.end();
        };
        EXPECT_TRUE(among_first(phrases.first, "text.mask")) << phrases.first;
        EXPECT_TRUE(among_first(phrases.second, "step.models")) << phrases.second;
    }
}

}  // namespace
}  // namespace vitrine
