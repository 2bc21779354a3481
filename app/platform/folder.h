#pragma once

#include <filesystem>
#include <vector>

namespace vitrine {

/// The entries of a folder, unsorted; empty if it cannot be read.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

}  // namespace vitrine
