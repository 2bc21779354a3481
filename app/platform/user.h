#pragma once

#include <filesystem>
#include <string>

namespace vitrine {

/// The user's home folder, or the working folder if the environment names none.
std::filesystem::path home_folder();

/// The folder of settings, with one folder per program.
std::filesystem::path config_folder();

/// The user's language and country as a locale name, such as "ja_JP.UTF-8"; empty if the environment names none.
std::string user_locale();

/// A variable of the environment that other programs share with Vitrine, such as HF_HOME; empty if it is not set.
std::string environment_variable(const char* name);

}  // namespace vitrine
