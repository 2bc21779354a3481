#pragma once

#include <cassert>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// A value and its name. Files, sessions, the command line and the keys of texts use the name, never the number. Each
/// enumeration has one list of these, in the order in which users see its values.
template <class T>
struct Named {
    T value;
    const char* name;
};

/// The name of a value, which must be in the list (asserted).
template <class T, std::size_t n>
constexpr const char* name_in(const Named<T> (&list)[n], const T& value) {
    for (const Named<T>& entry : list)
        if (entry.value == value) return entry.name;
    assert(false && "every value has a name");
    return "";
}

/// The value with a name; none if there is no such name.
template <class T, std::size_t n>
constexpr std::optional<T> value_in(const Named<T> (&list)[n], std::string_view name) {
    for (const Named<T>& entry : list)
        if (name == entry.name) return entry.value;
    return std::nullopt;
}

/// All names in order.
template <class T, std::size_t n>
std::vector<std::string> names_of(const Named<T> (&list)[n]) {
    std::vector<std::string> names;
    for (const Named<T>& entry : list) names.emplace_back(entry.name);
    return names;
}

/// "a, b or c"
std::string listed(const std::vector<std::string>& names);

/// "a,b,c", as the command line reads it.
std::string comma_separated(const std::vector<std::string>& words);

}  // namespace vitrine
