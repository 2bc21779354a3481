#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace vitrine {

/// The number that the whole text spells, in the "C" locale (std::from_chars); none if the text is not a number or the
/// number is outside the type's range.
template <class Number>
std::optional<Number> number_from(std::string_view words) {
    Number number{};
    const char* const end = words.data() + words.size();
    const auto [rest, error] = std::from_chars(words.data(), end, number);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace vitrine
