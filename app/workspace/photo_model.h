#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace vitrine {

struct Settings;

/// A model on this machine that knows photographs.
struct PhotoModel {
    std::filesystem::path folder;  // or its file
    std::string name;              // "owner/name", or that of its folder
};

/// The name without its owner; for timm's models also without the recipe of training, which follows the architecture.
std::string short_name(const PhotoModel& model);

/// The model offered for photographs: the first that is listed in assets/hub/models.json or names ImageNet's classes,
/// among those opened last and then those in the hub's cache, small ones first. Models without classes come last. Reads
/// folders and headers, and makes no request; null if there is no such model.
std::shared_ptr<const PhotoModel> photo_model(const Settings& settings);

}  // namespace vitrine
