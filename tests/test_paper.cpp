#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "core/files/image_formats.h"
#include "tests/program.h"

namespace vitrine {
namespace {

/// The commands that --help lists, and "" for none.
std::vector<std::string> commands() {
    std::vector<std::string> names = {""};
    std::istringstream help(run("--help").out);
    bool listed = false;
    for (std::string line; std::getline(help, line);) {
        std::smatch match;
        if (listed && std::regex_search(line, match, std::regex("^  ([a-z]+) "))) names.push_back(match[1]);
        listed = listed || line.starts_with("Subcommands");
    }
    return names;
}

/// The options that a command's --help lists.
std::set<std::string> options_of(const std::string& command) {
    std::set<std::string> options;
    std::istringstream help(run(command + " --help").out);
    for (std::string line; std::getline(help, line);) {
        std::smatch match;
        if (std::regex_search(line, match, std::regex("^  (?:-[a-zA-Z],)?(--[a-z-]+)"))) options.insert(match[1]);
    }
    return options;
}

/// What bash completes behind these words.
std::set<std::string> completed(const std::string& words) {
    const std::filesystem::path script = program_folder() / "completion.bash", out = program_folder() / "completed";
    write(script, run("paper bash").out + "COMP_WORDS=(" + words +
                      ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_vitrine\n"
                      "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    EXPECT_EQ(std::system(("bash --norc " + script.string() + " >" + out.string()).c_str()), 0);
    std::istringstream lines(read(out));
    std::set<std::string> all;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) all.insert(line);
    return all;
}

TEST(Paper, TheCompletionKnowsEveryCommandAndOption) {
    ASSERT_GT(commands().size(), 5U);
    const std::set<std::string> first = completed("vitrine ''");
    for (const std::string& command : commands()) {
        EXPECT_TRUE(command.empty() || first.contains(command)) << command;
        ASSERT_FALSE(options_of(command).empty()) << command;
        const std::set<std::string> there = completed("vitrine " + command + " --");
        EXPECT_EQ(there, options_of(command)) << command;
    }
}

TEST(Paper, TheCompletionOffersTheValuesOfWhichThereIsAListAndFilesElsewhere) {
    EXPECT_EQ(completed("vitrine --lang ''"), (std::set<std::string>{"en", "ja", "ko"}));
    EXPECT_EQ(completed("vitrine snapshot cat --theme l"), (std::set<std::string>{"light"}));
    EXPECT_TRUE(completed("vitrine snapshot --lab ''").contains("ledger"));
    EXPECT_TRUE(completed("vitrine --model ''").empty()) << "then readline completes files";
    EXPECT_TRUE(completed("vitrine tr").contains("trace"));
    EXPECT_TRUE(completed("vitrine tr").contains("train"));
}

TEST(Paper, TheManualPageNamesEveryCommandAndOptionAndRoffHasNothingToSay) {
    const std::string page = run("paper man").out;
    const auto roff = [](std::string words) { return std::regex_replace(words, std::regex("-"), "\\-"); };
    for (const std::string& command : commands()) {
        EXPECT_TRUE(command.empty() || page.find("\n.SS " + command + "\n") != std::string::npos) << command;
        for (const std::string& option : options_of(command))
            EXPECT_NE(page.find(roff(option)), std::string::npos) << command << " " << option;
    }
    EXPECT_EQ(page.find("\n.SS paper"), std::string::npos) << "what packages ask for is not for users";
    if (std::system("groff --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "groff is not installed";
    const std::filesystem::path file = program_folder() / "vitrine.1", words = program_folder() / "roff.words";
    write(file, page);
    EXPECT_EQ(
        std::system(("groff -man -ww -Kutf8 -Tutf8 " + file.string() + " >/dev/null 2>" + words.string()).c_str()), 0);
    EXPECT_EQ(read(words), "");
}

TEST(Paper, TheDesktopIsToldOfEveryPictureThatIsRead) {
    const std::string line = run("paper types").out;
    EXPECT_TRUE(line.starts_with("MimeType=application/x-vitrine-session;text/x-vitrine-lesson;image/")) << line;
    EXPECT_TRUE(line.ends_with(";\n")) << line;
    std::size_t images = 0;
    for (std::size_t at = 0; (at = line.find(";image/", at)) != std::string::npos; ++at) ++images;
    EXPECT_EQ(images, picture_types().size()) << line;
    for (const PictureType& type : picture_types())
        EXPECT_NE(line.find(";" + type.name + ";"), std::string::npos) << type.name << " in " << line;
}

}  // namespace
}  // namespace vitrine
