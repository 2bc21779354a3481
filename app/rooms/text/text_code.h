#pragma once

#include <string>
#include <vector>

#include "app/workspace/text_look.h"
#include "core/text/decoding.h"

namespace vitrine {

/// Replaces {D}, {h}, {longest} … by a model's numbers.
std::string with_text_numbers(std::string listing, const TextConfig& config);

/// The PyTorch code of a chapter, with this model's numbers.
std::string text_listing(TextChapter chapter, const TextConfig& config);

/// All words by cosine similarity of their vectors to a word's, most similar first; `probability` is the cosine.
std::vector<WordCandidate> nearest_words(const Parameter& embedding, int width, int word);

}  // namespace vitrine
