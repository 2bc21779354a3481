#pragma once

#include <vector>

#include "app/rooms/exercise/effect.h"
#include "app/rooms/text/text_scene.h"
#include "app/workspace/text_result.h"

// What a mistake changes in a text Transformer, in numbers of what it reads and writes.

namespace vitrine {

/// What an exercise of text shows: `run` is what the code as it stands writes, `plain` what the repaired code writes,
/// `taught` the one code reading the other's words.
struct TextRuns {
    const TextMistake& row;
    const TextResult& now;
    const Focus& focus;

    int block() const;  // as far as the stack has it
    int head() const;
    int token() const;  // a row of the encoder
    /// Both codes with the words that the repaired one writes.
    TextRun reading(bool mistaken) const;
    /// The weights that are drawn.
    AttentionMap attention(const TextRun& run) const;
};

/// Those of an exercise of text.
std::vector<Compared> compared_numbers(Exercise exercise, const TextRuns& runs);

/// The chosen word's features as the first layer norm of the chosen encoder block leaves them before γ and β.
std::vector<float> normalised_word(const TextRuns& runs, bool mistaken);
/// What that layer norm reads.      (S, D)
Tensor2 into_norm(const TextConfig& config, const TextTrace& trace, int block);

/// What Python says of weights that are multiplied with values, `source` words long.
Printed printed_weights(const TextConfig& config, int source, bool mistaken);

/// The words that a code writes, [EOS] among them, each with its probability.
struct WrittenWord {
    std::string word;
    double probability = 0;
};
std::vector<WrittenWord> written_words(const TextModel& model, const TextRun& run);

}  // namespace vitrine
