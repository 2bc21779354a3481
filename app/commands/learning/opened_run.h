#pragma once

#include <span>

#include "app/commands/commands.h"
#include "core/base/output_guard.h"
#include "core/training/recipe.h"
#include "core/training/runs/run_file.h"
#include "core/training/text/text_recipe.h"

namespace vitrine {

/// A run of `vitrine train`, new or continued, as the options say. Throws Error and UsageError.
ResumedRun<Pictures> open_picture_run(const TrainOptions& options);
ResumedRun<Texts> open_text_run(const TrainOptions& options);

/// Error where the folder is not free for a new run that writes these files.
void check_run_folder(const TrainOptions& options, const OutputGuard& guard, std::span<const char* const> files);
/// Makes it ready for a run that goes on.
void enter_run_folder(const TrainOptions& options, std::span<const char* const> files);

/// The widths, functions and norms of any Transformer that the options name.
void take_widths(TransformerConfig& config, const TrainOptions& options);

/// What a recipe says of the optimiser, as far as the options name it.
template <class Recipe>
void take_optimiser(Recipe& r, const TrainOptions& o) {
    if (o.optimiser) choose_optimiser(r, *value_in(optimiser_names, *o.optimiser));
    r.learning_rate = o.learning_rate.value_or(r.learning_rate);
    r.weight_decay = o.weight_decay.value_or(r.weight_decay);
    r.momentum = o.momentum.value_or(r.momentum);
    r.vector_rate = o.vector_rate.value_or(r.vector_rate);
    r.label_smoothing = o.label_smoothing;
    r.batch = o.batch.value_or(r.batch);
    r.seed = o.seed;
}

/// As many threads as the options say, or as there are; no more than a batch has things.
int threads_of_run(const TrainOptions& options, int batch);

}  // namespace vitrine
