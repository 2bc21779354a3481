#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace vitrine::monkey {

/// Random numbers determined by a seed and the number of an action, so that each action's numbers are independent of
/// earlier actions.
class Dice {
public:
    Dice(std::uint64_t seed, std::uint64_t action) : bits_(seed * 0x9E3779B97F4A7C15ULL + action) { bits_.discard(2); }

    /// Uniform in 0 … n − 1.
    int below(int n) { return n <= 1 ? 0 : static_cast<int>(bits_() % static_cast<std::uint64_t>(n)); }
    int between(int low, int high) { return low + below(high - low + 1); }
    bool chance(double p) { return real() < p; }
    /// Uniform in 0 … 1.
    float real() { return static_cast<float>(bits_() >> 40) / static_cast<float>(1 << 24); }

    template <class List>
    const auto& one_of(const List& list) {
        return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
    }

private:
    std::mt19937_64 bits_;
};

}  // namespace vitrine::monkey
