#include "core/base/sha1.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "core/base/input_file.h"

namespace vitrine {

void Sha1::compress(const std::uint8_t* block) {
    std::array<std::uint32_t, 80> w = words_of<80>(block);
    for (std::size_t i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = state_;
    for (std::size_t i = 0; i < 80; ++i) {
        const std::uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                                : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                                : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                         : (b ^ c ^ d) + 0xca62c1d6;
        const std::uint32_t next = std::rotl(a, 5) + f + e + w[i];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }
    mix({a, b, c, d, e});
}

std::string git_blob_of_file(const std::filesystem::path& file) {
    const InputFile in(file);
    const std::string kind = "blob " + std::to_string(in.size());
    Sha1 hash;
    hash.add({reinterpret_cast<const std::uint8_t*>(kind.c_str()), kind.size() + 1});  // with its NUL
    std::vector<std::uint8_t> piece(1 << 16);
    for (std::size_t at = 0; at < in.size();) {
        const auto bytes = std::span(piece).first(std::min(piece.size(), in.size() - at));
        in.read(at, bytes);
        hash.add(bytes);
        at += bytes.size();
    }
    return hash.digits();
}

}  // namespace vitrine
