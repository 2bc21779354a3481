#include <gtest/gtest.h>

#include <filesystem>

#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST(Languages, AreSwitchedAtRunTimeAndKeepEverythingElse) {
    Harness h;
    h.focus().token = 20;
    h.frame(2);
    h.press(Key::g);
    h.tap("language.ja");
    h.press(Key::escape);
    EXPECT_EQ(h.item("map.patches").text, "パッチ");
    EXPECT_EQ(h.focus().token, 20);
    EXPECT_NE(h.app->text()("step.attention.words").find(" (query)"), std::string::npos);
    h.press(Key::g);
    h.tap("language.terms");
    EXPECT_EQ(h.app->text()("step.attention.words").find(" (query)"), std::string::npos);
    h.tap("language.ko");
    h.press(Key::escape);
    EXPECT_EQ(h.item("map.patches").text, "패치");
    EXPECT_EQ(h.item("top.0").text, "고양이");
}

TEST(Languages, LettersThatNoTableHoldsComeIntoTheFontsWhenTheyAreMet) {
    const TestFolder folder;
    const fs::path file = folder / "鯨と龍.png";
    fs::copy_file(fs::path(VITRINE_SOURCE) / "tests/ui/images/cat.png", file, fs::copy_options::overwrite_existing);
    Harness h;
    EXPECT_FALSE(has_glyph(ImGui::GetIO().FontDefault, 0x9F8D));
    h.app->open({file});
    h.settle();
    h.frame(3);
    EXPECT_TRUE(has_glyph(ImGui::GetIO().FontDefault, 0x9F8D)) << "龍";
}

}  // namespace
}  // namespace vitrine
