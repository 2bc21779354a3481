#include "app/commands/help.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <vector>

namespace vitrine {

namespace {

/// The edit distance of two words: the fewest insertions, deletions, replacements and swaps of neighbouring letters
/// that turn one into the other (Damerau 1964).
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before, row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        const std::vector<std::size_t> last = row;
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = last;
    }
    return row[b.size()];
}

}  // namespace

WrappedHelp::WrappedHelp(std::size_t width) : width_(std::clamp<std::size_t>(width, 60, 100)) {}

std::string WrappedHelp::entry(const std::string& name, const std::string& words) const {
    constexpr std::size_t column = 26;
    const std::string begin = "  " + wrapped(name, width_ - 4, 4);
    const std::size_t last = begin.rfind('\n') == std::string::npos ? letters_of(begin) : width_;
    const std::string between = last + 2 <= column ? std::string(column - last, ' ') : "\n" + std::string(column, ' ');
    return begin + (words.empty() ? "" : between + wrapped(words, width_ - column, column)) + "\n";
}

/// CLI11 lists choices between braces without spaces; a long list gets spaces, so that it is wrapped, too.
std::string WrappedHelp::make_option(const CLI::Option* option, bool is_positional) const {
    std::string name = make_option_name(option, is_positional) + make_option_opts(option);
    const std::size_t open = name.find('{'), close = name.find('}', open);
    if (close != std::string::npos && close - open > 40)
        for (std::size_t i = open; i < name.size(); ++i)
            if (name[i] == ',') name.insert(i + 1, " ");
    return entry(name, make_option_desc(option));
}

std::string WrappedHelp::make_subcommand(const CLI::App* command) const {
    return entry(command->get_display_name(true), command->get_description());
}

std::string WrappedHelp::make_description(const CLI::App* command) const {
    return wrapped(command->get_description(), width_, 0) + "\n";
}

/// The footer with its own line breaks; long lines are wrapped and indented.
std::string WrappedHelp::make_footer(const CLI::App* command) const {
    std::istringstream lines(command->get_footer());
    std::string all;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t text = line.find_first_not_of(' '), indent = text == std::string::npos ? 0 : text;
        const std::size_t column = indent > 0 && line.size() > footer_names ? footer_names : indent;
        all += line.substr(0, column) + wrapped(line.substr(column), width_ - column, column) + "\n";
    }
    return all;
}

std::string nearest_command(const CLI::App& app, const std::string& word) {
    std::string nearest;
    std::size_t least = 3;
    for (const CLI::App* const command :
         app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); })) {
        const std::size_t d = distance(word, command->get_name());
        if (d < least && d < word.size()) nearest = command->get_name(), least = d;
    }
    return nearest;
}

}  // namespace vitrine
