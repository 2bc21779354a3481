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

/// The name without its owner's; of timm's models without what follows the architecture, the recipe of their training.
std::string short_name(const PhotoModel& model);

/// The model to show a photograph to: of those opened last, and then of the hub's cache, small ones first, the first
/// that is listed in assets/hub/models.json or names ImageNet's classes. Those without classes come last. Reads folders
/// and headers, and makes no request; null if there is no such model.
std::shared_ptr<const PhotoModel> photo_model(const Settings& settings);

}  // namespace vitrine
