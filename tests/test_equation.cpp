#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "app/chapters/step.h"
#include "app/ui/text.h"
#include "app/ui/widgets/equation.h"
#include "app/ui/widgets/equation_raster.h"
#include "core/base/error.h"
#include "core/vit/provenance.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path equation_folder = fs::path(VITRINE_SOURCE) / "assets/equations";

TEST(Equations, HaveTheirSourceBesideThemAndTheOtherWayRound) {
    int sources = 0;
    for (const auto& entry : fs::directory_iterator(equation_folder)) {
        const fs::path file = entry.path();
        if (file.extension() == ".tex" && file.stem() != "preamble") {
            ++sources;
            EXPECT_TRUE(fs::exists(equation_folder / (file.stem().string() + ".svg")))
                << file << " was never typeset: ./dev equations";
        }
        if (file.extension() == ".svg") {
            EXPECT_TRUE(fs::exists(equation_folder / (file.stem().string() + ".tex"))) << file;
        }
    }
    EXPECT_GE(sources, 24);
}

TEST(Equations, OfEveryStepAreReadAndEveryMarkStandsForSomething) {
    std::set<std::string_view> known;
    for (const EquationSymbol& symbol : equation_symbols()) known.insert(symbol.symbol);
    for (const Step& step : curriculum()) {
        const EquationPaths* const paths = find_equation(step.id);
        ASSERT_NE(paths, nullptr) << step.id;
        std::size_t outlines = 0;
        for (const EquationPart& part : paths->parts) {
            outlines += part.outlines.size();
            EXPECT_TRUE(part.symbol.empty() || known.contains(part.symbol)) << part.symbol << " in " << step.id;
        }
        EXPECT_GT(outlines, 5U) << step.id;
    }
    for (const Step& step : curriculum())
        for (const std::string& variant : other_equations(step)) EXPECT_NE(find_equation(variant), nullptr) << variant;
    for (int q = 0; q < static_cast<int>(Quantity::count); ++q)
        EXPECT_TRUE(known.contains(symbol_of(static_cast<Quantity>(q)))) << symbol_of(static_cast<Quantity>(q));
}

TEST(Equations, AreOfTheStepWithTheLongestIdThatTheirNameBeginsWith) {
    const auto of = [](std::string_view step) {
        const auto names = other_equations(curriculum()[static_cast<std::size_t>(step_index(step))]);
        return std::set<std::string>(names.begin(), names.end());
    };
    EXPECT_EQ(of("attention"),
              (std::set<std::string>{"attention_undivided", "attention_bias", "attention_undivided_bias"}));
    EXPECT_TRUE(of("attention_matrix").contains("attention_matrix_bias"));
    EXPECT_TRUE(of("position_embedding").contains("position_embedding_rotary_registers"));
    EXPECT_TRUE(of("depth").empty());
}

TEST(Equations, OfEveryInstrumentAreTypesetAndHaveTheirWords) {
    const Text words = load_text("en");
    int formulas = 0;
    for (const auto& [key, text] : words.table()) {
        if (!key.ends_with(".formula")) continue;
        ++formulas;
        std::string id = key.substr(0, key.size() - std::string(".formula").size());
        std::ranges::replace(id, '.', '_');
        EXPECT_NE(find_equation(id), nullptr) << id;
        EXPECT_FALSE(text.empty()) << key;
    }
    EXPECT_GE(formulas, 19);
}

TEST(Equations, ThatHoldWhatIsNotKnownAreRefused) {
    const auto svg = [](const std::string& inside) { return "<svg viewBox='0 0 10 10'>" + inside + "</svg>"; };
    EXPECT_NO_THROW(parse_equation(svg("<g><path d='M0 0H10V10H0Z'/></g>"), "a.svg"));
    for (const char* const inside : {"<path d='M0 0H10V10Z7'/>", "<path d='M0 0H2.2e25V10Z'/>",
                                     "<path d='M0 0A5 5 0 0 1 9 9Z'/>", "<circle r='3'/>", "<path d='M0 0L1'/>"})
        EXPECT_THROW(parse_equation(svg(inside), "a.svg"), Error) << inside;
}

TEST(Equations, CoverAsMuchAsTheirOutlineEncloses) {
    const EquationPaths square =
        parse_equation("<svg viewBox='0 0 10 10'><path d='M1.25 1.5H7.5V8.75H1.25Z'/></svg>", "a.svg");
    for (const EquationPart& part : square.parts)
        for (const Outline& outline : part.outlines) {
            const Coverage c = coverage_of(outline, {0, 0}, 2.0F);
            const float sum = std::accumulate(c.amount.begin(), c.amount.end(), 0.0F);
            EXPECT_NEAR(sum, 6.25F * 7.25F * 4, 0.05F);
        }
}

TEST(Equations, CoverInsideThePictureAsIfTheirWholeOutlineWereDrawn) {
    const EquationPaths paths =
        parse_equation("<svg viewBox='0 0 10 10'><path d='M-30 4C5 -40 8 50 3.5 6L40 9L12.5 -20Z'/></svg>", "a.svg");
    const Outline& outline = paths.parts.front().outlines.front();
    const Coverage whole = coverage_of(outline, {0, 0}, 1), cut = coverage_of(outline, {0, 0}, 1, {0, 0, 10, 10});
    ASSERT_EQ(cut.width, 10);
    ASSERT_EQ(cut.height, 10);
    ASSERT_GT(whole.width, 60);
    for (int row = 0; row < 10; ++row)
        for (int column = 0; column < 10; ++column)
            EXPECT_NEAR(cut.at(column, row), whole.at(column - whole.x, row - whole.y), 1e-4F) << column << " " << row;
}

TEST(Equations, AreDrawnInTheMemoryOfTheirPictureHoweverFarAPathGoes) {
    const EquationPaths far =
        parse_equation("<svg viewBox='0 0 10 10'><path d='M-900000 -900000H900000V900000H-900000Z'/></svg>", "a.svg");
    const std::vector<Color> colors(far.parts.size(), Color{0, 0, 0, 255});
    const EquationPixels pixels = rasterise({&far, colors}, 1);
    EXPECT_EQ(pixels.width, 10);
    EXPECT_EQ(pixels.rgba[3], 255) << "it covers all of the picture";
}

}  // namespace
}  // namespace vitrine
