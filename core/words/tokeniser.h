#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/words/byte_pairs.h"
#include "core/words/piece_pairs.h"
#include "core/words/sentence_pieces.h"

namespace vitrine {

/// A text as a text tower reads it.
struct TowerTokens {
    std::vector<int> numbers;         // S tokens, including those of beginning, end and padding
    std::vector<std::string> pieces;  // each token as the vocabulary spells it
    int read = 0;                     // the token whose row becomes the text's features
    bool cut = false;                 // whether the text was too long and its end was cut off
};

/// Turns texts into the tokens of a text tower, with the files beside its checkpoint. CLIP's texts begin and end with a
/// special token and need no padding, since no token sees a later one; SigLIP's are padded with the end token, SigLIP
/// 2's with a padding token. The last token becomes the features.
class Tokeniser {
public:
    explicit Tokeniser(BytePairs pairs) : kind_(std::move(pairs)) {}
    explicit Tokeniser(SentencePieces pieces) : kind_(std::move(pieces)) {}
    explicit Tokeniser(PiecePairs pairs) : kind_(std::move(pairs)) {}

    /// Reads the files in a folder; `causal`: for a tower in which no token sees a later one. Throws Error.
    static Tokeniser of_folder(const std::filesystem::path& folder, bool causal);

    /// A text's tokens, at most `context` ≥ 2; longer texts are cut. Throws Error for a text of more than 16 KiB.
    TowerTokens operator()(std::string_view text, int context) const;
    int size() const;  // V

private:
    std::variant<BytePairs, SentencePieces, PiecePairs> kind_;
};

}  // namespace vitrine
