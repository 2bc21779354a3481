#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/vit/experiment.h"

namespace vitrine {

/// Several images, and the class of each where it is known.
struct ImageSet {
    std::vector<ImageSource> images;
    std::vector<int> classes;  // of the model, one for each image; empty: unknown
};

/// The pictures in a folder, or in its subfolders if it has one for each class. If `folder` is empty, drawn pictures:
/// three of each class of the model's set. Throws Error if the folder is missing or has no pictures, or if the model
/// has no class of a subfolder's name.
ImageSet image_set(const std::filesystem::path& folder, const Model& model);

/// A set of these images; their classes are known if all of them are drawn pictures of the model's own classes.
ImageSet image_set(std::vector<ImageSource> images, const Model& model);

}  // namespace vitrine
