#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/files/image.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/experiment.h"

namespace vitrine {

/// An image as the window holds it: all of it for the model, a small one for the screen.
struct OpenImage {
    std::string name;  // "cat" or "holiday.jpg"
    bool bundled = false;
    Image full;
    std::shared_ptr<const Image> display;  // longest edge at most `display_edge`
};

inline constexpr int display_edge = 1600;

/// The names of the sample images, in the order of the gallery; all are drawn by code.
std::vector<std::string> sample_names();

/// The picture that a sample's word means: a class's name, "cat", or one drawn afresh, "cat:17", "cat:17:hard",
/// "cat:17:hard:256" (number, difficulty, side in pixels). None where the word means no picture.
std::optional<PictureRequest> sample_request(const std::string& word);
std::string sample_word(const PictureRequest& request);
/// Draws it; asserted to mean one.
Image sample_image(const std::string& word);

/// Opens what a source names. Throws Error, and what `progress` throws.
std::shared_ptr<const OpenImage> open_image(const ImageSource& source, const Progress& progress = {});
std::shared_ptr<const Model> open_model(const ModelSource& source, const Progress& progress = {});

/// The source that a word of the command line means: a sample's name where no such file exists, else a path.
ImageSource image_source(const std::string& word);

}  // namespace vitrine
