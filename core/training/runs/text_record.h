#pragma once

#include "core/base/progress.h"
#include "core/training/text/text_evaluation.h"

namespace vitrine {

struct TextRecipe;

/// Results of a finished run of a text Transformer.
struct TextRecord {
    TextEvaluation evaluation;  // of the final model, on held-out examples only
    double loss = 0;            // mean of the last steps, in nats
};

/// Carries out a run with a fixed number of sentences; `progress` may throw Cancelled.
TextRecord record_run(const TextRecipe& recipe, int threads, const Progress& progress = {});

}  // namespace vitrine
