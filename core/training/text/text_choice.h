#pragma once

#include <string>

#include "core/text/text_config.h"
#include "core/text/text_task.h"
#include "core/training/chosen_rate.h"
#include "core/training/families.h"
#include "core/training/optimiser_kind.h"

// What can be chosen of a text Transformer that a class watches while it learns: the learning room's controls,
// experiments, and what is claimed of them.

namespace vitrine {

/// A run as a user chooses it. What its task has not, such as a review's decoder, is not looked at.
struct TextChoice {
    using Family = Texts;

    TextTask task = TextTask::translate;
    TextLanguage to = TextLanguage::japanese;  // a translation's
    Norm norm = Norm::after;
    Positions positions = Positions::sines;
    bool scaled = true;    // words times √D
    bool causal = true;    // the decoder's mask
    bool names_it = true;  // the auxiliary head that names the noun of "it"
    int heads = 4;         // h
    int blocks = 2;        // L of each stack
    Optimiser optimiser = Optimiser::muon;
    ChosenRate learning_rate = 0.01F;
    int sentences = 19'200;  // promised

    bool operator==(const TextChoice&) const = default;
};

/// What a task's measured recipe chooses.
TextChoice usual_choice(TextTask task, TextLanguage to = TextLanguage::japanese);

TextRecipe recipe_of(const TextChoice& choice);

/// The choice as JSON, and back; what is not said is as usual. Throws Error.
std::string to_json(const TextChoice& choice);
TextChoice text_choice_from_json(const std::string& json);

}  // namespace vitrine
