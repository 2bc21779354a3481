#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/hub/hub_name.h"
#include "app/hub/hub_progress.h"
#include "app/hub/hub_settings.h"

namespace vitrine {

/// A file of a model on the hub.
struct HubFile {
    std::string name;
    std::uint64_t bytes = 0;
    std::string etag;  // SHA-256 of its content, or for small files git's blob hash

    bool operator==(const HubFile&) const = default;
};

/// The files that Vitrine needs of a model: weights (safetensors before .bin), configuration, preprocessor, tokeniser.
struct HubListing {
    HubName name;
    std::string commit;
    std::vector<HubFile> files;
    std::uint64_t bytes = 0, missing = 0;  // of all files; of these, bytes that the cache lacks

    bool operator==(const HubListing&) const = default;
};

/// The hub's answer about a model: its commit, and its files outside subfolders; a file without a checksum has an empty
/// `etag`. Throws Error, which begins with `address`, for any other text.
struct HubAnswer {
    std::string commit;
    std::vector<HubFile> files;
};
HubAnswer read_hub_answer(const std::string& words, const std::string& address);

/// The files that Vitrine needs among these names on the hub, weights last. Throws Error if there are no weights that
/// Vitrine can read.
std::vector<std::string> needed_files(const std::string& model, const std::vector<std::string>& names);

/// The page of the hub that lists a model's files, for a browser.
std::string page_of_files(const HubName& name, const HubSettings& settings);

/// Asks the hub for the files of a model and their sizes. Throws Error, and whatever `progress` throws.
HubListing ask_hub(const HubName& name, const HubSettings& settings, const HubProgress& progress = {});

/// Fetches the missing files into the cache and returns the snapshot's folder. After an interruption, bytes already
/// fetched are kept in blobs/ETAG.incomplete, and the next fetch continues there; a file gets its final name once its
/// checksum is confirmed, and refs/ are written last. Throws Error, and whatever `progress` throws.
std::filesystem::path fetch_from_hub(const HubListing& listing, const HubSettings& settings,
                                     const HubProgress& progress = {});

/// The same with the user's settings.
HubListing ask_hub(const HubName& name, const HubProgress& progress);
std::filesystem::path fetch_from_hub(const HubListing& listing, const HubProgress& progress);

}  // namespace vitrine
