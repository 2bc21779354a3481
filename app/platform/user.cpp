#include "app/platform/user.h"

#include <cstdlib>

namespace vitrine {

std::string environment_variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::filesystem::path home_folder() {
    const std::string home = environment_variable("HOME");
    std::error_code gone;
    return home.empty() ? std::filesystem::current_path(gone) : std::filesystem::path(home);
}

std::filesystem::path path_with_home(const std::string& words) {
    if (words == "~") return home_folder();
    return words.starts_with("~/") ? home_folder() / words.substr(2) : std::filesystem::path(words);
}

std::filesystem::path typed_path(std::string words) {
    const auto ends = [](char c) { return c == ' ' || c == '"' || c == '\''; };
    while (!words.empty() && ends(words.back())) words.pop_back();
    while (!words.empty() && ends(words.front())) words.erase(0, 1);
    if (words.starts_with("file://")) words.erase(0, 7);
    return path_with_home(words);
}

std::filesystem::path config_folder() {
    const std::filesystem::path config = environment_variable("XDG_CONFIG_HOME");
    return config.is_absolute() ? config : home_folder() / ".config";  // as XDG requires
}

std::string user_locale() {
    for (const char* const name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const std::string value = environment_variable(name); !value.empty()) return value;
    return "";
}

}  // namespace vitrine
