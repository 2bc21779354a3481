#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/text/text_kinds.h"

namespace vitrine {

/// How a text compares with sentences drawn as in training: the parts that the model has never seen.
struct Familiarity {
    int drawn = 0;                     // sentences compared with
    int longest = 0;                   // words in the longest of them
    int words = 0;                     // in the text
    std::vector<std::string> unknown;  // words that occur in none of them, once each
    /// Pairs of known words that are neighbours in the text but in none of them, once each; "" stands for an end.
    std::vector<std::pair<std::string, std::string>> apart;

    bool longer() const { return words > longest; }
    /// True if nothing in the text is new: neither a word, nor a pair of neighbours, nor the length.
    bool usual() const { return unknown.empty() && apart.empty() && !longer(); }
};

/// Compares an input, without special words, with the first `familiar_examples` of the stream that runs learn from
/// (`TextStream::learning`); they are drawn once for each task.
inline constexpr int familiar_examples = 20'000;
Familiarity familiarity_of(std::span<const std::string> words, TextTask task, TextLanguage to);

}  // namespace vitrine
