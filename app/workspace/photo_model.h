#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace vitrine {

struct Settings;

/// A model on this machine that was trained on photographs.
struct PhotoModel {
    std::filesystem::path folder;  // or the model's file
    std::string name;              // "owner/name", or that of its folder
};

/// The name without its owner; for timm's models also without the training recipe, which follows a full stop.
std::string short_name(const PhotoModel& model);

/// The model offered for photographs: the first one listed in assets/hub/models.json or with ImageNet's classes, among
/// the recently opened models and then those in the hub's cache, small ones first. Models without classes come last.
/// Reads only folders and headers, and uses no network. Null if there is no such model.
std::shared_ptr<const PhotoModel> photo_model(const Settings& settings);

}  // namespace vitrine
