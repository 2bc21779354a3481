#pragma once

#include <span>
#include <vector>

#include "core/tensor/tensor.h"

namespace vitrine {

/// A head that was found by what it does: no list says which one it is.
struct TalliedHead {
    int block = 1, head = 0;
    double share = 0;  // how often its largest weight lies where it should
    double mass = 0;   // mean weight there
    int count = 0;     // rows it was asked about
};

/// Which head looks at something: counted over many rows, the best one is found.
class HeadTally {
public:
    /// A query's row of one sentence of a pass, and the keys that it should look at.
    struct Row {
        std::size_t sentence = 0, query = 0;
        std::span<const int> keys;
    };
    /// Counts a row in every head of a block.      attention (B·h, N, N_k)
    void add(int block, const Tensor3& attention, int heads, const Row& row);
    /// That another tally found; sums are made in the order of these calls.
    HeadTally& operator+=(const HeadTally& other);

    /// The head with the most hits; all zero where no row was added.
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

/// The mean of a sentence's heads at one query.      -> (N_k)
std::vector<float> mean_of_heads(const Tensor3& attention, int heads, std::size_t sentence, std::size_t query);

/// Whether a row's largest weight lies on one of these keys.
bool points_at(std::span<const float> row, std::span<const int> keys);

/// The weight of a row on these keys together.
double mass_on(std::span<const float> row, std::span<const int> keys);

}  // namespace vitrine
