#include "app/exports/table_numbering.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.h"

namespace vitrine {

namespace {

/// Axes without labels whose indices are numbers on the screen.
constexpr std::array<std::string_view, 11> counted = {"head",    "row",  "column", "patch", "other", "query",
                                                      "feature", "unit", "key",    "token", "word"};

bool is_number(std::string_view words) {
    return !words.empty() && std::ranges::all_of(words, [](unsigned char c) { return std::isdigit(c) != 0; });
}
std::string moved(std::string_view number, int by) { return std::to_string(std::stoi(std::string(number)) + by); }

/// Adds `by` to a label that is a number ("3", 1: "4"); returns other labels unchanged.
std::string moved_number(const std::string& label, int by) { return is_number(label) ? moved(label, by) : label; }

/// An axis's name without its numbering: "block (from 1).head (from 0)" becomes "block.head".
std::string plain_name(std::string name) {
    for (std::size_t at = name.find(" (from "); at != std::string::npos; at = name.find(" (from "))
        name.erase(at, name.find(')', at) + 1 - at);
    return name;
}

/// "patch 7" or "register 2", which count from 1, counted from `first` instead; other labels unchanged.
std::string numbered_token(const std::string& label, int first) {
    const std::size_t blank = label.rfind(' ');
    const bool ends_in_number = blank != std::string::npos && is_number(std::string_view(label).substr(blank + 1));
    return ends_in_number ? label.substr(0, blank + 1) + moved(label.substr(blank + 1), first - 1) : label;
}

/// Renumbers "2.0@7 − 1/N": a block, a head and perhaps a query, named as in `tokens`; other labels unchanged.
std::string numbered_head(const std::string& label, const std::vector<std::string>& tokens, int first) {
    const std::size_t dot = label.find('.');
    if (dot == std::string::npos || !is_number(std::string_view(label).substr(0, dot))) return label;
    const std::size_t end = std::min(label.find_first_not_of("0123456789", dot + 1), label.size());
    if (end == dot + 1) return label;
    std::string words =
        moved(label.substr(0, dot), first - 1) + "." + moved(label.substr(dot + 1, end - dot - 1), first);
    if (end == label.size() || label[end] != '@') return words + label.substr(end);
    const std::size_t last = std::min(label.find_first_not_of("0123456789", end + 1), label.size());
    const auto query = vitrine::number_from<std::size_t>(label.substr(end + 1, last - end - 1));
    if (!query || *query >= tokens.size()) return label;
    return words + "@" + numbered_token(tokens[*query], first) + label.substr(last);
}

}  // namespace

void number_from(Table& table, int first) {
    table.labels.resize(table.axes.size());
    const std::vector<std::string> tokens = table.labels.empty() ? std::vector<std::string>() : table.labels.back();
    for (std::size_t axis = 0; axis < table.axes.size(); ++axis) {
        std::string name = plain_name(table.axes[axis]);
        std::vector<std::string>& labels = table.labels[axis];
        const std::vector<std::string> before = labels;
        if (labels.empty() && std::ranges::find(counted, name) != counted.end())
            for (std::size_t i = 0; i < table.shape[axis]; ++i)
                labels.push_back(std::to_string(i + static_cast<std::size_t>(first)));
        else if (name.starts_with("block.head") || name == "removed")  // heads, in the order of their removal
            for (std::string& label : labels) label = numbered_head(label, tokens, first);
        else if (name == "block" || name == "head")
            for (std::string& label : labels) label = moved_number(label, name == "block" ? first - 1 : first);
        else if (name == "key" || name == "token" || name == "query" || name == "feature or key")
            for (std::string& label : labels) label = numbered_token(label, first);
        const bool is_counted =
            name.starts_with("block") || name == "head" || name == "removed" || (before.empty() && !labels.empty());
        table.axes[axis] = is_counted ? name + " (from " + std::to_string(first) + ")" : name;
    }
}

}  // namespace vitrine
