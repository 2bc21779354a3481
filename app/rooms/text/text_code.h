#pragma once

#include <string>
#include <vector>

#include "app/workspace/text_look.h"
#include "core/text/decoding.h"

namespace vitrine {

/// A listing with a model's numbers in the place of {D}, {h}, {longest} …
std::string with_text_numbers(std::string listing, const TextConfig& config);

/// The PyTorch lines of a chapter, with this model's numbers.
std::string text_listing(TextChapter chapter, const TextConfig& config);

/// All words by how alike their vectors are to a word's, the most alike first; `probability` is the cosine.
std::vector<WordCandidate> nearest_words(const Parameter& embedding, int width, int word);

}  // namespace vitrine
