#include "core/text/decoded_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/text/vocabulary.h"

namespace vitrine {

namespace {

bool can_be_said(int word) { return word != pad_id && word != bos_id && word != unknown_id && word != cls_id; }

}  // namespace

std::vector<WordCandidate> all_candidates(const Tensor2& logits, double temperature) {
    return word_candidates({logits.data(), logits.size()}, temperature, static_cast<int>(logits.size()));
}

WordCandidate candidate_of(const Tensor2& logits, double temperature, int word) {
    const auto of_word = static_cast<std::size_t>(word);
    assert(of_word < logits.size());
    const double best = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    double sum = 0;
    for (const float z : logits) sum += std::exp((static_cast<double>(z) - best) / temperature);
    return {word, std::exp((static_cast<double>(logits.data()[of_word]) - best) / temperature) / sum};
}

std::vector<WordCandidate> first_of(std::vector<WordCandidate> candidates, int count) {
    candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(std::max(count, 0))));
    return candidates;
}

std::vector<WordCandidate> word_candidates(std::span<const float> logits, double temperature, int count) {
    const double best = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    std::vector<WordCandidate> all;
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const double weight = std::exp((static_cast<double>(logits[i]) - best) / temperature);
        sum += weight;
        if (can_be_said(static_cast<int>(i))) all.push_back({static_cast<int>(i), weight});
    }
    for (WordCandidate& c : all) c.probability /= sum;
    std::stable_sort(all.begin(), all.end(), [&](const WordCandidate& a, const WordCandidate& b) {
        return logits[static_cast<std::size_t>(a.word)] > logits[static_cast<std::size_t>(b.word)];
    });
    return first_of(std::move(all), count);
}

std::vector<WordCandidate> drawn_from(std::vector<WordCandidate> candidates, const Decoding& how) {
    if (how.top_k > 0) candidates = first_of(std::move(candidates), how.top_k);
    double mass = 0, share = 0;
    for (const WordCandidate& c : candidates) mass += c.probability;
    std::size_t count = 0;
    while (count < candidates.size() && (count == 0 || share < how.top_p * mass))
        share += candidates[count++].probability;
    candidates.resize(count);
    return candidates;
}

}  // namespace vitrine
