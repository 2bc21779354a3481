#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "app/commands/commands.h"
#include "core/base/output_guard.h"
#include "core/training/crew.h"
#include "core/training/runs/run_file.h"

namespace vitrine {

/// A run of learning as `vitrine train` drives it, whatever it learns.
class DrivenRun {
public:
    struct Step {
        std::uint64_t step = 0;
        double loss = 0, learning_rate = 0, gradient_norm = 0;
    };

    virtual ~DrivenRun() = default;

    /// What it learns from, "pictures", and is tried on, "fresh pictures". JSON counts by the first.
    virtual const char* things() const = 0;
    virtual const char* tried_on() const = 0;
    /// How far it had come when it was opened.
    virtual RunProgress begun() const = 0;
    virtual std::uint64_t seen() const = 0;
    /// The share that is over, where a number of things is promised; else the time that is.
    virtual double promised_share() const = 0;
    virtual std::optional<double> promised_seconds() const = 0;
    /// How many different things it learns from, where they come again and again.
    virtual std::optional<std::uint64_t> distinct() const { return {}; }

    virtual Step step(double progress) = 0;
    /// "accuracy" on so many things that it does not learn from, and what else a line of metrics says.
    virtual nlohmann::ordered_json tries(int count) = 0;
    /// The checkpoint to go on from, and the model as it stands.
    virtual void save(const std::filesystem::path& folder, const RunProgress& progress, Precision precision) const = 0;
    virtual const TrainerTimes& times() const = 0;
};

/// A run, new or gone on with, as the options say. Throws Error and UsageError.
std::unique_ptr<DrivenRun> open_picture_run(const TrainOptions& options);
std::unique_ptr<DrivenRun> open_text_run(const TrainOptions& options);

/// Error where the folder is not free for a new run that writes these files.
void check_run_folder(const TrainOptions& options, const OutputGuard& guard, std::span<const char* const> files);
/// Makes it ready for a run that goes on.
void enter_run_folder(const TrainOptions& options, std::span<const char* const> files);

/// The widths, functions and norms of any Transformer that the options name.
void take_widths(TransformerConfig& config, const TrainOptions& options);

/// What any recipe says of the optimiser, as far as the options name it.
template <class AnyRecipe>
void take_optimiser(AnyRecipe& r, const TrainOptions& o) {
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
