#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vitrine {

/// A byte-pair encoding of a whole text, as a tokenizer.json describes it and SigLIP 2 uses it: letters become lower
/// case, the file's normaliser makes its replacements (spaces by "▁"), and pieces are merged pair by pair, in the order
/// in which the pairs were learned. A letter without a piece is written as its bytes, "<0xF0>". From
/// huggingface/tokenizers: models/bpe/word.rs, added_vocabulary.rs; huggingface/transformers:
/// models/siglip2/tokenization_siglip2.py.
class PiecePairs {
public:
    /// Reads a tokenizer.json; `name` is the file's, for messages. Throws Error for parts that Vitrine does not read.
    PiecePairs(const nlohmann::json& tokenizer, const std::string& name);

    /// The numbers of a text's pieces, without those before and after every text.
    std::vector<int> encode(std::string_view text) const;
    /// A piece as the vocabulary spells it: "▁dog".
    const std::string& piece(int number) const { return pieces_[static_cast<std::size_t>(number)]; }

    const std::vector<int>& before() const { return before_; }  // numbers of the pieces before every text
    const std::vector<int>& after() const { return after_; }    // and after it
    int padding() const { return padding_; }
    int size() const { return static_cast<int>(pieces_.size()); }  // V

private:
    struct Replacement {
        std::string from, to;  // both empty: all letters become lower case
    };
    struct Added {
        std::string content;
        int number;
    };
    struct Merged {
        int rank, number;
    };
    void read_normaliser(const nlohmann::json& part, const std::string& name);
    void read_surroundings(const nlohmann::json& template_, const std::string& name);
    void read_added(const nlohmann::json& tokens, const std::string& name);
    template <class Rest>
    void split_at(const std::vector<Added>& added, std::string_view text, std::vector<int>& numbers,
                  const Rest& rest) const;
    void add_pieces(std::string_view text, std::vector<int>& numbers) const;

    std::unordered_map<std::string, int> numbers_;
    std::vector<std::string> pieces_;
    std::unordered_map<std::uint64_t, Merged> merges_;  // by the numbers of two pieces
    std::vector<Replacement> replacements_;
    std::vector<Added> added_, added_later_;  // searched for in the text, and in the normalised text
    std::vector<int> before_, after_, bytes_;
    int padding_ = -1;
    bool splits_ = false;  // whether texts are split after each space, before merging
};

}  // namespace vitrine
