#include "core/transformer/block_equations.h"

#include <cmath>
#include <utility>

#include "core/transformer/intervention.h"

namespace vitrine {

double ScoreRule::divisor(int head_dim) const {
    return (divided ? std::sqrt(static_cast<double>(head_dim)) : 1.0) * temperature;
}

std::vector<int> Equations::order(int count) const {
    std::vector<int> order;
    for (const std::uint32_t seed : shuffles) {
        std::vector<int> next = shuffled_order(count, seed);
        if (!order.empty())
            for (int& part : next) part = order[static_cast<std::size_t>(part)];
        order = std::move(next);
    }
    return order;
}

int Equations::position_of(int token) const {
    for (auto swap = swaps.rbegin(); swap != swaps.rend(); ++swap)
        token = token == swap->first ? swap->second : token == swap->second ? swap->first : token;
    return token;
}

}  // namespace vitrine
