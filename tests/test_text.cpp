#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "app/chapters/step.h"
#include "app/library/library.h"
#include "app/rooms/room.h"
#include "app/ui/languages.h"
#include "app/ui/text.h"
#include "app/workspace/text_look.h"
#include "core/base/error.h"
#include "core/measures/head_statistics.h"
#include "core/text/sentences.h"
#include "core/text/text_what_ifs.h"
#include "core/vit/what_ifs.h"
#include "tests/files.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST(Text, PutsValuesIntoTheirPlaces) {
    const Text text = Text::parse(R"({"a": "{x} of {y}"})", "test");
    EXPECT_EQ(text("a", {{"x", "1"}, {"y", "2"}}), "1 of 2");
}

TEST(Text, AMissingKeyIsSeen) { EXPECT_EQ(Text::parse("{}", "test")("no.such"), "⟦no.such⟧"); }

TEST(Text, ABrokenTableNamesItself) {
    for (const char* const json : {"{", "[\"a\"]", "{\"a\": 1}", "{\"a\": \"x\", \"a\": \"y\"}"}) {
        try {
            Text::parse(json, "xx.json");
            ADD_FAILURE() << json;
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).rfind("xx.json", 0), 0U) << error.what();
        }
    }
}

/// Keys written out in the sources; those put together at run time are covered by the test of the frame.
TEST(Text, EveryKeyWrittenInTheSourcesIsInTheTable) {
    const fs::path source = VITRINE_SOURCE;
    const Text text = Text::parse(read(source / "assets/text/en.json"), "en.json");
    const std::regex call("[^a-z_]text_?\\(\"([a-z_.0-9]*[a-z0-9])\"[,)]");
    int calls = 0;
    for (const auto& entry : fs::recursive_directory_iterator(source / "app")) {
        if (entry.path().extension() != ".cpp") continue;
        const std::string code = read(entry.path());
        for (auto it = std::sregex_iterator(code.begin(), code.end(), call); it != std::sregex_iterator();
             ++it, ++calls)
            EXPECT_TRUE(text.has((*it)[1].str())) << entry.path().filename() << " asks for " << (*it)[1].str();
    }
    EXPECT_GT(calls, 50);
}

std::string file_words(const std::string& language) {
    std::ifstream in(std::string(VITRINE_SOURCE) + "/assets/text/" + language + ".json", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What stands in braces: placeholders, and the roles of markup.
std::multiset<std::string> braces(const std::string& words) {
    std::multiset<std::string> found;
    for (std::size_t at = 0; (at = words.find('{', at)) != std::string::npos; ++at) {
        const std::size_t end = words.find_first_of("|}", at);
        if (end != std::string::npos) found.insert(words.substr(at, end - at + 1));
    }
    return found;
}

TEST(Languages, AreTheFilesOfTheFolderAndSayTheirOwnNames) {
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(fs::path(VITRINE_SOURCE) / "assets/text"))
        files.insert(entry.path().stem().string());
    EXPECT_EQ(std::set<std::string>(language_codes().begin(), language_codes().end()), files);
    EXPECT_EQ(language_codes().front(), "en");
    std::set<std::string> names;
    for (const Language& language : languages()) {
        EXPECT_TRUE(is_language(language.code));
        EXPECT_TRUE(names.insert(language.name).second) << language.name;
        EXPECT_LE(load_text(language.code)("language.short").size(), 9U) << "a button of the top bar holds it";
    }
    for (const char* const none : {"", "zz", "terms", "en.json", "EN"}) EXPECT_FALSE(is_language(none)) << none;
}

/// Nothing but its file knows a language: no code of one stands in the sources.
TEST(Languages, AreNamedNowhereElse) {
    for (const char* const folder : {"app", "core", "cmake"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(VITRINE_SOURCE) / folder)) {
            // Languages of the sentences that a model reads are none of the window's.
            if (!entry.is_regular_file() || entry.path().string().find("core/text/") != std::string::npos) continue;
            const std::string code = read(entry.path());
            for (const std::string& language : language_codes()) {
                if (language == "en") continue;  // the one that the others stand beside
                for (const std::string& named : {"\"" + language + "\"", "text/" + language + ".json"})
                    EXPECT_EQ(code.find(named), std::string::npos) << entry.path() << " names " << named;
            }
        }
}

TEST(Languages, HaveTheSameKeysPlaceholdersAndMarkup) {
    const Text english = Text::parse(file_words("en"), "en.json");
    for (const std::string& language : language_codes()) {
        const Text other = Text::parse(file_words(language), language);
        EXPECT_EQ(other.table().size(), english.table().size());
        for (const auto& [key, words] : english.table()) {
            ASSERT_TRUE(other.has(key)) << key << " is missing in " << language;
            const auto unique = [](const std::multiset<std::string>& all) {
                return std::set<std::string>(all.begin(), all.end());
            };
            EXPECT_EQ(unique(braces(other(key))), unique(braces(words))) << key << " in " << language;
            EXPECT_FALSE(other(key).empty()) << key;
        }
    }
}

TEST(Languages, EveryRowOfTheTablesHasItsWords) {
    for (const std::string& language : language_codes()) {
        const Text text = load_text(language);
        for (const WhatIf& row : what_if_table()) {
            EXPECT_TRUE(text.has(row.words)) << row.words << " in " << language;
            const bool takes_a_value = row.argument == Argument::number || row.argument == Argument::activation ||
                                       row.argument == Argument::count || row.argument == Argument::grid ||
                                       row.argument == Argument::direction || row.argument == Argument::set_of_images;
            EXPECT_EQ(text(row.words).find("{value}") != std::string::npos, takes_a_value) << row.words;
            if (row.numbers.slider.step == 0) continue;
            for (const char* const end : {"", "_tip"})
                EXPECT_TRUE(text.has(std::string("switches.") + row.name + end)) << row.name << end;
        }
        for (const HeadStatistic& row : head_statistics_table())
            for (const char* const end : {"", "_axis"})
                EXPECT_TRUE(text.has(std::string("statistic.") + row.name + end)) << row.name << end;
        for (const BundledModel& model : bundled_models()) {
            for (const char* const end : {"", "_tip"})
                EXPECT_TRUE(text.has(std::string("model.") + model.name + end)) << model.name;
            EXPECT_TRUE(text.has(std::string("model.title.") + model.name)) << model.name;
        }
        for (const auto& [instrument, name] : instrument_names)
            for (const std::string& key : {"lab.tab." + std::string(name), "lab." + std::string(name) + ".title",
                                           "lab." + std::string(name) + ".sentence"})
                EXPECT_TRUE(text.has(key)) << key;
    }
}

TEST(Rooms, AreAllNamedInTheirLineOfTheKeySheet) {
    for (const std::string& language : language_codes()) {
        const Text text = load_text(language);
        for (const Room& room : rooms())
            EXPECT_NE(text("help.mode").find(text("top.mode." + std::string(room.id))), std::string::npos)
                << room.id << " in " << language;
    }
}

TEST(Languages, EveryStepHasItsWords) {
    const Text english = Text::parse(file_words("en"), "en.json");
    for (const Step& step : curriculum())
        for (const char* const part : {"title", "sentence", "equation", "words", "question", "answer", "notes"}) {
            const std::string key = "step." + std::string(step.id) + "." + part;
            EXPECT_TRUE(english.has(key)) << key;
            EXPECT_NE(english(key), "…") << key;
        }
}

TEST(Languages, EveryChapterAndWhatIfOfTheTextRoomHasItsWords) {
    const Text english = Text::parse(file_words("en"), "en.json");
    for (const Named<TextChapter>& chapter : text_chapter_names)
        for (const char* const part : {"title", "sentence", "equation", "words", "question", "answer", "notes"})
            EXPECT_TRUE(english.has("text." + std::string(chapter.name) + "." + part)) << chapter.name << " " << part;
    for (const WhatIf& row : text_what_if_table())
        EXPECT_TRUE(english.has("text.what_if." + std::string(row.name))) << row.name;
    for (const std::string& label : sentiment_labels()) EXPECT_TRUE(english.has("text.label." + label)) << label;
}

/// One term for one thing: tests/forbidden_words.json names, for each language, what another word is said for.
TEST(Languages, SayOneTermForOneThing) {
    const auto forbidden = nlohmann::json::parse(read(fs::path(VITRINE_SOURCE) / "tests/forbidden_words.json"));
    for (const auto& [language, words] : forbidden.items()) {
        ASSERT_TRUE(is_language(language)) << language;
        const Text text = load_text(language);
        for (const auto& [key, said] : text.table())
            for (const auto& [wrong, right] : words.items())
                EXPECT_EQ(said.find(wrong), std::string::npos)
                    << language << " " << key << " says '" << wrong << "'; " << right << " is the term";
    }
}

/// The forbidden English words, but for those that documents and errors use in another sense: a branch of a repository,
/// what is behind in space, and places.
std::vector<std::pair<std::string, std::string>> forbidden_in_documents() {
    const std::set<std::string> ambiguous = {"branch", " behind", "in front", "its place"};
    const auto forbidden = nlohmann::json::parse(read(fs::path(VITRINE_SOURCE) / "tests/forbidden_words.json"));
    std::vector<std::pair<std::string, std::string>> words;
    for (const auto& [wrong, right] : forbidden.at("en").items())
        if (!ambiguous.contains(wrong)) words.emplace_back(wrong, right);
    return words;
}

TEST(Documents, SayOneTermForOneThing) {
    std::vector<fs::path> documents = {fs::path(VITRINE_SOURCE) / "README.md"};
    for (const fs::directory_entry& file : fs::directory_iterator(fs::path(VITRINE_SOURCE) / "docs"))
        if (file.path().extension() == ".md" && file.path().stem() != "architecture") documents.push_back(file.path());
    EXPECT_GE(documents.size(), 4U);
    const auto forbidden = forbidden_in_documents();
    for (const fs::path& file : documents) {
        const std::string said = read(file);
        for (const auto& [wrong, right] : forbidden)
            EXPECT_EQ(said.find(wrong), std::string::npos)
                << file << " says '" << wrong << "'; " << right << " is the term";
    }
}

TEST(Documents, CodeOfTheChaptersSaysOneTermForOneThing) {
    const auto forbidden = forbidden_in_documents();
    for (const char* const folder : {"assets/code", "assets/text_code", "assets/exercises"})
        for (const fs::directory_entry& file : fs::directory_iterator(fs::path(VITRINE_SOURCE) / folder)) {
            const std::string said = read(file.path());
            for (const auto& [wrong, right] : forbidden)
                EXPECT_EQ(said.find(wrong), std::string::npos)
                    << file.path() << " says '" << wrong << "'; " << right << " is the term";
        }
}

/// The words in the literals of a line of code; keys of words and file names have no spaces.
std::vector<std::string> sentences_in(const std::string& line) {
    static const std::regex literal(R"x("((?:[^"\\]|\\.)*)")x");
    std::vector<std::string> sentences;
    for (std::sregex_iterator at(line.begin(), line.end(), literal), end; at != end; ++at)
        if (const std::string words = (*at)[1]; words.find(' ') != std::string::npos) sentences.push_back(words);
    return sentences;
}

/// Errors and the help of options are sentences in the code. Those of claims are told by their texts.
TEST(Documents, ErrorsAndHelpSayOneTermForOneThingInPlainEnglish) {
    static const std::regex is_no("(^|[^e] )(is|are) no (?!longer|more)");
    const auto forbidden = forbidden_in_documents();
    std::size_t looked = 0;
    for (const char* const folder : {"app", "core"})
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(fs::path(VITRINE_SOURCE) / folder)) {
            if (file.path().extension() != ".cpp" || file.path().parent_path().filename() == "claims") continue;
            std::istringstream lines(read(file.path()));
            for (std::string line; std::getline(lines, line);) {
                if (line.find('"') == std::string::npos || line.find_first_not_of(' ') == line.find("//")) continue;
                for (const std::string& said : sentences_in(line)) {
                    ++looked;
                    EXPECT_FALSE(std::regex_search(said, is_no)) << file.path() << ": \"" << said << "\" is not a …";
                    EXPECT_FALSE(said.ends_with(" without it")) << file.path() << ": (default: …)";
                    for (const auto& [wrong, right] : forbidden)
                        EXPECT_EQ(said.find(wrong), std::string::npos)
                            << file.path() << " says '" << wrong << "'; " << right << " is the term";
                }
            }
        }
    EXPECT_GT(looked, 1000U);
}

/// A mistake is quoted before it is corrected, so that no true sentence stands under that heading.
TEST(Languages, QuoteAMistakeBeforeTheyCorrectIt) {
    for (const std::string& language : language_codes()) {
        const Text text = load_text(language);
        for (const Step& step : curriculum()) {
            const std::string key = "step." + std::string(step.id) + ".mistake";
            if (!text.has(key)) continue;
            const bool quoted = text(key).find("“") != std::string::npos || text(key).find("「") != std::string::npos;
            EXPECT_TRUE(quoted) << key << " in " << language;
        }
    }
}

TEST(Languages, SayHowLongSomethingTakesInItsUnits) {
    const Text english = load_text("en"), japanese = load_text("ja"), korean = load_text("ko");
    for (const auto& [seconds, words] : std::initializer_list<std::pair<double, const char*>>{{-1, "0 s"},
                                                                                              {0.2, "0 s"},
                                                                                              {20, "20 s"},
                                                                                              {59.6, "1 min"},
                                                                                              {200, "3 min 20 s"},
                                                                                              {599, "9 min 59 s"},
                                                                                              {600, "10 min"},
                                                                                              {725, "12 min"},
                                                                                              {3599, "1 h"},
                                                                                              {6586, "1 h 50 min"},
                                                                                              {90000, "25 h"}})
        EXPECT_EQ(duration_text(english, seconds), words) << seconds;
    EXPECT_EQ(duration_text(japanese, 6586), "1 時間 50 分");
    EXPECT_EQ(duration_text(japanese, 200), "3 分 20 秒");
    EXPECT_EQ(duration_text(korean, 6586), "1시간 50분");
    EXPECT_EQ(duration_text(korean, 200), "3분 20초");
}

}  // namespace
}  // namespace vitrine
