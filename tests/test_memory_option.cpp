#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/program.h"
#include "tests/small_model.h"

// --memory on every command: a budget for its runs, or two blocks of a run at a time by itself.

namespace vitrine {
namespace {

/// What a command does with the blocks of its runs.
enum class Blocks { within_a_budget, two_at_a_time, no_run };

struct CommandOfMemory {
    Blocks blocks;
    std::string words = {};  // of a run within a budget
};

std::map<std::string, CommandOfMemory> commands_of_memory() {
    const std::string out = (program_folder() / "memory").string();
    const CommandOfMemory nothing{Blocks::no_run}, streams{Blocks::two_at_a_time};
    return {{"trace", {Blocks::within_a_budget, "trace cat"}},
            {"export", {Blocks::within_a_budget, "export cat --what attention --out " + out + ".export"}},
            {"snapshot", {Blocks::within_a_budget, "snapshot cat --step attention --force --out " + out + ".png"}},
            {"describe", {Blocks::within_a_budget, "describe cat --step attention"}},
            {"handout", {Blocks::within_a_budget, "handout attention --force --out " + out + ".html"}},
            {"evaluate", {Blocks::within_a_budget, "evaluate --count 2 --ablated 1 --threads 1"}},
            {"serve", {Blocks::within_a_budget, "serve --stdio"}},
            {"bench", {Blocks::within_a_budget, "bench"}},
            {"sweep", {Blocks::within_a_budget, "sweep cat --over heads --force --out " + out + ".npz"}},
            {"find-edge", streams},
            {"probe", streams},
            {"words", streams},
            // They keep what they learn from, run no model of the user's, or run a text.
            {"train", nothing},
            {"claims", nothing},
            {"text", nothing},
            {"info", nothing},
            {"fetch", nothing},
            {"draw", nothing},
            {"compare", nothing},
            {"references", nothing},
            {"help", nothing}};
}

/// The names of all commands, as the completion lists them.
std::vector<std::string> all_commands() {
    std::istringstream help(run("--help").out);
    std::vector<std::string> names;
    bool listed = false;
    for (std::string line; std::getline(help, line);) {
        if (line.ends_with("ommands:")) listed = true;
        if (!listed || !line.starts_with("  ") || line.size() < 3 || line[2] == ' ') continue;
        names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    return names;
}

TEST(MemoryOption, EveryCommandThatRunsAModelHasItOrSaysThatItNeedsLittle) {
    const std::map<std::string, CommandOfMemory> known = commands_of_memory();
    const std::vector<std::string> names = all_commands();
    EXPECT_EQ(names.size(), known.size());
    for (const std::string& name : names) {
        ASSERT_TRUE(known.contains(name)) << name << ": say here what it does with the blocks of its runs";
        std::string help = run(name + " --help").out;
        std::ranges::replace(help, '\n', ' ');
        while (help.find("  ") != std::string::npos) help.erase(help.find("  "), 1);
        const Blocks blocks = known.at(name).blocks;
        EXPECT_EQ(help.find("--memory ") != std::string::npos, blocks == Blocks::within_a_budget) << name;
        EXPECT_EQ(help.find("two blocks of a run are in memory at a time") != std::string::npos,
                  blocks == Blocks::two_at_a_time)
            << name << ": " << help;
    }
}

TEST(MemoryOption, IsKeptToOrRefusedWithTheLeastThatWillDo) {
    for (const auto& [name, command] : commands_of_memory()) {
        if (command.blocks != Blocks::within_a_budget) continue;
        const std::string words = command.words + with_small_model;
        const Outcome refused = run(words + " --memory 0.01M");
        EXPECT_NE(refused.status, 0) << name;
        EXPECT_NE(refused.err.find("give at least"), std::string::npos) << name << ": " << refused.err;
        const Outcome wrong = run(words + " --memory much");
        EXPECT_EQ(wrong.status, 2) << name;
        EXPECT_NE(wrong.err.find("write an amount such as 320M or 4G"), std::string::npos) << name << ": " << wrong.err;
        const Outcome kept = run(words + " --memory 2M");
        EXPECT_EQ(kept.status, 0) << name << ": " << kept.err;
    }
}

}  // namespace
}  // namespace vitrine
