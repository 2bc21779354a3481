#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace vitrine {

/// Address, credentials and time limits for requests to the hub, and the folder of its cache.
struct HubSettings {
    std::string endpoint = "https://huggingface.co";  // without a slash at its end, and without a login
    std::string login;            // "user:password" of HF_ENDPOINT, sent to its host alone, never shown; empty: none
    std::string token;            // sent to the endpoint's own host alone; empty: none
    std::filesystem::path cache;  // shared with other programs
    bool offline = false;         // the user allows no requests

    std::chrono::milliseconds pause{1000};   // before the second try; doubled before each further one
    int tries = 5;                           // consecutive tries without any bytes
    int slowest = 256;                       // least acceptable bytes a second
    int slow_for = 30;                       // seconds below `slowest` after which a transfer is a failed try
    std::chrono::seconds longest_wait{600};  // that a busy hub may ask for
};

/// The settings in the environment, read as by the hub's own tools: HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME,
/// XDG_CACHE_HOME, HF_ENDPOINT, HF_TOKEN, HUGGING_FACE_HUB_TOKEN, HF_TOKEN_PATH, HF_HUB_OFFLINE and
/// TRANSFORMERS_OFFLINE (huggingface_hub, "Environment variables").
HubSettings hub_settings();
/// The cache's folder alone; reads no file.
std::filesystem::path hub_cache_folder();

/// Throws Error if `settings.offline`.
void refuse_offline(const HubSettings& settings);

}  // namespace vitrine
