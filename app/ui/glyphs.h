#pragma once

#include <set>
#include <string>

namespace vitrine {

/// Calls f(code point) for each code point of UTF-8 text, which must be valid; stops at one that is cut off.
template <class F>
void for_letters(const std::string& words, F f) {
    for (std::size_t i = 0; i < words.size();) {
        const auto lead = static_cast<unsigned char>(words[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (i + length > words.size()) return;
        unsigned code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
        for (std::size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(words[i + k]) & 0x3FU);
        i += length;
        f(code);
    }
}

/// True if a text has kana, hanzi, Hangul or their punctuation.
bool has_cjk(const std::string& words);

/// Letters outside the tables of words: file names, labels, a lecturer's notes. ImGui's atlas holds what was known when
/// it was built; letters seen later are in the next one.
class Glyphs {
public:
    /// Remembers the letters of a text that the atlas may lack; costs nothing for ASCII. False while one of them waits
    /// for the next atlas: then the text is not drawn, to show no replacement characters for a frame.
    bool see(const std::string& words) {
        for (const char c : words)
            if (static_cast<unsigned char>(c) >= 0xE2) return look(words);
        return true;
    }

    /// True if new letters appeared since the atlas was built; reset by `built`.
    bool pending() const { return !waiting_.empty(); }
    void built() { waiting_.clear(); }
    const std::set<unsigned>& seen() const { return seen_; }

private:
    bool look(const std::string& words);

    std::set<unsigned> seen_, waiting_;
};

}  // namespace vitrine
