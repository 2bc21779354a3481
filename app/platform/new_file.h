#pragma once

#include <filesystem>

namespace vitrine {

/// The path itself if nothing exists there, otherwise with "-2", "-3" … before the ending: nothing is overwritten.
std::filesystem::path unused(const std::filesystem::path& wanted);

}  // namespace vitrine
