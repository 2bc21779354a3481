#include "app/hub/hub_cache.h"

#include <algorithm>
#include <utility>

#include "app/hub/hub_settings.h"
#include "core/base/folder.h"
#include "core/vit/checkpoint/hub_folder.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// All revisions of a model with their commits: "main", "refs/pr/1".
std::vector<std::pair<std::string, std::string>> revisions_in(const fs::path& refs) {
    std::vector<std::pair<std::string, std::string>> revisions;
    std::error_code error;
    for (fs::recursive_directory_iterator it(refs, error), end; !error && it != end; it.increment(error))
        if (std::string commit = commit_in(it->path()); !commit.empty())
            revisions.emplace_back(it->path().lexically_relative(refs).generic_string(), std::move(commit));
    std::ranges::sort(revisions);
    return revisions;
}

bool holds_weights(const fs::path& snapshot) {
    std::error_code broken;
    const auto names = names_in(snapshot);
    return std::ranges::any_of(names, [&](const std::string& name) {
        return (name.ends_with(".safetensors") || name.ends_with(".bin")) &&
               fs::is_regular_file(snapshot / name, broken);
    });
}

}  // namespace

std::string CachedModel::words() const {
    if (revisions.empty()) return model + "@" + commit;
    const bool is_main = std::ranges::find(revisions, "main") != revisions.end();
    return HubName{model, is_main ? "main" : revisions.front()}.words();
}

std::vector<CachedModel> cached_models(const fs::path& cache) {
    std::vector<CachedModel> models;
    std::error_code broken;
    for (const std::string& folder : names_in(cache)) {
        const std::string model = model_of_folder_name(folder);
        if (model.empty()) continue;
        const auto revisions = revisions_in(cache / folder / "refs");
        for (const std::string& commit : names_in(cache / folder / "snapshots")) {
            CachedModel found{model, commit, {}, cache / folder / "snapshots" / commit};
            if (!holds_weights(found.folder)) continue;
            for (const auto& [revision, of] : revisions)
                if (of == commit) found.revisions.push_back(revision);
            for (fs::recursive_directory_iterator it(found.folder, broken), end; !broken && it != end;
                 it.increment(broken))
                if (std::error_code gone; it->is_regular_file(gone)) {
                    ++found.files;
                    if (const auto bytes = it->file_size(gone); !gone) found.bytes += bytes;
                }
            models.push_back(std::move(found));
        }
    }
    return models;
}

std::optional<fs::path> cached_snapshot(const HubName& name, const fs::path& cache) {
    const fs::path model = cache / folder_name_of(name.model);
    std::string commit = commit_in(model / "refs" / name.revision);
    if (commit.empty()) commit = name.revision;  // the revision may be a commit itself
    const fs::path snapshot = model / "snapshots" / commit;
    return holds_weights(snapshot) ? std::optional(snapshot) : std::nullopt;
}

std::vector<CachedModel> cached_models() { return cached_models(hub_cache_folder()); }

std::optional<fs::path> cached_snapshot(const HubName& name) { return cached_snapshot(name, hub_cache_folder()); }

}  // namespace vitrine
