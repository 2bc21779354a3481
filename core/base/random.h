#pragma once

#include <cstdint>

namespace vitrine {

/// splitmix64 (Steele et al. 2014): small, fast, and the same on every platform, unlike the distributions of <random>.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    /// Uniform in [0, 1), a multiple of 2⁻⁵³.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    /// Uniform in 0 … count − 1.
    int below(int count) { return static_cast<int>(uniform() * count); }

    /// Approximately standard normal, close enough for tests of shape and speed: a scaled sum of four uniform numbers,
    /// each of variance 1/12, so that the variance of the sum is 1/3.
    float normal() {
        const std::uint64_t bits = next();
        const auto part = [&](int i) { return static_cast<float>((bits >> (16 * i)) & 0xFFFF) / 65535.0F; };
        return (part(0) + part(1) + part(2) + part(3) - 2.0F) * 1.7320508F;
    }

private:
    std::uint64_t state_;
};

}  // namespace vitrine
