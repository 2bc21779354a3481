#include "core/training/head_tally.h"

#include <algorithm>

#include "core/transformer/block_trace.h"

namespace vitrine {

HeadTally::Count& HeadTally::at(int block, int head) {
    const auto b = static_cast<std::size_t>(block), h = static_cast<std::size_t>(head) + 1;
    if (counts_.size() < b) counts_.resize(b);
    std::vector<Count>& heads = counts_[b - 1];
    if (heads.size() < h) heads.resize(h);
    return heads[h - 1];
}

void HeadTally::add(int block, const Tensor3& attention, int heads, const Row& row) {
    for (int head = 0; head < heads; ++head) {
        const std::size_t at_head = row.sentence * static_cast<std::size_t>(heads) + static_cast<std::size_t>(head);
        const std::span<const float> weights = attention_row(attention, at_head, row.query);
        Count& count = at(block, head);
        ++count.rows;
        count.hits += points_at(weights, row.keys) ? 1 : 0;
        count.mass += mass_on(weights, row.keys);
    }
}

HeadTally& HeadTally::operator+=(const HeadTally& other) {
    for (std::size_t b = 0; b < other.counts_.size(); ++b)
        for (std::size_t h = 0; h < other.counts_[b].size(); ++h) {
            Count& own = at(static_cast<int>(b) + 1, static_cast<int>(h));
            own.rows += other.counts_[b][h].rows;
            own.hits += other.counts_[b][h].hits;
            own.mass += other.counts_[b][h].mass;
        }
    return *this;
}

TalliedHead HeadTally::best() const {
    TalliedHead found;
    for (std::size_t b = 0; b < counts_.size(); ++b)
        for (std::size_t h = 0; h < counts_[b].size(); ++h) {
            const Count& c = counts_[b][h];
            const double share = c.rows > 0 ? static_cast<double>(c.hits) / c.rows : 0;
            if (found.count > 0 && share <= found.share) continue;
            found = {static_cast<int>(b) + 1, static_cast<int>(h), share, c.mass / std::max(1, c.rows), c.rows};
        }
    return found;
}

double HeadTally::mass(int block, int head) const {
    const auto b = static_cast<std::size_t>(block) - 1, h = static_cast<std::size_t>(head);
    if (b >= counts_.size() || h >= counts_[b].size()) return 0;
    return counts_[b][h].mass / std::max(1, counts_[b][h].rows);
}

std::vector<float> mean_of_heads(const Tensor3& attention, int heads, std::size_t sentence, std::size_t query) {
    const auto h = static_cast<std::size_t>(heads);
    std::vector<float> mean(attention.shape()[2], 0);
    for (std::size_t head = sentence * h; head < (sentence + 1) * h; ++head) {
        const std::span<const float> row = attention_row(attention, head, query);
        for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += row[k] / static_cast<float>(heads);
    }
    return mean;
}

bool points_at(std::span<const float> row, std::span<const int> keys) {
    const auto largest = std::max_element(row.begin(), row.end()) - row.begin();
    return std::ranges::find(keys, static_cast<int>(largest)) != keys.end();
}

double mass_on(std::span<const float> row, std::span<const int> keys) {
    double sum = 0;
    for (const int key : keys) sum += static_cast<double>(row[static_cast<std::size_t>(key)]);
    return sum;
}

}  // namespace vitrine
