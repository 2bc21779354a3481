#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vitrine {

/// A unigram model of SentencePiece (Kudo 2018) as SigLIP uses it: letters become lower case, ASCII punctuation is
/// removed, the file's table replaces letters, "▁" replaces spaces and begins the text, and the Viterbi algorithm finds
/// the most probable pieces. From google/sentencepiece: src/sentencepiece_model.proto, normalizer.cc and
/// unigram_model.cc; huggingface/transformers: models/siglip/tokenization_siglip.py.
class SentencePieces {
public:
    /// Reads a file (a protobuf message). `name` is the file's, for messages. Throws Error for any other bytes, and for
    /// models of other kinds than unigram.
    SentencePieces(std::span<const std::uint8_t> bytes, const std::string& name);

    /// Reads a folder's spiece.model or tokenizer.model. Throws Error.
    static SentencePieces of_folder(const std::filesystem::path& folder);

    /// The numbers of a text's pieces, without the token for its end.
    std::vector<int> encode(std::string_view text) const;
    /// A piece as the model spells it: "▁dog".
    const std::string& piece(int number) const { return pieces_[static_cast<std::size_t>(number)]; }

    int end() const { return end_; }
    int size() const { return static_cast<int>(pieces_.size()); }  // V

private:
    void read_piece(std::span<const std::uint8_t> message);
    void read_normaliser(std::span<const std::uint8_t> message);
    std::string replaced(std::string_view text) const;

    std::string name_;
    std::vector<std::string> pieces_;
    std::unordered_map<std::string, std::pair<int, float>> scores_;  // number and score of each normal piece
    std::size_t longest_ = 0;                                        // length of the longest, in bytes
    float least_ = 0;                                                // the lowest score
    int unknown_ = -1, end_ = -1;
    bool joins_spaces_ = true;
    std::vector<std::uint32_t> trie_;  // of the replaced letters, a double array
    std::string replacements_;         // each ends with a zero
};

}  // namespace vitrine
