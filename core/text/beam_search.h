#pragma once

#include <vector>

#include "core/text/decoded_text.h"

namespace vitrine {

/// What a writer is to do: go on behind the prompt for so many steps at most.
struct WritingTask {
    const Decoding& how;
    const std::vector<int>& prompt;
    int steps = 0;
};

/// Follows the `width` most probable beginnings, word by word, until none that goes on is as probable as the best one
/// that has ended.
DecodedText search_beam(const TextWriter& writer, const WritingTask& task);

}  // namespace vitrine
