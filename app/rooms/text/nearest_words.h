#pragma once

#include <vector>

#include "core/tensor/tensor.h"
#include "core/text/decoding.h"

namespace vitrine {

/// The other words, special ones excluded, by cosine similarity of their vectors to that of `word`, most similar first;
/// `probability` is the cosine. embedding (V, width)
std::vector<WordCandidate> nearest_words(const Parameter& embedding, int width, int word);

}  // namespace vitrine
