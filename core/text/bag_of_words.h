#pragma once

#include <cstdint>

namespace vitrine {

/// The share of held-out reviews that are told right by which words they have, in whatever order: logistic regression
/// on the counts of words. What it lacks is what attention is needed for.
///
///   learns from `learning` reviews of the seed, is tried on `tried` held-out ones  ->  0 … 1
struct BagOfWords {
    int learning = 6000, tried = 1000;
    std::uint64_t seed = 1;
};
double bag_of_words_accuracy(const BagOfWords& plan);

}  // namespace vitrine
