#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine {

/// The sorted names of a folder's entries; none if the folder does not exist. If reading it fails midway, the names
/// found until then.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace vitrine
