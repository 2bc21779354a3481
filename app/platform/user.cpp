#include "app/platform/user.h"

#include <cstdlib>

namespace vitrine {

namespace {

/// An environment variable; empty if it is not set.
std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace

std::filesystem::path home_folder() {
    const std::string home = variable("HOME");
    std::error_code gone;
    return home.empty() ? std::filesystem::current_path(gone) : std::filesystem::path(home);
}

std::filesystem::path config_folder() {
    const std::filesystem::path config = variable("XDG_CONFIG_HOME");
    return config.is_absolute() ? config : home_folder() / ".config";  // as XDG requires
}

std::string user_locale() {
    for (const char* const name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const std::string value = variable(name); !value.empty()) return value;
    return "";
}

}  // namespace vitrine
