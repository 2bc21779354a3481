#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/files/safetensors.h"
#include "core/vit/model.h"

namespace vitrine {

struct LoadOptions {
    std::optional<int> heads;  ///< the user's --heads: for files that do not say it
    Progress progress;
    bool header_only = false;  ///< zeros in place of all numbers, which are not read: for shapes and settings alone
};

/// The files of a checkpoint.
struct CheckpointFiles {
    std::string name;  // as shown
    std::string path;  // "" for the bundled model
    Safetensors weights;
    std::string config_json;             // "" if there is none
    std::string preprocessor_json;       // "" if there is none
    std::string processor_json = {};     // processor_config.json, which may hold the preprocessor; "" if there is none
    std::vector<FileStamp> stamps = {};  // of all files that were looked for, also of missing ones
};

/// The existing files of the model at a path, weights first.
std::vector<std::filesystem::path> files_of_checkpoint(const std::filesystem::path& path);

/// A folder as on the Hugging Face hub (or timm's), or a weight file (with the configuration beside it, if any).
CheckpointFiles find_checkpoint(const std::filesystem::path& path);

/// Reads any supported layout strictly: every expected tensor exactly once, shapes checked, leftovers listed. Throws
/// Error, naming the file, the tensor and the remedy.
Model load_model(const CheckpointFiles& files, const LoadOptions& options = {});
Model load_model(const std::filesystem::path& path, const LoadOptions& options = {});

}  // namespace vitrine
