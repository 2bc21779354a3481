#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/block_hash.h"

namespace vitrine {

/// SHA-256 (FIPS 180-4) as 64 hexadecimal digits, as `sha256sum` and the Hugging Face hub write it: identifies a file
/// by its content.
class Sha256 : public BlockHash<Sha256, 8> {
public:
    Sha256()
        : BlockHash({0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}) {}

private:
    friend class BlockHash<Sha256, 8>;
    void compress(const std::uint8_t* block);
};

std::string sha256(std::span<const std::uint8_t> bytes);
std::string sha256(const std::string& words);

/// Hashes a file piece by piece. Throws Error if it cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace vitrine
