#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "app/platform/imgui_compat.h"
#include "app/ui/fonts.h"
#include "app/ui/glyphs.h"
#include "app/ui/languages.h"
#include "app/ui/text.h"
#include "tests/files.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

/// Every code point beyond ASCII in well-formed UTF-8.
void collect(const std::string& utf8, std::set<unsigned>& into) {
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        unsigned code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
        for (std::size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(utf8[i + k]) & 0x3FU);
        if (length > 1) into.insert(code);
        i += length;
    }
}

/// What stands in a line's quotes; comments are for readers of the code.
void collect_literals(const std::string& code, std::set<unsigned>& into) {
    std::size_t begin = 0;
    for (std::size_t end; (end = code.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const std::string line = code.substr(begin, end - begin);
        const std::size_t first = line.find('"'), last = line.rfind('"'), comment = line.find("//");
        if (first < last && first < comment) collect(line.substr(first, last - first), into);
    }
}

class Fonts : public testing::Test {
protected:
    void SetUp() override { context = ImGui::CreateContext(); }
    void TearDown() override { ImGui::DestroyContext(context); }

    const fs::path source = VITRINE_SOURCE;
    Text text = Text::parse(read(source / "assets/text/en.json"), "en.json");
    Theme theme;
    ImGuiContext* context = nullptr;
};

TEST_F(Fonts, HaveAGlyphForEverySignThatTheAppWrites) {
    build_fonts(theme, text);
    std::set<unsigned> signs;
    for (const auto& [key, words] : text.table()) collect(words, signs);
    for (const auto& entry : fs::recursive_directory_iterator(source / "app"))
        if (entry.path().extension() == ".cpp" && entry.path().filename() != "search.cpp")  // reads Korean particles
            collect_literals(read(entry.path()), signs);
    ASSERT_GT(signs.size(), 20U);
    for (ImFont* const font : theme.fonts)
        for (const unsigned sign : signs) EXPECT_TRUE(has_glyph(font, sign)) << "U+" << std::hex << sign;
}

TEST_F(Fonts, HaveAGlyphForTheLettersOfThePaper) {
    build_fonts(theme, Text());
    std::set<unsigned> signs;
    collect("μσγβεΣΔΩℓ√∑∏∈⊤∥·×⊕⊙→←↑↓≤≥≈≠∞∂∇ℝ₀₁₂₉ₖₘₙᵢⱼₐₜ⁰²⁻⁹ⁿᵀ−…–—“”‘’ẞéčđ▶●■✓✗", signs);
    for (ImFont* const font : theme.fonts)
        for (const unsigned sign : signs) EXPECT_TRUE(has_glyph(font, sign)) << "U+" << std::hex << sign;
}

TEST_F(Fonts, AreNeverSmallerThanFourteenPixels) {
    for (const float scale : {0.5F, 0.8F, 1.0F})
        for (int which = 0; which < static_cast<int>(Font::count); ++which)
            EXPECT_GE(font_size(static_cast<Font>(which), scale), std::round(14 * 1.21F)) << which << " at " << scale;
}

TEST_F(Fonts, ShowNumbersInColumns) {
    build_fonts(theme, text);
    const float zero = theme.font(Font::mono)->GetCharAdvance('0');
    for (char digit = '0'; digit <= '9'; ++digit)
        EXPECT_EQ(theme.font(Font::mono)->GetCharAdvance(static_cast<ImWchar>(digit)), zero);
    EXPECT_EQ(theme.font(Font::mono)->GetCharAdvance(0x2212), zero);
}

TEST_F(Fonts, AreReplacedWhenTheScaleChanges) {
    build_fonts(theme, text);
    const float before = theme.font(Font::body)->CalcTextSizeA(font_size(Font::body, 1), 1e9F, 0, "word").x;
    theme.scale = 2;
    build_fonts(theme, text);
    const float after = theme.font(Font::body)->CalcTextSizeA(font_size(Font::body, 2), 1e9F, 0, "word").x;
    EXPECT_NEAR(after / before, 2, 0.06);
    EXPECT_EQ(ImGui::GetIO().Fonts->Fonts.Size, static_cast<int>(Font::count));
}

TEST_F(Fonts, HaveAGlyphForEveryLetterOfEveryLanguage) {
    for (const std::string& language : language_codes()) {
        const std::string words = read(source / "assets/text" / (std::string(language) + ".json"));
        build_fonts(theme, Text::parse(words, language));
        std::set<unsigned> letters;
        collect(words, letters);
        for (ImFont* const font : theme.fonts)
            for (const unsigned letter : letters)
                EXPECT_TRUE(has_glyph(font, letter)) << "U+" << std::hex << letter << " in " << language;
    }
}

TEST_F(Fonts, HoldTheCommonKanjiAndHangulForNamesAndNotes) {
    Glyphs glyphs;
    build_fonts(theme, text, &glyphs);
    const std::string name = "亜腕弌鯨龍가힝뷁";  // first and last of JIS X 0208 level 1, and of KS X 1001's Hangul
    EXPECT_FALSE(glyphs.see(name)) << "until the next atlas nothing is drawn";
    EXPECT_FALSE(glyphs.see("鯨")) << "nor another text with one of these letters";
    EXPECT_TRUE(glyphs.see("plain words"));
    EXPECT_TRUE(glyphs.pending());
    build_fonts(theme, text, &glyphs);
    EXPECT_FALSE(glyphs.pending());
    EXPECT_TRUE(glyphs.see(name));
    for (const unsigned letter : {0x4E9CU, 0x8155U, 0x9BE8U, 0xAC00U, 0xD79DU})
        EXPECT_TRUE(has_glyph(theme.font(Font::body), letter)) << std::hex << letter;
}

}  // namespace
}  // namespace vitrine
