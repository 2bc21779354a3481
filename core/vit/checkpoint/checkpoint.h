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
    std::optional<int> heads;  ///< the user's --heads, for files without the number of heads
    Progress progress;
    OtherLabels labels = {};
    bool header_only = false;  ///< reads shapes and settings alone; all weights are 0
};

/// The files of a checkpoint.
struct CheckpointFiles {
    std::string name;  // as shown
    std::string path;  // "" for the bundled model
    std::shared_ptr<const TensorFile> weights;
    std::string config_json;             // "" if there is none
    std::string preprocessor_json;       // "" if there is none
    std::string processor_json = {};     // processor_config.json, which may hold the preprocessor; "" if there is none
    std::vector<FileStamp> stamps = {};  // of all files that were looked for, including missing ones
    std::string folder = {};             // of the configuration, if it is not the folder of `path`
};

/// The existing files of the model at a path, weights first: one file, or an index and its shards.
std::vector<std::filesystem::path> files_of_checkpoint(const std::filesystem::path& path);

/// The name of a model's file or folder, even if the path ends in "/" or is "."; in the hub's cache "owner/name".
std::string name_of_checkpoint(const std::filesystem::path& path);

/// True if a model's file holds its configuration instead of its weights.
bool is_configuration(const std::filesystem::path& file);

/// True if a folder holds files with the names that hubs use for models, or is a model in the hub's cache.
bool is_folder_of_model(const std::filesystem::path& folder);

/// Finds a model's files from a folder as on the Hugging Face hub (or timm's) or in its cache, from a folder with a
/// single weight file, or from a weight file. Throws Error, naming the choices, for a folder with several.
CheckpointFiles find_checkpoint(const std::filesystem::path& path);

/// Reads a model in any supported layout, strictly: each expected tensor exactly once and of its shape, no others.
/// Throws Error, naming the file, the tensor and the remedy.
Model load_model(const CheckpointFiles& files, const LoadOptions& options = {});
Model load_model(const std::filesystem::path& path, const LoadOptions& options = {});

}  // namespace vitrine
