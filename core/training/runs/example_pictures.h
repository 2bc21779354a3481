#pragma once

#include <memory>
#include <vector>

#include "core/training/pictures/picture_set.h"

namespace vitrine {

struct Image;

/// An example picture, the same for every run: small for the model, large for display.
struct ExamplePicture {
    int label = 0;
    std::shared_ptr<const Image> small, large;
};

/// The example pictures for runs on these scenes, drawn on first use.
const std::vector<ExamplePicture>& example_pictures(Scenes scenes);

}  // namespace vitrine
