#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/hub/hub_name.h"

namespace vitrine {

// The hub's cache as its own tools lay it out ("Hub local cache", huggingface.co/docs/hub/local-cache): a folder for
// each model with blobs/, snapshots/COMMIT/ of links to them, and refs/REVISION with the commit's name. Nothing here
// makes a request.

/// A snapshot of a model in the cache.
struct CachedModel {
    std::string model, commit;
    std::vector<std::string> revisions;  // that name this commit, sorted; none: the commit alone does
    std::filesystem::path folder;        // of the snapshot
    int files = 0;
    std::uint64_t bytes = 0;

    /// As --model takes it: with the revision unless that is main.
    std::string words() const;
};

/// All snapshots that hold weights, by their models' names. A cache that is not there has none.
std::vector<CachedModel> cached_models(const std::filesystem::path& cache);

/// The folder of a snapshot with weights; none if it is not in the cache.
std::optional<std::filesystem::path> cached_snapshot(const HubName& name, const std::filesystem::path& cache);

/// Both in the user's cache.
std::vector<CachedModel> cached_models();
std::optional<std::filesystem::path> cached_snapshot(const HubName& name);

}  // namespace vitrine
