#include "core/training/learning_choice.h"

#include "core/training/recipe.h"

namespace vitrine {

namespace {

/// Pictures of 32 pixels: with patches of 4, as many tokens as the bundled model of pictograms has.
constexpr int side = 32;

struct Shape {
    LearningSize size;
    int blocks, width, heads;
};
constexpr Shape shapes[] = {
    {LearningSize::tiny, 3, 48, 3}, {LearningSize::standard, 4, 64, 4}, {LearningSize::deep, 12, 48, 3}};

}  // namespace

Recipe recipe_of(const LearningChoice& choice) {
    Recipe r = standard_recipe();
    choose_pictures(r, {.scenes = choice.scenes});
    r.model.image_height = r.model.image_width = side;
    r.model.patch_size = choice.patch;
    for (const Shape& shape : shapes) {
        if (shape.size != choice.size) continue;
        r.model.blocks = shape.blocks;
        r.model.embedding_dim = shape.width;
        r.model.heads = shape.heads;
        r.model.mlp_dim = 2 * shape.width;
    }
    r.model.activation = choice.activation;
    r.model.norm = choice.norm;
    r.model.skips = choice.skips;
    r.model.positions = choice.positions ? Positions::learned : Positions::none;
    r.optimiser = choice.optimiser;
    r.learning_rate = static_cast<double>(choice.learning_rate.value);
    r.batch = choice.batch;
    r.dropout = static_cast<double>(choice.dropout);
    if (choice.distinct > 0) r.distinct_pictures = static_cast<std::uint64_t>(choice.distinct);
    if (choice.pictures > 0)
        r.promised_examples = static_cast<std::uint64_t>(choice.pictures);
    else
        r.promised_seconds = static_cast<double>(choice.minutes) * 60;
    return r;
}

}  // namespace vitrine
