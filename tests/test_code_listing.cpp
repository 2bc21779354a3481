#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/rooms/panels/code_listing.h"
#include "core/vit/model.h"
#include "tests/files.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

Config vit_large() {
    Config c;
    c.image_height = c.image_width = 224;
    c.patch_size = 16;
    c.embedding_dim = 1024;
    c.heads = 16;
    c.blocks = 24;
    c.mlp_dim = 4096;
    c.classes = 1000;
    return c;
}

std::string listing_of(std::string_view step, int block) {
    return code_listing("code/" + std::string(step) + ".py", letter_values(vit_large(), block));
}

TEST(CodeListing, TheCommittedLinesAreTheOnesThatWereRun) {
    const auto run = nlohmann::json::parse(read(fs::path(VITRINE_GOLDEN) / "code.json"));
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(VITRINE_SOURCE) / "assets/code")) {
        ++files;
        const std::string step = entry.path().stem().string();
        ASSERT_TRUE(run.contains(step)) << step << " was never run: ./dev golden --write";
        EXPECT_EQ(run[step].get<std::string>(), read(entry.path()))
            << step << " has changed since: ./dev golden --write";
    }
    EXPECT_EQ(files, run.size());
}

TEST(CodeListing, EveryStepHasOneWithTheModelsNumbersAndNoPlaceLeftOpen) {
    for (const Step& step : curriculum()) {
        const std::string listing = listing_of(step.id, 24);
        EXPECT_FALSE(listing.empty()) << step.id;
        EXPECT_EQ(listing.find('{'), std::string::npos) << listing;
    }
    EXPECT_NE(listing_of("qkv", 1).find("(16, 197, 64)"), std::string::npos);
}

TEST(CodeListing, TheLinesOnModelsCountWhatAPlainViTDoesNotHave) {
    const auto lines = [](const Config& c) { return with_uncounted_parameters(c, "count = 0\n"); };
    Config c = vit_large();
    EXPECT_EQ(lines(c), "count = 0\n");
    c.layer_scale = true;
    EXPECT_NE(lines(c).find("count += " + std::to_string(2 * 1024 * 24) + " "), std::string::npos) << lines(c);
}

TEST(CodeListing, AModelThatAddsNoPositionsHasLinesThatAddNone) {
    Config c = vit_large();
    c.leading = {{TokenKind::class_token}, {TokenKind::register_token, 4, false}};
    c.position_table = false;
    for (const Positions positions : {Positions::rotary, Positions::none}) {
        c.positions = positions;
        const std::string lines = code_listing(code_file("position_embedding", c), letter_values(c, 1));
        EXPECT_NE(lines.find("z = tokens "), std::string::npos) << lines;
        EXPECT_EQ(lines.find("E_pos"), std::string::npos) << lines;
    }
}

TEST(CodeListing, NoLineIsPushedFarToTheRight) {
    constexpr std::size_t deepest = 8;  // columns: two levels
    for (const char* const folder : {"assets/code", "assets/text_code"})
        for (const auto& entry : fs::directory_iterator(fs::path(VITRINE_SOURCE) / folder)) {
            std::istringstream lines(read(entry.path()));
            for (std::string line; std::getline(lines, line);) {
                const std::size_t indent = line.find_first_not_of(' ');
                EXPECT_TRUE(indent == std::string::npos || indent <= deepest) << entry.path() << ": " << line;
            }
        }
}

/// All but blanks and the marks of remarks, which a wrapped one repeats.
std::string letters(const std::string& text) {
    std::string all;
    for (const char c : text)
        if (c != ' ' && c != '\n' && c != '#') all += c;
    return all;
}

TEST(CodeListing, NoWrappedLineIsWiderThanItsColumnAndNothingIsLost) {
    for (const Step& step : curriculum()) {
        const std::string listing = listing_of(step.id, 24);
        std::string all;
        for (const std::string& line : wrapped_code(listing, 34)) {
            const auto width = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
            EXPECT_LE(width, 34) << line;
            all += line + "\n";
        }
        EXPECT_EQ(letters(all), letters(listing));
    }
}

TEST(CodeListing, IsWrappedIntoNoMatterHowFewColumns) {
    const std::string listing = "x = f(a, b)  # (N, D) [token, feature]\n# one\n    # a remark\n";
    for (int columns = -3; columns < 20; ++columns) {
        std::string all;
        for (const std::string& line : wrapped_code(listing, columns)) all += line + "\n";
        EXPECT_EQ(letters(all), letters(listing)) << columns;
    }
}

TEST(CodeListing, HasADozenColumnsAtLeastEvenOfLettersWithoutWidth) {
    EXPECT_EQ(code_columns(800, 8), 100);
    EXPECT_EQ(code_columns(40, 8), 12);
    EXPECT_EQ(code_columns(800, 0), 12);
    EXPECT_EQ(code_columns(-5, 0), 12);
}

}  // namespace
}  // namespace vitrine
