#pragma once

#include "core/training/recipe.h"
#include "core/vit/model.h"

namespace vitrine {

/// A small untrained model of the picture book; of `set` only `pairs` matters.
inline Model book_model(PictureSet set) {
    Recipe recipe = standard_recipe();
    set.scenes = Scenes::picturebook;
    choose_pictures(recipe, set);
    Model model = untrained_model(recipe);
    model.provenance.name = "book";
    prepare(model);
    return model;
}

}  // namespace vitrine
