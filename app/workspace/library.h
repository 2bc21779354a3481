#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/workspace/samples.h"
#include "core/base/file_stamp.h"
#include "core/files/image.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/experiment.h"

namespace vitrine {

/// An image as the window holds it: all of it for the model, a small one for the screen.
struct OpenImage {
    std::string name;  // "cat" or "holiday.jpg"
    bool bundled = false;
    ImageSource source;  // of a drawn picture with its set
    FileStamp stamp;     // as the file was when it was read; of none of a drawn picture
    Image full;
    std::shared_ptr<const Image> display;  // longest edge at most `display_edge`
};

inline constexpr int display_edge = 1600;

/// A model that is part of the program.
struct BundledModel {
    const char* name;   // of its folder in assets; what sessions and --model say
    const char* title;  // shown
};
/// The first one is open where nothing else is asked for.
std::span<const BundledModel> bundled_models();
/// The one of that name, the first one where it is empty. Throws Error where there is none.
const BundledModel& bundled_model(const std::string& name);
ModelSource source_of(const BundledModel& model);
/// What sessions mean that say no model: the one that was bundled before they could.
inline constexpr const char* oldest_bundled_model = "pictograms-small";

/// Opens what a source names; a drawn picture whose set is unsaid is of the first bundled model's. Throws Error, and
/// what `progress` throws.
std::shared_ptr<const OpenImage> open_image(const ImageSource& source, const Progress& progress = {});
/// Whether an image's file is no more what was read.
bool changed_on_disk(const OpenImage& image);
std::shared_ptr<const Model> open_model(const ModelSource& source, const Progress& progress = {});

/// The set of drawn pictures that a model knows: the one that it learned from; of a model that knows none the first
/// bundled one's.
PictureSet pictures_of(const Model& model);
PictureSet bundled_pictures();
/// The names of the first bundled model's classes, from its configuration alone.
const std::vector<std::string>& bundled_labels();

/// The source that a word of the command line means: a sample's name where no such file exists, else a path.
ImageSource image_source(const std::string& word);
/// Likewise a bundled model's name, or a path; the first bundled model where it is empty.
ModelSource model_source(const std::filesystem::path& word, std::optional<int> heads);

}  // namespace vitrine
