#pragma once

#include <cstdint>

namespace vitrine {

/// A baseline without word order: logistic regression on the counts of words. The reviews it gets wrong are those that
/// need attention.
///
///   trained on `learning` reviews of the seed, tested on `tried` held-out ones  ->  accuracy, 0 … 1
struct BagOfWords {
    int learning = 6000, tried = 1000;
    std::uint64_t seed = 1;
};
double bag_of_words_accuracy(const BagOfWords& plan);

}  // namespace vitrine
