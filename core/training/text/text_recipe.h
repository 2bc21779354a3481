#pragma once

#include <cstdint>
#include <string>

#include "core/text/sentences.h"
#include "core/text/text_model.h"
#include "core/training/runs/run_recipe.h"

namespace vitrine {

/// Everything that decides how a text Transformer learns, and so what comes out.
struct TextRecipe : RunRecipe {
    using Family = Texts;

    TextConfig model;
    TextSet sentences;
    double it_weight = 1;  // where the model names the noun of "it": of the auxiliary head's and the asked head's loss

    TextRecipe() {
        weight_decay = 0.01;
        momentum = 0.95;
        vector_rate = 1;
        batch = 64;
    }
};

/// The measured recipe of a task: its usual model, and as many sentences as it needs to be good.
TextRecipe standard_text_recipe(TextTask task, TextLanguage to);

/// A model as a run begins.
TextModel untrained_text_model(const TextRecipe& recipe);

/// As JSON and back, for checkpoints. Throws Error where the text is no recipe.
std::string to_json(const TextRecipe& recipe);
TextRecipe text_recipe_from_json(const std::string& text, const std::string& name);

/// Whether the words of a checkpoint are a text's recipe, not one of pictures.
bool is_text_recipe(const std::string& text);

/// Error, with the remedy, where a recipe cannot be learned from: sizes that do not divide, numbers out of range.
void check(const TextRecipe& recipe);

}  // namespace vitrine
