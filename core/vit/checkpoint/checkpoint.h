#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/files/tensor_file.h"
#include "core/vit/checkpoint/labels.h"
#include "core/vit/model.h"

namespace vitrine {

struct LoadOptions {
    std::optional<int> heads;  ///< the user's --heads: for files that do not say it
    Progress progress;
    OtherLabels labels = {};
    bool header_only = false;  ///< zeros in place of all numbers, which are not read: for shapes and settings alone
};

/// The files of a checkpoint.
struct CheckpointFiles {
    std::string name;  // as shown
    std::string path;  // "" for the bundled model
    std::shared_ptr<const TensorFile> weights;
    std::string config_json;             // "" if there is none
    std::string preprocessor_json;       // "" if there is none
    std::string processor_json = {};     // processor_config.json, which may hold the preprocessor; "" if there is none
    std::vector<FileStamp> stamps = {};  // of all files that were looked for, also of missing ones
    std::string folder = {};             // of the configuration, if it is not that of `path`
};

/// The existing files of the model at a path, weights first: one file, or an index and its shards.
std::vector<std::filesystem::path> files_of_checkpoint(const std::filesystem::path& path);

/// The name of a model's file or folder, even if the path ends in "/" or is "."; in the hub's cache "owner/name".
std::string name_of_checkpoint(const std::filesystem::path& path);

/// Whether one of a model's files says how it is set up, and not what its weights are.
bool is_configuration(const std::filesystem::path& file);

/// Whether a folder holds a model under one of the names that hubs use, or is a model in the hub's cache.
bool is_folder_of_model(const std::filesystem::path& folder);

/// A folder as on the Hugging Face hub (or timm's), one in the hub's cache, one with a single weight file, or a weight
/// file (with the configuration beside it, if any). Throws Error, naming the choices, for a folder with several.
CheckpointFiles find_checkpoint(const std::filesystem::path& path);

/// Reads any supported layout strictly: every expected tensor exactly once, shapes checked, leftovers listed. Throws
/// Error, naming the file, the tensor and the remedy.
Model load_model(const CheckpointFiles& files, const LoadOptions& options = {});
Model load_model(const std::filesystem::path& path, const LoadOptions& options = {});

}  // namespace vitrine
