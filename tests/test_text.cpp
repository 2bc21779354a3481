#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "app/text.h"
#include "core/error.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
    std::ifstream in(file);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

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

}  // namespace
}  // namespace vitrine
