#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/rooms/panels/code_listing.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/nearest_words.h"
#include "app/ui/widgets/equation.h"
#include "tests/files.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

std::string text_listing_of(const std::string& chapter, const TextConfig& config) {
    return code_listing("text_code/" + chapter + ".py", letter_values(config));
}

TEST(TextCode, TheCommittedLinesAreTheOnesThatWereRun) {
    const auto run = nlohmann::json::parse(read(fs::path(VITRINE_GOLDEN) / "text_code.json"));
    EXPECT_EQ(run.size(), std::size(text_chapter_names));
    for (const Named<TextChapter>& chapter : text_chapter_names) {
        const fs::path file = fs::path(VITRINE_SOURCE) / "assets/text_code" / (std::string(chapter.name) + ".py");
        ASSERT_TRUE(run.contains(chapter.name)) << chapter.name << " was never run: ./dev golden --write";
        EXPECT_EQ(run[chapter.name].get<std::string>(), read(file)) << chapter.name << " has changed since";
    }
}

TEST(TextCode, HasTheModelsNumbersAndNoPlaceLeftOpen) {
    const TextConfig config = usual_text_config(TextTask::translate, TextLanguage::japanese);
    for (const Named<TextChapter>& chapter : text_chapter_names) {
        const std::string listing = text_listing_of(chapter.name, config);
        EXPECT_FALSE(listing.empty()) << chapter.name;
        EXPECT_EQ(listing.find('{'), std::string::npos) << listing;
    }
    EXPECT_NE(text_listing_of("self_attention", config).find("x.view(len(x), 4, 16)"), std::string::npos);
    EXPECT_NE(text_listing_of("after", config).find("/ 16 ** 0.5"), std::string::npos) << "d, not D";
    EXPECT_NE(text_listing_of("decoding", config).find("len(y) <= " + std::to_string(config.longest)),
              std::string::npos);
}

TEST(TextChapters, EachStandsAtThePlaceOfItsName) {
    ASSERT_EQ(text_chapters().size(), std::size(text_chapter_names));
    for (const Named<TextChapter>& chapter : text_chapter_names)
        EXPECT_EQ(text_chapters()[static_cast<std::size_t>(place_of(chapter.value))].id, chapter.name);
}

TEST(TextCode, EveryChapterHasItsEquationWhoseMarksStandForSomething) {
    for (const Named<TextChapter>& chapter : text_chapter_names) {
        const EquationPaths* const paths = find_equation("text_" + std::string(chapter.name));
        ASSERT_NE(paths, nullptr) << chapter.name;
        for (const EquationPart& part : paths->parts) {
            const bool known =
                part.symbol.empty() ||
                std::ranges::find(equation_symbols(), part.symbol, &EquationSymbol::symbol) != equation_symbols().end();
            EXPECT_TRUE(known) << part.symbol << " in " << chapter.name;
        }
    }
    EXPECT_NE(find_equation("text_encoder_pre"), nullptr);
}

TEST(NearestWords, AreSortedByTheCosineOfTheirVectors) {
    const TextModel model = untrained_text_model(TextTask::sentiment, TextLanguage::english, 1);
    const std::vector<WordCandidate> near =
        nearest_words(model.weights.source_embedding, model.config.embedding_dim, 7);
    EXPECT_EQ(near.size(), static_cast<std::size_t>(model.source.size()) - special_words.size() - 1);
    for (std::size_t i = 1; i < near.size(); ++i) EXPECT_LE(near[i].probability, near[i - 1].probability);
    for (const WordCandidate& c : near) {
        EXPECT_GE(c.word, static_cast<int>(special_words.size()));
        EXPECT_NE(c.word, 7);
    }
}

}  // namespace
}  // namespace vitrine
