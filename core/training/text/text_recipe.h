#pragma once

#include <cstdint>
#include <string>

#include "core/text/sentences.h"
#include "core/text/text_model.h"
#include "core/training/runs/run_recipe.h"

namespace vitrine {

/// Everything that determines a run of a text Transformer, and so its result.
struct TextRecipe : RunRecipe {
    using Family = Texts;

    TextConfig model;
    TextSet sentences;
    double it_weight =
        1;  // if the model names the noun of "it": weight of the losses of the auxiliary head and of `asked_head`

    TextRecipe() {
        weight_decay = 0.01;
        momentum = 0.95;
        vector_rate = 1;
        batch = 64;
    }
};

/// The default recipe of a task: its usual model, and as many sentences as it needs.
TextRecipe standard_text_recipe(TextTask task, TextLanguage to);

/// The initial model of a run.
TextModel untrained_text_model(const TextRecipe& recipe);

/// JSON for checkpoints, and back. Throws Error if the text is not a recipe.
std::string to_json(const TextRecipe& recipe);
TextRecipe text_recipe_from_json(const std::string& text, const std::string& name);

/// True if a checkpoint's recipe is for texts rather than pictures.
bool is_text_recipe(const std::string& text);

/// Throws Error, with the remedy, if a recipe cannot be trained: sizes that do not divide, numbers out of range.
void check(const TextRecipe& recipe);

}  // namespace vitrine
