#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vitrine {

// The special tokens come first in every vocabulary.
inline constexpr int pad_id = 0, bos_id = 1, eos_id = 2, unknown_id = 3, cls_id = 4;
inline constexpr std::array<const char*, 5> special_words = {"[PAD]", "[BOS]", "[EOS]", "[UNK]", "[CLS]"};

/// The words known to a model, in a fixed order: the special tokens, then the others. A word's id is its index.
class Vocabulary {
public:
    /// Only the special tokens.
    Vocabulary() : Vocabulary(std::vector<std::string>()) {}
    /// The special tokens followed by these words; asserts that they are distinct, not empty and not special.
    explicit Vocabulary(const std::vector<std::string>& words);

    int size() const { return static_cast<int>(words_.size()); }
    /// A word's id; unknown_id for an unknown word.
    int id(std::string_view word) const;
    const std::string& word(int id) const { return words_[static_cast<std::size_t>(id)]; }
    /// True for a word of the vocabulary other than a special token.
    bool knows(std::string_view word) const { return id(word) >= static_cast<int>(special_words.size()); }
    /// All words, special tokens included.
    const std::vector<std::string>& words() const { return words_; }
    /// Bytes of the longest word.
    std::size_t longest() const { return longest_; }

    std::vector<int> ids(const std::vector<std::string>& words) const;

    /// Words with this prefix, at most `count`, in their order, ignoring the case of Latin letters; no special tokens.
    std::vector<std::string> completions(std::string_view prefix, int count) const;

    bool operator==(const Vocabulary& other) const { return words_ == other.words_; }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
    };
    std::vector<std::string> words_;
    std::unordered_map<std::string, int, Hash, std::equal_to<>> ids_;
    std::size_t longest_ = 0;
};

/// A list of words as JSON, special tokens included; vocabulary_from_json reads it.
std::string to_json(const Vocabulary& vocabulary);
/// Throws Error if it is not a list of distinct words that begins with the special tokens.
Vocabulary vocabulary_from_json(const std::string& text);

}  // namespace vitrine
