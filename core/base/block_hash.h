#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vitrine {

/// The common part of SHA-1 and SHA-256 (FIPS 180-4, §§ 5 and 6): blocks of 64 bytes, padding with the number of bits,
/// and the state's digits. `Own::compress` mixes a block into the state, which has `words` words of 32 bits.
template <class Own, std::size_t words>
class BlockHash {
public:
    void add(std::span<const std::uint8_t> bytes) {
        const std::size_t held = count_ % waiting_.size();
        count_ += bytes.size();
        if (held > 0) {
            const std::size_t taken = std::min(waiting_.size() - held, bytes.size());
            std::copy_n(bytes.begin(), taken, waiting_.begin() + static_cast<std::ptrdiff_t>(held));
            bytes = bytes.subspan(taken);
            if (held + taken < waiting_.size()) return;
            own().compress(waiting_.data());
        }
        for (; bytes.size() >= waiting_.size(); bytes = bytes.subspan(waiting_.size())) own().compress(bytes.data());
        std::copy(bytes.begin(), bytes.end(), waiting_.begin());
    }

    /// The hash of all bytes added, as hexadecimal digits, eight for each word. Add nothing afterwards.
    std::string digits() {
        const std::uint64_t bits = count_ * 8;
        std::vector<std::uint8_t> tail = {0x80};
        tail.resize(1 + (119 - count_ % waiting_.size()) % 64, 0);
        for (int shift = 56; shift >= 0; shift -= 8) tail.push_back(static_cast<std::uint8_t>(bits >> shift));
        add(tail);
        std::string all;
        for (const std::uint32_t part : state_)
            for (int shift = 28; shift >= 0; shift -= 4) all += "0123456789abcdef"[part >> shift & 15U];
        return all;
    }

protected:
    using State = std::array<std::uint32_t, words>;
    explicit BlockHash(const State& start) : state_(start) {}

    /// The block's sixteen words (big-endian), and room for the message schedule's words that are computed from them.
    template <std::size_t rounds>
    static std::array<std::uint32_t, rounds> words_of(const std::uint8_t* block) {
        std::array<std::uint32_t, rounds> w;
        for (std::size_t i = 0; i < 16; ++i)
            w[i] = static_cast<std::uint32_t>(block[4 * i]) << 24 | static_cast<std::uint32_t>(block[4 * i + 1]) << 16 |
                   static_cast<std::uint32_t>(block[4 * i + 2]) << 8 | block[4 * i + 3];
        return w;
    }
    void mix(const State& mixed) {
        for (std::size_t i = 0; i < words; ++i) state_[i] += mixed[i];
    }

    State state_;

private:
    Own& own() { return static_cast<Own&>(*this); }

    std::array<std::uint8_t, 64> waiting_ = {};
    std::uint64_t count_ = 0;  // bytes so far
};

}  // namespace vitrine
