#include "app/hub/hub_settings.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "app/platform/user.h"
#include "core/base/error.h"
#include "core/base/input_file.h"

namespace vitrine {

namespace {

/// The first of these variables that is set and not empty.
std::string first_variable(std::initializer_list<const char*> names) {
    for (const char* const name : names)
        if (std::string value = environment_variable(name); !value.empty()) return value;
    return "";
}

bool is_true(std::string word) {
    for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return word == "1" || word == "ON" || word == "YES" || word == "TRUE";
}

/// Removes "user:password@" from an address and returns it without the "@", so that no message shows it. The login
/// extends to the last "@", since users may forget to escape that character in a password.
std::string take_login(std::string& address) {
    const std::size_t scheme = address.find("://"), begin = scheme == std::string::npos ? 0 : scheme + 3,
                      at = address.rfind('@');
    if (at == std::string::npos || at < begin) return "";
    std::string login = address.substr(begin, at - begin);
    address.erase(begin, at + 1 - begin);
    return login;
}

/// The content of a token's file, without white space; empty if there is no such file.
std::string token_in(const std::filesystem::path& file) {
    std::error_code unreachable;
    if (!std::filesystem::is_regular_file(file, unreachable)) return "";
    try {
        std::string words = words_of_file(file, 4096);
        std::erase_if(words, [](unsigned char c) { return c <= ' '; });
        return words;
    } catch (const Error&) {
        return "";  // an unreadable file is ignored, as the hub's own tools do
    }
}

/// The folder that the hub's own tools share, for the cache and the token.
std::filesystem::path home_of_hub() {
    if (const std::string home = first_variable({"HF_HOME"}); !home.empty()) return path_with_home(home);
    const std::string cache = first_variable({"XDG_CACHE_HOME"});
    return (cache.empty() ? home_folder() / ".cache" : path_with_home(cache)) / "huggingface";
}

}  // namespace

std::filesystem::path hub_cache_folder() {
    const std::string cache = first_variable({"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"});
    return cache.empty() ? home_of_hub() / "hub" : path_with_home(cache);
}

HubSettings hub_settings() {
    HubSettings settings;
    settings.cache = hub_cache_folder();
    if (std::string endpoint = first_variable({"HF_ENDPOINT"}); !endpoint.empty()) {
        while (endpoint.ends_with('/')) endpoint.pop_back();
        settings.login = take_login(endpoint);
        settings.endpoint = endpoint;
    }
    settings.token = first_variable({"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"});
    if (settings.token.empty() && !is_true(first_variable({"HF_HUB_DISABLE_IMPLICIT_TOKEN"}))) {
        const std::string file = first_variable({"HF_TOKEN_PATH"});
        settings.token = token_in(file.empty() ? home_of_hub() / "token" : path_with_home(file));
    }
    // A line break in a token would begin another line of the request.
    if (std::ranges::any_of(settings.token, [](unsigned char c) { return c <= ' ' || c >= 0x7F; }))
        settings.token.clear();
    settings.offline = is_true(first_variable({"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"}));
    return settings;
}

void refuse_offline(const HubSettings& settings) {
    if (settings.offline)
        throw Error("HF_HUB_OFFLINE is set, so nothing is asked of the hub; unset it, or copy the model's files into " +
                    settings.cache.string());
}

}  // namespace vitrine
