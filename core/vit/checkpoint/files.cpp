#include <algorithm>
#include <cctype>
#include <system_error>

#include "core/base/error.h"
#include "core/base/folder.h"
#include "core/base/utf8.h"
#include "core/files/image.h"
#include "core/files/open_tensors.h"
#include "core/files/tensor_shards.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/hub_folder.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

constexpr const char* configuration_files[] = {"config.json", "preprocessor_config.json", "processor_config.json"};

/// Names that hubs give to weights; the first that exists is used.
constexpr const char* weight_names[] = {"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin",
                                        "pytorch_model.bin.index.json"};

std::string text_of(const fs::path& path) {
    std::error_code unreadable;  // reading the weights will report it
    if (!fs::exists(path, unreadable)) return "";
    const std::vector<std::uint8_t> bytes = read_file(path);
    return {bytes.begin(), bytes.end()};
}

fs::path full_path(const fs::path& path) {
    std::error_code ignored;
    const fs::path full = fs::absolute(path, ignored).lexically_normal();
    return full.has_filename() ? full : full.parent_path();
}

/// The snapshot to open from a model's folder in the hub's cache: that of "main", or the only one.
fs::path snapshot_of(const fs::path& root) {
    std::error_code ignored;
    const std::string main = commit_in(root / "refs/main");
    if (!main.empty() && fs::is_directory(root / "snapshots" / main, ignored)) return root / "snapshots" / main;
    const std::vector<std::string> all = names_in(root / "snapshots");
    if (all.size() == 1) return root / "snapshots" / all[0];
    if (all.empty())
        throw Error(root.string() + ": this folder of the hub's cache holds no snapshot; download the model again");
    throw Error(root.string() + ": this folder of the hub's cache holds several snapshots (" + some_of(all) +
                "); name one of them: " + (root / "snapshots" / all[0]).string());
}

bool is_hub_root(const fs::path& path) {
    std::error_code ignored;
    return !model_of_folder_name(full_path(path).filename().string()).empty() &&
           fs::is_directory(path / "snapshots", ignored);
}

/// True for a file that is stored beside weights so that training can be resumed.
bool is_state_of_training(const std::string& name) {
    for (const std::string_view front :
         {"optimizer", "scheduler", "training_args", "training.", "rng_state", "scaler", "random_states"})
        if (name.starts_with(front)) return true;
    return false;
}

bool is_weight_file(const std::string& name) {
    return std::ranges::find(weight_endings(), ending_of(name)) != weight_endings().end();
}

/// "model-00001-of-00002.safetensors"
bool is_shard(const std::string& name) {
    const std::size_t at = name.find("-of-");
    const auto is_digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(name[i])) != 0; };
    return is_weight_file(name) && at != std::string::npos && at > 0 && at + 4 < name.size() && is_digit(at - 1) &&
           is_digit(at + 4);
}

/// The weight files and indices of a folder, under any name, without shards.
std::vector<std::string> weights_in(const fs::path& folder) {
    std::vector<std::string> found;
    const std::vector<std::string> names = names_in(folder);
    for (const std::string& name : names) {
        const bool of_weights =
            name.find(".safetensors") != std::string::npos || name.find(".bin") != std::string::npos;
        const bool is_index = is_index_of_shards(name) && of_weights;
        if ((is_index || is_weight_file(name)) && !is_state_of_training(name) && !is_shard(name)) found.push_back(name);
    }
    return found;
}

/// The weight file of a folder. Throws Error for none and for several.
fs::path weights_of_folder(const fs::path& folder) {
    std::error_code reason, ignored;
    for (const char* const name : weight_names)
        if (fs::exists(folder / name, reason)) return folder / name;
    if (reason == std::errc::permission_denied)
        throw Error(folder.string() + ": there is no permission to read this folder; change its permissions");
    const std::vector<std::string> found = weights_in(folder);
    if (found.size() == 1) return folder / found[0];
    if (found.size() > 1)
        throw Error(folder.string() + ": this folder holds several weight files (" + some_of(found) +
                    "); name one of them: " + (folder / found[0]).string());
    std::vector<std::string> models;
    for (const std::string& name : names_in(folder)) {
        if (is_shard(name))
            throw Error(folder.string() + ": these weights are split over several files, and their index (" +
                        (ending_of(name) == ".safetensors" ? weight_names[1] : weight_names[3]) +
                        ") is missing; download it into the same folder");
        const std::string ending = ending_of(name);
        if (std::ranges::find(foreign_weight_endings(), ending) != foreign_weight_endings().end())
            open_tensors(folder / name);  // throws Error with the remedy
        if (!model_of_folder_name(name).empty()) models.push_back(name);
    }
    if (!models.empty())
        throw Error(folder.string() + ": this is the hub's cache of several models (" + some_of(models) +
                    "); name one of them: " + (folder / models[0]).string());
    throw Error(
        folder.string() +
        ": there is no model.safetensors in this folder, and no other weight file; give the folder of a model, or "
        "its weight file");
}

/// The weight file at a path or in a folder; for a shard, its index. Throws Error if a folder does not hold exactly one
/// model, or a shard has no index beside it.
fs::path weights_at(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return weights_of_folder(is_hub_root(path) ? snapshot_of(path) : path);
    if (is_shard(path.filename().string())) {
        const char* const index = ending_of(path) == ".safetensors" ? weight_names[1] : weight_names[3];
        if (fs::exists(path.parent_path() / index, ignored)) return path.parent_path() / index;
        throw Error(path.string() + ": this is one of several files, and their index (" + index +
                    ") is missing; download all of them into one folder");
    }
    return path;
}

/// A weight file and, if it is an index, its shards.
std::vector<fs::path> with_shards(const fs::path& weights) {
    std::vector<fs::path> files = {weights};
    if (!is_index_of_shards(weights)) return files;
    const std::vector<fs::path> shards = shards_of_index(weights);
    files.insert(files.end(), shards.begin(), shards.end());
    return files;
}

}  // namespace

std::string name_of_checkpoint(const fs::path& path) {
    const fs::path full = full_path(path);
    std::string name = full.filename().string();
    if (const std::string hub = model_of_folder_name(name); !hub.empty()) name = hub;
    if (full.parent_path().filename() == "snapshots")
        if (const std::string hub = model_of_folder_name(full.parent_path().parent_path().filename().string());
            !hub.empty())
            name = hub;
    return as_utf8(name.empty() ? path.string() : name);
}

bool is_configuration(const fs::path& file) {
    return std::ranges::any_of(configuration_files, [&](const char* name) { return file.filename() == name; });
}

bool is_folder_of_model(const fs::path& folder) {
    std::error_code ignored;
    return is_hub_root(folder) ||
           std::ranges::any_of(weight_names, [&](const char* name) { return fs::exists(folder / name, ignored); });
}

std::vector<fs::path> files_of_checkpoint(const fs::path& path) {
    std::error_code ignored;
    fs::path weights;
    std::vector<fs::path> files;
    try {
        weights = weights_at(path);
        files = with_shards(weights);
    } catch (const Error&) {  // nothing can be opened, so the only file is the path itself
        weights = path;
        files = {path};
    }
    for (const char* const name : configuration_files) files.push_back(weights.parent_path() / name);
    std::erase_if(files, [&](const auto& file) { return !fs::is_regular_file(file, ignored); });
    return files;
}

CheckpointFiles find_checkpoint(const fs::path& path) {
    const fs::path weights = weights_at(path), beside = weights.parent_path();
    CheckpointFiles files{name_of_checkpoint(path), path.string(), nullptr, {}, {}};
    std::error_code ignored;
    if (fs::is_directory(path, ignored) && beside != path) files.folder = beside.string();
    if (!is_index_of_shards(weights))
        files.stamps = {stamp_of(weights)};  // before reading, to detect later changes
    else
        for (const fs::path& file : with_shards(weights)) files.stamps.push_back(stamp_of(file));
    files.weights = open_tensors(weights);
    const auto read = [&](const char* name) {
        files.stamps.push_back(stamp_of(beside / name));
        return text_of(beside / name);
    };
    files.config_json = read(configuration_files[0]);
    files.preprocessor_json = read(configuration_files[1]);
    files.processor_json = read(configuration_files[2]);
    return files;
}

}  // namespace vitrine
