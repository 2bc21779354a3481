#pragma once

#include <vector>

#include "app/rooms/exercise/effect.h"
#include "app/rooms/text/text_scene.h"
#include "app/workspace/text_result.h"

// Numbers that show the effect of a mistake on a text Transformer.

namespace vitrine {

/// Runs of an exercise about texts. In `now`, `run` is the output of the mistaken code, `plain` that of the repaired
/// code, and `taught` the mistaken code's pass over the words of `plain`.
struct TextRuns {
    const TextMistake& row;
    const TextResult& now;
    const Focus& focus;

    int block() const;  // counts from 1; clamped to the stack's blocks
    int head() const;
    int token() const;  // a row of the encoder
    /// The run of the mistaken or of the repaired code; both read the repaired code's output (teacher forcing).
    TextRun reading(bool mistaken) const;
    /// The attention in the figure.
    AttentionMap attention(const TextRun& run) const;
};

/// The numbers of an exercise of text.
std::vector<Compared> compared_numbers(Exercise exercise, const TextRuns& runs);

/// The chosen word's features after the first layer norm of the chosen encoder block, before γ and β.
std::vector<float> normalised_word(const TextRuns& runs, bool mistaken);
/// Input of that layer norm.      (S, D)
Tensor2 into_norm(const TextConfig& config, const TextTrace& trace, int block);

/// Python's output for the product of attention weights and values; the source has `source` words.
Printed printed_weights(const TextConfig& config, int source, bool mistaken);

/// A word of an output, [EOS] included, with its probability.
struct WrittenWord {
    std::string word;
    double probability = 0;
};
std::vector<WrittenWord> written_words(const TextModel& model, const TextRun& run);

}  // namespace vitrine
