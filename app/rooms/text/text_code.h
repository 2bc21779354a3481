#pragma once

#include <string>
#include <vector>

#include "app/workspace/text_look.h"
#include "core/text/decoding.h"

namespace vitrine {

/// The PyTorch lines of a chapter, with this model's numbers in the place of {D}, {h} …
std::string text_listing(TextChapter chapter, const TextConfig& config);

/// All words by how alike their vectors are to a word's, the most alike first; `probability` is the cosine.
std::vector<WordCandidate> nearest_words(const Parameter& embedding, int width, int word);

}  // namespace vitrine
