#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/file_stamp.h"
#include "core/files/image.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/experiment.h"

namespace vitrine {

enum class Colours;
struct PictureSet;

/// An open image: in full size for the model, small for the screen.
struct OpenImage {
    std::string name;  // "cat" or "holiday.jpg"
    bool bundled = false;
    ImageSource source;  // includes the set for a drawn picture
    FileStamp stamp;     // state of the file when it was read; empty for a drawn picture and a frame
    Image full;
    Colours colours = {};                  // of `full`; managed only where a profile changes them
    std::shared_ptr<const Image> display;  // longest edge at most `display_edge`
};

inline constexpr int display_edge = 1600;

/// A model that is part of the program.
struct BundledModel {
    const char* name;   // its folder in assets; used in sessions and --model
    const char* title;  // as displayed
};
/// All bundled models; the first one is the default.
std::span<const BundledModel> bundled_models();
/// The model of that name, or the first one if it is empty. Throws Error if there is none.
const BundledModel& bundled_model(const std::string& name);
ModelSource source_of(const BundledModel& model);
/// The default in sessions without a model: the bundled model of early versions.
inline constexpr const char* oldest_bundled_model = "pictograms-small";

/// Opens an image source; a drawn picture without a set is from the first bundled model's set. `colours` are those for
/// the model; the picture for the screen is always managed. Throws Error, and whatever `progress` throws.
std::shared_ptr<const OpenImage> open_image(const ImageSource& source, const Progress& progress = {},
                                            Colours colours = {});
/// True if an image's file has changed since it was read.
bool changed_on_disk(const OpenImage& image);
std::shared_ptr<const Model> open_model(const ModelSource& source, const Progress& progress = {});

/// A model's configuration, preprocessing and provenance; its weights are zeros and not read. Throws Error.
Model open_header(const ModelSource& source);

/// The set of drawn pictures that a model was trained on; the first bundled model's if there is none.
PictureSet pictures_of(const Model& model);
PictureSet bundled_pictures();
/// Class names of the first bundled model, from its configuration.
const std::vector<std::string>& bundled_labels();

/// An image source from the command line: a sample's name unless a file of that name exists, else a path.
ImageSource image_source(const std::string& word);
/// A model source in the same way: an existing path, else a bundled model's name, else "owner/name[@revision]" of a
/// model in the hub's cache; the first bundled model if empty. Makes no request. Throws Error, naming `vitrine fetch`,
/// for a model of the hub that is not in the cache.
ModelSource model_source(const std::filesystem::path& word, std::optional<int> heads);

}  // namespace vitrine
