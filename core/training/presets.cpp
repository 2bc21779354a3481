#include "core/training/presets.h"

#include <algorithm>
#include <vector>

#include "core/training/recipe.h"
#include "core/training/text/text_recipe.h"

namespace vitrine {

namespace {

/// The plain run that presets modify in one respect. Patches of 8 show the same as patches of 4, in a quarter of the
/// time.
LearningChoice plain(LearningSize size, int pictures, float rate) {
    return {.size = size, .patch = 8, .learning_rate = rate, .pictures = pictures};
}

/// A preset whose second run is its first with one change.
template <class Choice, class Change>
Preset<typename Choice::Family> changed(const char* id, const Choice& a, Change change) {
    Preset<typename Choice::Family> preset{id, a, a};
    change(preset.b);
    return preset;
}

constexpr int shallow_pictures = 40'000, deep_pictures = 48'000, repeated_pictures = 60'000, small_pictures = 24'000;
constexpr int few_pictures = 1'000;

std::vector<Preset<Pictures>> picture_presets() {
    const LearningChoice shallow = plain(LearningSize::standard, shallow_pictures, 0.02F);
    // Without norms a rate of 0.02 diverges; with norms it trains faster than 0.01.
    const LearningChoice careful = plain(LearningSize::deep, deep_pictures, 0.01F);
    const LearningChoice deep = plain(LearningSize::deep, deep_pictures, 0.02F);
    LearningChoice many_patches =
        plain(LearningSize::tiny, small_pictures, 0.02F);  // positions hardly matter among 16 large patches
    many_patches.patch = 4;
    LearningChoice scarce = plain(LearningSize::tiny, repeated_pictures, 0.002F);
    scarce.optimiser = Optimiser::adamw;
    scarce.distinct = few_pictures;
    LearningChoice slow = plain(LearningSize::deep, deep_pictures, 0.0005F);
    slow.optimiser = Optimiser::adamw;  // post-norm learns at this rate, too
    return {
        changed("norms", careful, [](LearningChoice& b) { b.norm = Norm::none; }),
        changed("skips", shallow, [](LearningChoice& b) { b.skips = false; }),
        changed("positions", many_patches, [](LearningChoice& b) { b.positions = false; }),
        changed("dropout", scarce, [](LearningChoice& b) { b.dropout = 0.1F; }),
        changed("optimiser", shallow, [](LearningChoice& b) { choose_optimiser(b, Optimiser::adamw); }),
        changed("activation", shallow, [](LearningChoice& b) { b.activation = Activation::relu; }),
        changed("wiring", deep, [](LearningChoice& b) { b.norm = Norm::after; }),
        changed("wiring_adamw", slow, [](LearningChoice& b) { b.norm = Norm::after; }),
    };
}

constexpr int short_run = 12'800, longer_run = 19'200, story_run = 38'400;  // sentences

TextChoice plain_text(TextTask task, int sentences) {
    TextChoice c = usual_choice(task);
    c.sentences = sentences;
    return c;
}

std::vector<Preset<Texts>> text_presets() {
    const TextChoice translation = plain_text(TextTask::translate, short_run);
    const TextChoice longer = plain_text(TextTask::translate, longer_run);
    const TextChoice review = usual_choice(TextTask::sentiment);
    const TextChoice story = plain_text(TextTask::story, story_run);  // with some seeds the induction head forms late
    return {
        changed("mask", translation, [](TextChoice& b) { b.causal = false; }),
        changed("text_positions", translation, [](TextChoice& b) { b.positions = Positions::none; }),
        changed("scale", translation, [](TextChoice& b) { b.scaled = false; }),
        changed("heads", longer, [](TextChoice& b) { b.heads = 1; }),
        changed("it", longer, [](TextChoice& b) { b.names_it = false; }),
        changed("text_norms", translation, [](TextChoice& b) { b.norm = Norm::before; }),
        changed("text_optimiser", longer, [](TextChoice& b) { choose_optimiser(b, Optimiser::adamw); }),
        changed("review_positions", review, [](TextChoice& b) { b.positions = Positions::none; }),
        changed("story_blocks", story, [](TextChoice& b) { b.blocks = 1; }),
    };
}

/// Recipes of both choices, with a seed for the initial weights.
template <class Family>
std::array<typename Family::Recipe, 2> both(const Preset<Family>& preset, std::uint64_t seed) {
    std::array<typename Family::Recipe, 2> recipes = {recipe_of(preset.a), recipe_of(preset.b)};
    for (auto& r : recipes) r.seed = seed;
    return recipes;
}

}  // namespace

bool is_deep(const Preset<Pictures>& preset) {
    constexpr int most_shallow = 4;
    return std::max(recipe_of(preset.a).model.blocks, recipe_of(preset.b).model.blocks) > most_shallow;
}

template <>
std::span<const Preset<Pictures>> presets<Pictures>() {
    static const std::vector<Preset<Pictures>> all = picture_presets();
    return all;
}

template <>
std::span<const Preset<Texts>> presets<Texts>() {
    static const std::vector<Preset<Texts>> all = text_presets();
    return all;
}

std::array<Recipe, 2> recipes_of(const Preset<Pictures>& preset, std::uint64_t seed) {
    auto recipes = both(preset, seed);
    for (Recipe& r : recipes) r.pictures.seed = seed - 1;
    return recipes;
}

std::array<TextRecipe, 2> recipes_of(const Preset<Texts>& preset, std::uint64_t seed) {
    auto recipes = both(preset, seed);
    for (TextRecipe& r : recipes) r.sentences.seed = seed;
    return recipes;
}

}  // namespace vitrine
