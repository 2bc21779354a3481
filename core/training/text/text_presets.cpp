#include "core/training/text/text_presets.h"

#include <algorithm>
#include <vector>

#include "core/training/text/text_recipe.h"

namespace vitrine {

namespace {

constexpr int short_run = 12'800, longer_run = 19'200, story_run = 38'400;  // sentences

TextChoice plain_text(TextTask task, int sentences) {
    TextChoice c = usual_choice(task);
    c.sentences = sentences;
    return c;
}

/// The second run: the first with one thing changed.
template <class Change>
TextPreset changed_text(const char* id, const TextChoice& a, Change change) {
    TextPreset preset{id, a, a};
    change(preset.b);
    return preset;
}

std::vector<TextPreset> make_text_presets() {
    const TextChoice translation = plain_text(TextTask::translate, short_run);
    const TextChoice longer = plain_text(TextTask::translate, longer_run);
    const TextChoice review = usual_choice(TextTask::sentiment);
    const TextChoice story = plain_text(TextTask::story, story_run);  // the induction head forms late with some seeds
    return {
        changed_text("mask", translation, [](TextChoice& b) { b.causal = false; }),
        changed_text("text_positions", translation, [](TextChoice& b) { b.positions = Positions::none; }),
        changed_text("scale", translation, [](TextChoice& b) { b.scaled = false; }),
        changed_text("heads", longer, [](TextChoice& b) { b.heads = 1; }),
        changed_text("it", longer, [](TextChoice& b) { b.names_it = false; }),
        changed_text("text_norms", translation, [](TextChoice& b) { b.norm = Norm::before; }),
        changed_text("text_optimiser", longer, [](TextChoice& b) { choose_optimiser(b, Optimiser::adamw); }),
        changed_text("review_positions", review, [](TextChoice& b) { b.positions = Positions::none; }),
        changed_text("story_blocks", story, [](TextChoice& b) { b.blocks = 1; }),
    };
}

}  // namespace

std::span<const TextPreset> text_presets() {
    static const std::vector<TextPreset> all = make_text_presets();
    return all;
}

const TextPreset* text_preset_named(std::string_view id) {
    const auto found = std::ranges::find(text_presets(), id, &TextPreset::id);
    return found == text_presets().end() ? nullptr : &*found;
}

std::array<TextRecipe, 2> recipes_of(const TextPreset& preset, std::uint64_t seed) {
    std::array<TextRecipe, 2> recipes = {recipe_of(preset.a), recipe_of(preset.b)};
    for (TextRecipe& r : recipes) {
        r.seed = seed;
        r.sentences.seed = seed;
    }
    return recipes;
}

}  // namespace vitrine
