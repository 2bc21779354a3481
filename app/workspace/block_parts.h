#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

struct TransformerConfig;

/// A part that only some models' blocks have, with its words, equations and code.
struct BlockPart {
    /// What the part adds to a chapter. Empty strings: nothing of that kind.
    struct InChapter {
        const char* step;              // the chapter
        const char* words = "";        // its text is "step.<step>.<words>"
        const char* equation = "";     // ending of the equation's name
        const char* line = "";         // piece of the PyTorch lines,
        const char* replacement = "";  // and its replacement
    };

    bool (*is_in)(const TransformerConfig& config);
    const char* name;                  // for `vitrine info`
    std::vector<const char*> tensors;  // names in a dump; ".q.turned" is below each block
    std::vector<InChapter> chapters;
};

/// All parts, in the order of the forward pass.
const std::vector<BlockPart>& block_parts();

/// The names of a model's parts.
std::vector<std::string> names_of_block_parts(const TransformerConfig& config);
/// The tensors of a run that a model's parts add, those of blocks for block ℓ.
std::vector<std::string> tensors_of_block_parts(const TransformerConfig& config, int block);
/// The texts of a chapter about a model's parts: keys after "step.<step>.".
std::vector<std::string> words_of_block_parts(std::string_view step, const TransformerConfig& config);
/// The ending that a chapter's equation has in a model with its parts: "_normed_turned".
std::string equation_of_block_parts(std::string_view step, const TransformerConfig& config);
/// A chapter's PyTorch lines, extended by a model's parts.
std::string with_block_parts(std::string_view step, const TransformerConfig& config, std::string listing);

}  // namespace vitrine
