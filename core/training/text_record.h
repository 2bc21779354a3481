#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/training/text_evaluation.h"
#include "core/training/text_recipe.h"

namespace vitrine {

/// A run of a text Transformer that was carried out once.
struct TextRecord {
    TextEvaluation evaluation;  // in the end, of held-out examples alone
    double loss = 0;            // mean of the last steps, in nats

    /// Now and then: right of held-out examples, and of a story how often the best head finds what fixes an object.
    std::vector<double> sentences, held_out, object_head;
};

/// How a run is measured.
struct TextRecording {
    int count = 2000;        // held-out examples in the end
    int checked = 0;         // and now and then; 0: never
    int threads = 1;
    Progress progress = {};  // may throw Cancelled
};

/// Carries a run out that promises a number of sentences.
TextRecord record_run(const TextRecipe& recipe, const TextRecording& how);

}  // namespace vitrine
