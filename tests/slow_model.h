#pragma once

#include <memory>

#include "core/training/recipe.h"
#include "core/vit/experiment.h"
#include "core/vit/model.h"

namespace vitrine {

/// A random model that takes a good part of a second per run: time enough to interfere.
inline ModelSource slow_model() {
    Recipe recipe = standard_recipe();
    recipe.model.image_width = recipe.model.image_height = 176;
    recipe.model.embedding_dim = 192;
    recipe.model.mlp_dim = 768;
    recipe.model.blocks = 12;
    auto model = std::make_shared<Model>(untrained_model(recipe));
    prepare(*model);
    return {{}, {}, model};
}

}  // namespace vitrine
