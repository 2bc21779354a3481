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
    std::vector<int> numbers;         // S tokens, those of beginning, end and padding included
    std::vector<std::string> pieces;  // the same as the vocabulary spells them
    int read = 0;                     // the token whose row becomes the text's features
    bool cut = false;                 // whether the text was longer than the model reads
};

/// Turns texts into the tokens of a text tower, by the files beside its checkpoint. CLIP's begin and end with a
/// special token and need no padding, since no token sees a later one; SigLIP's are padded with the end token, SigLIP
/// 2's with a padding token, and the last token is read.
class Tokeniser {
public:
    explicit Tokeniser(BytePairs pairs) : kind_(std::move(pairs)) {}
    explicit Tokeniser(SentencePieces pieces) : kind_(std::move(pieces)) {}
    explicit Tokeniser(PiecePairs pairs) : kind_(std::move(pairs)) {}

    /// By the files in a folder; `causal`: of a tower in which no token sees a later one. Throws Error.
    static Tokeniser of_folder(const std::filesystem::path& folder, bool causal);

    /// At most `context` ≥ 2 tokens; a longer text is cut. Throws Error for a text of more than 16 KiB.
    TowerTokens operator()(std::string_view text, int context) const;
    int size() const;  // V

private:
    std::variant<BytePairs, SentencePieces, PiecePairs> kind_;
};

}  // namespace vitrine
