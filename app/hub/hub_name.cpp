#include "app/hub/hub_name.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace vitrine {

namespace {

/// At most 96 letters, digits, '-', '_' and '.', neither beginning nor ending with '-' or '.', without "--" and "..".
bool is_part_of_name(std::string_view part) {
    const auto is_alnum = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    return !part.empty() && part.size() <= 96 && part.front() != '-' && part.front() != '.' && part.back() != '-' &&
           part.back() != '.' && part.find("--") == std::string_view::npos &&
           part.find("..") == std::string_view::npos &&
           std::ranges::all_of(part, [&](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; });
}

/// Parts as above between single slashes: "refs/pr/1".
bool is_revision(std::string_view words) {
    for (;;) {
        const std::size_t end = words.find('/');
        if (!is_part_of_name(words.substr(0, end))) return false;
        if (end == std::string_view::npos) return true;
        words.remove_prefix(end + 1);
    }
}

}  // namespace

std::optional<HubName> hub_name(const std::string& words) {
    const std::size_t at = words.find('@'), slash = words.find('/');
    HubName name{words.substr(0, at)};
    if (at != std::string::npos) name.revision = words.substr(at + 1);
    const bool read = slash != std::string::npos && slash < name.model.size() &&
                      is_part_of_name(std::string_view(name.model).substr(0, slash)) &&
                      is_part_of_name(std::string_view(name.model).substr(slash + 1)) && is_revision(name.revision);
    return read ? std::optional(name) : std::nullopt;
}

bool is_commit(const std::string& word) {
    return word.size() == 40 && word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace vitrine
