#pragma once

#include <span>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/training/tally.h"

namespace vitrine {

/// Finds the head that attends most to given keys by counting hits: rows whose largest weight is on one of the keys.
class HeadTally {
public:
    /// A query's row in one sentence of a pass, and the keys that it should attend to.
    struct Row {
        std::size_t sentence = 0, query = 0;
        std::span<const int> keys;
    };
    /// Counts a row in every head of a block.      attention (B·h, N, N_k)
    void add(int block, const Tensor3& attention, int heads, const Row& row);
    /// Adds the counts of another tally; sums depend on the order of these calls.
    HeadTally& operator+=(const HeadTally& other);

    /// The head with the largest share of hits; all zero if no row was added.
    TalliedHead best() const;
    /// Mean weight of a head's rows on their keys.
    double mass(int block, int head) const;

private:
    struct Count {
        int rows = 0, hits = 0;
        double mass = 0;
    };
    Count& at(int block, int head);

    std::vector<std::vector<Count>> counts_;  // [block − 1][head]
};

/// The attention of a sentence's heads at one query, averaged.      -> (N_k)
std::vector<float> mean_of_heads(const Tensor3& attention, int heads, std::size_t sentence, std::size_t query);

/// True if a row's largest weight is on one of these keys.
bool points_at(std::span<const float> row, std::span<const int> keys);

/// The sum of a row's weights on these keys.
double mass_on(std::span<const float> row, std::span<const int> keys);

}  // namespace vitrine
