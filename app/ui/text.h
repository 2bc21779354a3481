#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace vitrine {

/// All words of the user interface, by key, from assets/text/<language>.json; code contains none.
class Text {
public:
    /// Parses a table { "key": "words with {placeholders}", … }; throws Error with `name` and the problem.
    static Text parse(std::string_view json, const std::string& name);

    /// The words of a key; a missing key in ⟦brackets⟧ (a test looks for those).
    const std::string& operator()(std::string_view key) const;

    /// The words with each {name} replaced.
    std::string operator()(std::string_view key,
                           std::initializer_list<std::pair<std::string_view, std::string>> values) const;

    /// Replaces each entry by `f(key, words)`.
    template <class F>
    void change(F f) {
        for (auto& [key, words] : table_) words = f(key, words);
        stamp_ = next_stamp();
    }

    /// A number that changes with every parse and change of the words.
    std::uint64_t stamp() const { return stamp_; }

    bool has(std::string_view key) const;
    const std::map<std::string, std::string, std::less<>>& table() const { return table_; }

private:
    static std::uint64_t next_stamp();

    std::uint64_t stamp_ = next_stamp();
    std::map<std::string, std::string, std::less<>> table_;
    mutable std::map<std::string, std::string, std::less<>> missing_;
};

/// True if every typed word occurs in `words`, ignoring ASCII case.
bool matches(const std::string& words, const std::string& typed);

/// A duration in readable units: "1 h 50 min", "12 min", "3 min 20 s", "20 s".
std::string duration_text(const Text& text, double seconds);
/// An estimated duration, rounded so that it seldom changes: "10 s", "50 s", "3 min", "1 h 10 min".
std::string rough_duration(const Text& text, double seconds);

/// The words of a bundled language; asserted to exist.
Text load_text(const std::string& language);

}  // namespace vitrine
