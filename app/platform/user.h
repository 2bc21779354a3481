#pragma once

#include <filesystem>
#include <string>

namespace vitrine {

/// The user's home folder, or the working folder if the environment names none.
std::filesystem::path home_folder();

/// A path in which "~" is the home folder.
std::filesystem::path path_with_home(const std::string& words);

/// A typed or pasted path: "~" is home; surrounding quotation marks and "file://" are removed.
std::filesystem::path typed_path(std::string words);

/// The folder that holds one folder of settings per program: XDG_CONFIG_HOME, else ~/.config.
std::filesystem::path config_folder();

/// The user's language and country as a locale name, such as "ja_JP.UTF-8"; empty if the environment names none.
std::string user_locale();

/// A variable of the environment that other programs share with Vitrine, such as HF_HOME; empty if it is not set.
std::string environment_variable(const char* name);

}  // namespace vitrine
