#pragma once

#include "core/base/progress.h"
#include "core/training/text/text_evaluation.h"

namespace vitrine {

struct TextRecipe;

/// A run of a text Transformer that was carried out once.
struct TextRecord {
    TextEvaluation evaluation;  // in the end, of held-out examples alone
    double loss = 0;            // mean of the last steps, in nats
};

/// Carries a run out that promises a number of sentences; `progress` may throw Cancelled.
TextRecord record_run(const TextRecipe& recipe, int threads, const Progress& progress = {});

}  // namespace vitrine
