#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands/progress_line.h"
#include "app/commands/wrapped_words.h"
#include "core/measures/catalogue.h"
#include "tests/drawn_folder.h"
#include "tests/scripts.h"

// What the command line says: options, errors, help, and lines that bench prints.

namespace vitrine {
namespace {

TEST(Command, BenchWhatIfSaysWhatEachBlockCostsBesideItsShare) {
    const Outcome o = run("bench --what-if --variant vit-ti16 --size 32 --runs 1 --threads 1 --json");
    ASSERT_EQ(o.status, 0) << o.err;
    const Json m = Json::parse(o.out)[0];
    ASSERT_EQ(m["blocks"].size(), 12U);
    for (int block = 1; block <= 12; ++block) {
        const Json& row = m["blocks"][static_cast<std::size_t>(block - 1)];
        EXPECT_EQ(row["block"], block);
        EXPECT_DOUBLE_EQ(row["share"], (13 - block) / 12.0);
        EXPECT_GT(row["of_pass"], 0);
    }
    EXPECT_EQ(m["patching"]["by_blocks"], 5 * 6.5) << "five tokens of twelve blocks";
    EXPECT_GT(m["patching"]["passes"], 0);
    expect_failure("bench --beside dog", 2, "--frames");
}

TEST(Command, BenchMemorySaysWhatARunTakes) {
    const Outcome o = run("bench --memory --variant vit-ti16 --image-size 112x96 --json");
    ASSERT_EQ(o.status, 0) << o.err;
    const Json m = Json::parse(o.out);
    EXPECT_EQ(m["image_size"], Json({96, 112}));
    EXPECT_EQ(m["kept_blocks"], 2);
    EXPECT_FALSE(m.contains("target"));
    const double weights = m["weights_mib"], all = m["all_kept_mib"], least = m["least_mib"];
    EXPECT_GT(weights, 0.9 * m["counted_weights_mib"].get<double>());
    EXPECT_GT(least, 0);
    EXPECT_GE(all, least) << "ten blocks more";
    EXPECT_EQ(m["within_mib"], m["least_mib"]) << "no budget";
    EXPECT_GE(m["program_mib"].get<double>(), weights + least);
    EXPECT_GE(m["program_mib"], m["opening_mib"]);
    const Outcome words = run("bench --memory 5M --variant vit-ti16 --size 112");
    EXPECT_NE(words.out.find("of 12 blocks kept"), std::string::npos) << words.out << words.err;
    expect_failure("bench --memory 1M --variant vit-ti16 --size 112", 1, "give at least");
    expect_failure("bench --memory much --variant vit-ti16 --size 112", 2, "--memory much");
}

/// What scripts find at every command: --threads where it computes, --json where it prints, --quiet where it shows
/// progress.
struct CommandCase {
    const char* name;
    bool threads, json, quiet;
};
constexpr CommandCase command_cases[] = {
    // clang-format off
    {"trace", true, true, true},         {"snapshot", true, false, false},  {"describe", true, true, false},
    {"handout", true, false, true},      {"export", true, true, true},      {"info", false, true, false},
    {"serve", true, false, false},       {"bench", true, true, false},      {"train", true, true, true},
    {"draw", false, true, false},        {"find-edge", true, true, true},   {"evaluate", true, true, true},
    {"text", true, true, false},         {"probe", true, true, true},       {"compare", true, true, true},
    {"claims", true, true, true},        {"references", false, true, false}, {"help", false, false, false},
    {"sweep", true, true, true},         {"fetch", false, true, true},
    {"words", true, true, false},
    // clang-format on
};

TEST(Command, EachHasTheOptionsThatScriptsExpectAndItsErrorsNameItsHelp) {
    for (const CommandCase& row : command_cases) {
        const std::string name = row.name, help = run(name + " --help").out;
        EXPECT_EQ(help.find("--threads") != std::string::npos, row.threads) << name;
        EXPECT_EQ(help.find("--json") != std::string::npos, row.json) << name;
        EXPECT_EQ(help.find("--quiet") != std::string::npos, row.quiet) << name;
        EXPECT_EQ(run("help " + name).out, help) << name;
        expect_failure(name + " --no-such-option", 2, "vitrine " + name + " --help explains the options");
    }
    const std::string help = run("--help").out;
    const std::size_t list = help.rfind("\nSubcommands:");
    ASSERT_NE(list, std::string::npos) << help;
    std::istringstream lines(help.substr(list));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ') ++count;
    EXPECT_EQ(count, std::size(command_cases)) << "a new command has a row above\n" << help.substr(list);
    expect_failure("trace export --no-such-option", 2, "vitrine trace --help");
}

TEST(Command, AWordThatIsNoCommandOpensNoWindow) {
    expect_failure("nonsense", 2, "is neither a file nor a command; vitrine --help");
    expect_failure("nonsense --lang ja", 2, "is neither a file nor a command");
    expect_failure("exprot cat --what entropy", 2, "did you mean vitrine export?");
    expect_failure("--no-such-option", 2, "vitrine --help lists the commands");
}

TEST(Command, DescribeAnswersInJsonToo) {
    const Outcome plain = run(std::string("describe cat --step attention") + with_small_model),
                  json = run(std::string("describe cat --step attention --json --threads 1") + with_small_model);
    ASSERT_EQ(json.status, 0) << json.err;
    EXPECT_EQ(Json::parse(json.out)["text"], plain.out);
}

TEST(Command, DescribingATextTakesItsWordsAndRefusesWhatChangesAnImagesRun) {
    expect_failure("describe --text mask --what-if no-scale", 2, "text.what_ifs");
    const std::string typed = "The film was not bad.";
    const Outcome o = run("describe --text encoder --set text.task=sentiment --words '" + typed + "'");
    ASSERT_EQ(o.status, 0) << o.err;
    const Outcome usual = run("describe --text encoder --set text.task=sentiment");
    EXPECT_NE(o.out, usual.out) << "another text";
}

TEST(Command, HelpOfACommandIsAlsoAWordAndAMistypedCommandNamesTheNearest) {
    EXPECT_EQ(run("help export").out, run("export --help").out);
    EXPECT_EQ(run("help").out, run("--help").out);
    EXPECT_EQ(run("-V").out, run("--version").out);
    expect_failure("exprot", 2, "did you mean vitrine export?");
    expect_failure("tarce cat", 2, "did you mean vitrine trace?");
    expect_failure("help nonsense", 2, "is not a command");
    expect_failure("export cat --bogus", 2, "vitrine export --help");
    EXPECT_EQ(run(std::string("trace cat -m ") + small_model_name).status, 0);
}

TEST(Command, HelpIsWrapped) {
    for (const char* const command : {"export", "snapshot", "train", "trace"}) {
        std::istringstream help(run(std::string(command) + " --help").out);
        for (std::string line; std::getline(help, line);) {
            const auto letters = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
            EXPECT_LE(letters, 100) << command << ": " << line;
        }
    }
    const std::string words = run("export --help").out;
    for (const MeasureEntry& e : measure_catalogue())
        EXPECT_NE(words.find("\n  " + std::string(e.name) + " "), std::string::npos) << e.name;
}

TEST(WrappedWords, BreakAtSpacesAlone) {
    EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three");
    EXPECT_EQ(wrapped("extraordinarily", 4, 2), "extraordinarily");
    EXPECT_EQ(wrapped("ä ö", 3, 0), "ä ö") << "letters count, not bytes";
}

TEST(TimeLeft, IsSaidOnceItIsNoGuess) {
    EXPECT_EQ(time_left(0.5, 0.5), "");
    EXPECT_EQ(time_left(10, 0.001), "");
    EXPECT_EQ(time_left(10, 0.5), "10 s left");
    EXPECT_EQ(time_left(60, 0.1), "9 min left");
    EXPECT_EQ(time_left(3600, 0.25), "3.0 h left");
    EXPECT_EQ(time_left(10, 1), "");
}

}  // namespace
}  // namespace vitrine
