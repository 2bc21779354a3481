#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine {

/// Names of the entries of a folder, sorted; of one that cannot be read, those that were found; none if it is not
/// there.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace vitrine
