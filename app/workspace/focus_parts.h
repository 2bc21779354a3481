#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/workspace/selection.h"
#include "core/base/numbers.h"

// The kinds of parts of a view, with the conversion of each to and from words.

namespace vitrine::focus_parts {

inline constexpr int unbounded = std::numeric_limits<int>::max();

/// A part of a view: its name, its value as words, the setter from words (false: not a value), and the allowed words.
struct Field {
    std::string name;
    std::function<std::string(const View&)> get;
    std::function<bool(const MutableView&, const std::string&)> set;
    std::string allowed;
};

template <class Number>
std::string words_of(Number value) {
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    return {buffer, result.ptr};
}

// `at` finds the part in a view, mutable or not.

template <class At>
Field count_field(const std::string& name, At at, int low = 0, int high = unbounded) {
    const std::string range = high == unbounded ? "a whole number from " + std::to_string(low)
                                                : std::to_string(low) + " to " + std::to_string(high);
    return {name, [at](const View& v) { return words_of(at(v)); },
            [at, low, high](const MutableView& v, const std::string& words) {
                const auto value = number_from<int>(words);
                if (!value || *value < low || *value > high) return false;
                at(v) = *value;
                return true;
            },
            range};
}

template <class At>
Field real(const std::string& name, At at, float low, float high) {
    return {name, [at](const View& v) { return words_of(at(v)); },
            [at, low, high](const MutableView& v, const std::string& words) {
                const auto value = number_from<float>(words);
                if (!value || !(*value >= low && *value <= high)) return false;
                at(v) = *value;
                return true;
            },
            "a number from " + words_of(low) + " to " + words_of(high)};
}

template <class At>
Field yes_or_no(const std::string& name, At at) {
    return {name, [at](const View& v) { return std::string(at(v) ? "yes" : "no"); },
            [at](const MutableView& v, const std::string& words) {
                if (words != "yes" && words != "no") return false;
                at(v) = words == "yes";
                return true;
            },
            "yes or no"};
}

template <class At>
Field maybe_class(const std::string& name, At at) {
    return {name, [at](const View& v) { return at(v) ? words_of(*at(v)) : std::string("none"); },
            [at](const MutableView& v, const std::string& words) {
                const auto value = number_from<int>(words);
                if (words != "none" && (!value || *value < 0)) return false;
                at(v) = value;
                return true;
            },
            "none, or a class's number"};
}

/// "a, b, c"
inline std::string in_a_row(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return list;
}

/// One of a list of named values.
template <class At, class T, std::size_t n>
Field one_of(const std::string& name, At at, const Named<T> (&list)[n]) {
    return {name, [at, &list](const View& v) { return std::string(name_in(list, at(v))); },
            [at, &list](const MutableView& v, const std::string& words) {
                const std::optional<T> value = value_in(list, words);
                if (value) at(v) = *value;
                return value.has_value();
            },
            in_a_row(names_of(list))};
}

inline std::vector<std::string> split(const std::string& words, char at) {
    std::vector<std::string> parts;
    std::istringstream in(words);
    for (std::string part; std::getline(in, part, at);) parts.push_back(part);
    return parts;
}

/// Typed text with any letters.
template <class At>
Field typed(const std::string& name, At at) {
    constexpr std::size_t most_bytes = 400;
    return {name, [at](const View& v) { return at(v); },
            [at](const MutableView& v, const std::string& words) {
                if (words.size() > most_bytes) return false;
                at(v) = words;
                return true;
            },
            "at most 400 bytes"};
}

/// Words separated by spaces.
template <class At>
Field words_in_a_row(const std::string& name, At at) {
    return {name,
            [at](const View& v) {
                std::string all;
                for (const std::string& word : at(v)) all += (all.empty() ? "" : " ") + word;
                return all;
            },
            [at](const MutableView& v, const std::string& words) {
                constexpr std::size_t most = 64;
                std::vector<std::string> list = split(words, ' ');
                std::erase(list, "");
                if (list.size() > most) return false;
                at(v) = std::move(list);
                return true;
            },
            "at most 64 words with blanks between them"};
}

}  // namespace vitrine::focus_parts
