#pragma once

#include <span>
#include <utility>

#include "app/commands/commands.h"
#include "core/base/error.h"
#include "core/base/output_guard.h"
#include "core/training/recipe.h"
#include "core/training/runs/run_file.h"
#include "core/training/text/text_recipe.h"

namespace vitrine {

/// Opens a new or continued run of `vitrine train`, by its options. Throws Error and UsageError.
ResumedRun<Pictures> open_picture_run(const TrainOptions& options);
ResumedRun<Texts> open_text_run(const TrainOptions& options);

/// Throws Error if the folder already holds a run, or a file of these names that must not be overwritten.
void check_run_folder(const TrainOptions& options, const OutputGuard& guard, std::span<const char* const> files);
/// Removes half-written copies of these files, which a killed run left in its folder.
void enter_run_folder(const TrainOptions& options, std::span<const char* const> files);

/// Applies the widths, functions and norms given as options to any Transformer's configuration.
void take_widths(TransformerConfig& config, const TrainOptions& options);

/// Applies the optimiser's options to a recipe.
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

/// Returns the recipe; throws UsageError if no run can follow it.
template <class Recipe>
Recipe checked(Recipe recipe) {
    try {
        check(recipe);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
    return recipe;
}

/// The number of threads in the options, or all; at most the batch size.
int threads_of_run(const TrainOptions& options, int batch);

}  // namespace vitrine
