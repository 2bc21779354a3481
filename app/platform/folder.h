#pragma once

#include <filesystem>
#include <vector>

namespace vitrine {

/// What lies in a folder, in no order; nothing where it cannot be read.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

}  // namespace vitrine
