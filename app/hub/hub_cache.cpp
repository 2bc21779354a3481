#include "app/hub/hub_cache.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/hub/hub_settings.h"
#include "core/base/error.h"
#include "core/base/folder.h"
#include "core/base/input_file.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view folder_begin = "models--";

/// The commit that a file of refs/ names; empty if it names none.
std::string commit_in(const fs::path& file) {
    std::error_code unreachable;
    if (!fs::is_regular_file(file, unreachable)) return "";
    try {
        std::string words = words_of_file(file, 256);
        while (!words.empty() && static_cast<unsigned char>(words.back()) <= ' ') words.pop_back();
        return words.find('/') == std::string::npos && !words.starts_with('.') ? words : "";
    } catch (const Error&) {
        return "";
    }
}

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

std::string folder_name_of(const std::string& model) {
    std::string name = model;
    if (const std::size_t slash = name.find('/'); slash != std::string::npos) name.replace(slash, 1, "--");
    return std::string(folder_begin) + name;
}

std::string CachedModel::words() const {
    if (revisions.empty()) return model + "@" + commit;
    const bool is_main = std::ranges::find(revisions, "main") != revisions.end();
    return HubName{model, is_main ? "main" : revisions.front()}.words();
}

std::vector<CachedModel> cached_models(const fs::path& cache) {
    std::vector<CachedModel> models;
    std::error_code broken;
    for (const std::string& folder : names_in(cache)) {
        if (!folder.starts_with(folder_begin)) continue;
        std::string model = folder.substr(folder_begin.size());
        if (const std::size_t at = model.find("--"); at != std::string::npos) model.replace(at, 2, "/");
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
    if (commit.empty()) commit = name.revision;  // a commit names itself
    const fs::path snapshot = model / "snapshots" / commit;
    return holds_weights(snapshot) ? std::optional(snapshot) : std::nullopt;
}

std::vector<CachedModel> cached_models() { return cached_models(hub_cache_folder()); }

std::optional<fs::path> cached_snapshot(const HubName& name) { return cached_snapshot(name, hub_cache_folder()); }

}  // namespace vitrine
