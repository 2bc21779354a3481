#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/block_hash.h"

namespace vitrine {

/// SHA-1 (FIPS 180-4), by which git names its objects; no protection against forgery.
class Sha1 : public BlockHash<Sha1, 5> {
public:
    Sha1() : BlockHash({0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}) {}

private:
    friend class BlockHash<Sha1, 5>;
    void compress(const std::uint8_t* block);
};

/// The object name (40 hexadecimal digits) that git gives a file's content. Throws Error if the file cannot be read.
std::string git_blob_of_file(const std::filesystem::path& file);

}  // namespace vitrine
