#include "core/training/presets.h"

#include <algorithm>
#include <vector>

#include "core/training/recipe.h"

namespace vitrine {

namespace {

/// A plain run of so many pictures, of which each preset changes one thing. Patches of 8 show the same as those of 4,
/// in a quarter of the time.
LearningChoice plain(LearningSize size, int pictures, float rate) {
    return {.size = size, .patch = 8, .learning_rate = rate, .pictures = pictures};
}

/// The second run: the first with one thing changed.
template <class Change>
Preset changed(const char* id, const LearningChoice& a, Change change) {
    Preset preset{id, a, a};
    change(preset.b);
    return preset;
}

constexpr int shallow_pictures = 40'000, deep_pictures = 48'000, repeated_pictures = 60'000, small_pictures = 24'000;
constexpr int few_pictures = 1'000;

std::vector<Preset> make_presets() {
    const LearningChoice shallow = plain(LearningSize::standard, shallow_pictures, 0.02F);
    // Without norms a rate of 0.02 diverges; with them it learns faster.
    const LearningChoice careful = plain(LearningSize::deep, deep_pictures, 0.01F);
    const LearningChoice deep = plain(LearningSize::deep, deep_pictures, 0.02F);
    LearningChoice many_patches =
        plain(LearningSize::tiny, small_pictures, 0.02F);  // of 16 large ones hardly any matter
    many_patches.patch = 4;
    LearningChoice scarce = plain(LearningSize::tiny, repeated_pictures, 0.002F);
    scarce.optimiser = Optimiser::adamw;
    scarce.distinct = few_pictures;
    return {
        changed("norms", careful, [](LearningChoice& b) { b.norm = Norm::none; }),
        changed("skips", shallow, [](LearningChoice& b) { b.skips = false; }),
        changed("positions", many_patches, [](LearningChoice& b) { b.positions = false; }),
        changed("dropout", scarce, [](LearningChoice& b) { b.dropout = 0.1F; }),
        changed("optimiser", shallow, [](LearningChoice& b) { choose_optimiser(b, Optimiser::adamw); }),
        changed("activation", shallow, [](LearningChoice& b) { b.activation = Activation::relu; }),
        changed("wiring", deep, [](LearningChoice& b) { b.norm = Norm::after; }),
    };
}

}  // namespace

bool is_deep(const Preset& preset) {
    constexpr int most_shallow = 4;
    return std::max(recipe_of(preset.a).model.blocks, recipe_of(preset.b).model.blocks) > most_shallow;
}

std::span<const Preset> presets() {
    static const std::vector<Preset> all = make_presets();
    return all;
}

const Preset* preset_named(std::string_view id) {
    const auto found = std::ranges::find(presets(), id, &Preset::id);
    return found == presets().end() ? nullptr : &*found;
}

std::array<Recipe, 2> recipes_of(const Preset& preset, std::uint64_t seed) {
    std::array<Recipe, 2> recipes = {recipe_of(preset.a), recipe_of(preset.b)};
    for (Recipe& r : recipes) {
        r.seed = seed;
        r.pictures.seed = seed - 1;
    }
    return recipes;
}

}  // namespace vitrine
