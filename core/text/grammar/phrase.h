#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "core/base/random.h"
#include "core/text/text_example.h"

namespace vitrine {

/// Meanings of a word as a set of bits: two words of a sentence and its translation are aligned if they share one.
using Keys = std::uint32_t;

/// A drawn word; its letters point into a table of the grammar.
struct Token {
    const char* word;
    Keys keys;
    WordKind kind;
};
constexpr Token noun(const char* word, Keys keys) { return {word, keys, WordKind::noun}; }
constexpr Token content(const char* word, Keys keys) { return {word, keys, WordKind::content}; }
constexpr Token other(const char* word, Keys keys = 0) { return {word, keys, WordKind::other}; }

/// A sequence of words of fixed capacity, enough for every example, so that drawing allocates nothing.
class Phrase {
public:
    static constexpr std::size_t room = 48;

    void add(const Token& token) {
        assert(size_ < room);
        tokens_[size_++] = token;
    }
    template <class... More>
    void add(const Token& token, const More&... more) {
        add(token);
        (add(more), ...);
    }
    void add(const Phrase& phrase) {
        for (const Token& token : phrase) add(token);
    }

    int size() const { return static_cast<int>(size_); }
    const Token& operator[](int i) const { return tokens_[static_cast<std::size_t>(i)]; }
    Token& operator[](int i) { return tokens_[static_cast<std::size_t>(i)]; }
    const Token* begin() const { return tokens_.data(); }
    const Token* end() const { return tokens_.data() + size_; }

    /// Position of the first word with one of these keys; -1 if there is none.
    int find(Keys keys) const {
        for (int i = 0; i < size(); ++i)
            if (((*this)[i].keys & keys) != 0) return i;
        return -1;
    }

private:
    std::array<Token, room> tokens_;
    std::size_t size_ = 0;
};

inline bool chance(Random& random, double probability) { return random.uniform() < probability; }

/// A random element of a non-empty list.
template <class List>
const auto& one_of(Random& random, const List& list) {
    return *(std::begin(list) + random.below(static_cast<int>(std::size(list))));
}

}  // namespace vitrine
