#pragma once

#include <vector>

#include "core/text/decoded_text.h"

namespace vitrine {

/// A decoding task: the prompt and the largest number of steps.
struct WritingTask {
    const Decoding& how;
    const std::vector<int>& prompt;
    int steps = 0;
};

/// Extends the `width` most probable hypotheses word by word, until none is more probable than the best finished one.
DecodedText search_beam(const TextWriter& writer, const WritingTask& task);

}  // namespace vitrine
