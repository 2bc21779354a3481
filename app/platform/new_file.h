#pragma once

#include <filesystem>

namespace vitrine {

/// The path itself where nothing is there, else with "-2", "-3" … before its ending: nothing is written over.
std::filesystem::path unused(const std::filesystem::path& wanted);

}  // namespace vitrine
