#pragma once

#include <filesystem>
#include <string>

namespace vitrine {

/// The user's home folder, or the working one where the environment names none.
std::filesystem::path home_folder();

/// Where programs keep their settings, a folder each.
std::filesystem::path config_folder();

/// The user's language and country as a locale's name, such as "ja_JP.UTF-8"; empty where the environment says nothing.
std::string user_locale();

}  // namespace vitrine
