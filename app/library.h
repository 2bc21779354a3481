#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/checkpoint/checkpoint.h"
#include "core/experiment.h"
#include "core/image.h"

namespace vitrine {

/// An image as the window holds it: all of it for the model, a small one for the screen.
struct OpenImage {
    std::string name;  // "cat" or "holiday.jpg"
    bool bundled = false;
    Image full;
    std::shared_ptr<const Image> display;  // longest edge at most `display_edge`
};

inline constexpr int display_edge = 1600;

/// The names of the bundled sample images, in the order of the gallery.
std::vector<std::string> sample_names();

/// The bytes of a sample; asserted to exist.
std::span<const std::uint8_t> sample_bytes(const std::string& name);

/// Opens what a source names. Throws Error, and what `progress` throws.
std::shared_ptr<const OpenImage> open_image(const ImageSource& source, const Progress& progress = {});
std::shared_ptr<const Model> open_model(const ModelSource& source, const Progress& progress = {});

/// The source that a word of the command line means: a sample's name where no such file exists, else a path.
ImageSource image_source(const std::string& word);

}  // namespace vitrine
