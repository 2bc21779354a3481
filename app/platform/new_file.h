#pragma once

#include <filesystem>

namespace vitrine {

/// The user's home folder, or the working one where the environment names none.
std::filesystem::path home_folder();

/// The path itself where nothing is there, else with "-2", "-3" … before its ending: nothing is written over.
std::filesystem::path unused(const std::filesystem::path& wanted);

}  // namespace vitrine
