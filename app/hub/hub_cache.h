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
    std::vector<std::string> revisions;  // names of this commit, sorted; may be empty
    std::filesystem::path folder;        // of the snapshot
    int files = 0;
    std::uint64_t bytes = 0;

    /// The model as an argument of --model: with its revision, or else its commit, unless the revision is main.
    std::string words() const;
};

/// All snapshots with weights, sorted by model; none if there is no cache.
std::vector<CachedModel> cached_models(const std::filesystem::path& cache);

/// The folder of a snapshot with weights; none if it is not in the cache.
std::optional<std::filesystem::path> cached_snapshot(const HubName& name, const std::filesystem::path& cache);

/// The same for the user's cache.
std::vector<CachedModel> cached_models();
std::optional<std::filesystem::path> cached_snapshot(const HubName& name);

}  // namespace vitrine
