#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/training/text/text_evaluation.h"
#include "core/training/text/text_recipe.h"

namespace vitrine {

/// What a class watches rise, of held-out examples: translations and reviews that are right; of stories the objects,
/// each fixed by a sentence far before it.
double right_of(const TextEvaluation& e);

/// And where the model looks: of translations how often a noun's largest weight lies on the word that it translates; of
/// reviews the weight that the class token gives the words that decide in the best head; of stories how often the best
/// head's largest weight lies on what fixes the object.
double attention_of(const TextEvaluation& e);

/// That best head; none of a translation's.
TalliedHead head_of(const TextEvaluation& e);

/// A run of a text Transformer that was carried out once.
struct TextRecord {
    TextEvaluation evaluation;  // in the end, of held-out examples alone
    double loss = 0;            // mean of the last steps, in nats

    std::vector<double> sentences, right, attention;  // now and then
};

/// How a run is measured.
struct TextRecording {
    int count = 2000;  // held-out examples in the end
    int checked = 0;   // and now and then; 0: never
    int threads = 1;
    Progress progress = {};  // may throw Cancelled
};

/// Carries a run out that promises a number of sentences.
TextRecord record_run(const TextRecipe& recipe, const TextRecording& how);

}  // namespace vitrine
