#pragma once

#include <string>

#include "core/text/text_config.h"
#include "core/text/text_kinds.h"
#include "core/training/families.h"

// Options of a text Transformer trained live in class: for the learning room's controls, experiments and the claims
// about them.

namespace vitrine {

/// A run's options as set by the user. Ignores options without meaning for the task, like the decoder's for a review.
struct TextChoice {
    using Family = Texts;

    TextTask task = TextTask::translate;
    TextLanguage to = TextLanguage::japanese;  // target language of a translation
    Norm norm = Norm::after;
    Positions positions = Positions::sines;
    bool scaled = true;    // word vectors are multiplied by √D
    bool causal = true;    // with the decoder's mask
    bool names_it = true;  // with the auxiliary head for the noun of "it"
    int heads = 4;         // h
    int blocks = 2;        // L, for each stack
    Optimiser optimiser = Optimiser::muon;
    ChosenRate learning_rate = 0.01F;
    int sentences = 19'200;  // length of the run

    bool operator==(const TextChoice&) const = default;
};

/// The choice equal to a task's measured recipe.
TextChoice usual_choice(TextTask task, TextLanguage to = TextLanguage::japanese);

TextRecipe recipe_of(const TextChoice& choice);

/// JSON of a choice, and back; absent values are the default. Throws Error.
std::string to_json(const TextChoice& choice);
TextChoice text_choice_from_json(const std::string& json);

}  // namespace vitrine
