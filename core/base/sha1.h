#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace vitrine {

/// SHA-1 (FIPS 180-4), with which git names what it stores; it proves no origin.
class Sha1 {
public:
    void add(std::span<const std::uint8_t> bytes);
    /// The hash of all bytes added, as 40 hexadecimal digits. Add nothing afterwards.
    std::string digits();

private:
    void compress(const std::uint8_t* block);

    std::array<std::uint32_t, 5> state_ = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    std::array<std::uint8_t, 64> waiting_ = {};
    std::uint64_t count_ = 0;  // bytes so far
};

/// The name that git gives to a file's content. Throws Error if the file cannot be read.
std::string git_blob_of_file(const std::filesystem::path& file);

}  // namespace vitrine
