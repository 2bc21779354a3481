#include <gtest/gtest.h>

#include "app/platform/printable.h"

namespace vitrine {
namespace {

TEST(Printable, WordsOfEveryLanguageStayAsTheyAre) {
    for (const char* const words : {"cat", "", "Egyptian cat, mau", "고양이", "猫 · ℓ = 1 … L", "naïve", "🦉"})
        EXPECT_EQ(printable(words), words);
}

TEST(Printable, WhatWouldGiveATerminalOrdersIsWrittenOut) {
    EXPECT_EQ(printable("cat\ndog\tfish\r"), "cat\\ndog\\tfish\\r");
    EXPECT_EQ(printable("\x1b[31mred\x7f"), "\\x1b[31mred\\x7f");
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\x9b31m")
        << "the same order in one letter of UTF-8";
    EXPECT_EQ(printable("\xe2\x80\xae"
                        "gnp"),
              "\\u202egnp")
        << "from right to left";
    EXPECT_EQ(printable("\xe2\x80\xa8"), "\\u2028") << "a line's end";
}

TEST(Printable, BytesThatAreNoUtf8AreWrittenOut) {
    EXPECT_EQ(printable("\x9b"
                        "31m"),
              "\\x9b31m");
    EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
    EXPECT_EQ(printable("\xc0\x8a"), "\\xc0\\x8a") << "a newline in too many bytes";
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a pair of UTF-16";
    EXPECT_EQ(printable("\xf0\x9f\xa6"), "\\xf0\\x9f\\xa6") << "cut short";
}

TEST(Printable, JsonMeansTheSameAndGivesNoOrders) {
    const std::string words = "{\n \"caf\xc3\xa9 \xc2\x9b\xe2\x80\xae\": \"\x7f\"\n}";
    EXPECT_EQ(printable_json(words), "{\n \"caf\xc3\xa9 \\u009b\\u202e\": \"\\u007f\"\n}");
}

}  // namespace
}  // namespace vitrine
