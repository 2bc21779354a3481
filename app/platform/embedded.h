#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vitrine {

/// A file that is part of the program (cmake/embed_files.cmake).
struct Embedded {
    std::string_view name;  // "text/en.json"
    std::span<const std::uint8_t> bytes;

    std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

/// The file with a name, which must be part of the program (asserted).
const Embedded& embedded(std::span<const Embedded> files, std::string_view name);

}  // namespace vitrine
