#include "core/training/picture_stream.h"

#include <bit>
#include <utility>

#include "core/base/random.h"

namespace vitrine {

namespace {

/// A permutation of 0 … n − 1, applied to x without a table: a Feistel network over an even number of bits (Luby &
/// Rackoff 1988), repeated until the result is below n (Black & Rogaway 2002).
std::uint64_t shuffled(std::uint64_t x, std::uint64_t n, std::uint64_t key) {
    constexpr int rounds = 6;
    const int half = (std::bit_width(n - 1) + 1) / 2;
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    do {
        std::uint64_t left = x >> half, right = x & mask;
        for (int round = 0; round < rounds; ++round) {
            const std::uint64_t mixed = Random(key ^ (right * rounds + static_cast<std::uint64_t>(round))).next();
            left ^= mixed & mask;
            std::swap(left, right);
        }
        x = left << half | right;
    } while (x >= n);
    return x;
}

}  // namespace

std::uint64_t PictureStream::picture(std::uint64_t place) const {
    if (distinct == 0) return place;
    if (distinct == 1) return 0;
    const std::uint64_t epoch = place / distinct;
    return shuffled(place % distinct, distinct, Random(set.seed ^ (epoch * 0x9E3779B97F4A7C15ULL)).next());
}

PictureSet fresh_pictures(PictureSet set, std::uint64_t seed) {
    set.mixed = false;  // they are measured at one difficulty
    set.seed = Random(set.seed ^ 0x66726573685F7069ULL ^ (seed * 0x9E3779B97F4A7C15ULL)).next();
    return set;
}

}  // namespace vitrine
