#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace vitrine {

/// A file's bytes; none if it does not exist.
inline std::string read(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const std::filesystem::path& file, const std::string& words) {
    std::ofstream(file, std::ios::binary) << words;
}

}  // namespace vitrine
