#pragma once

#include <memory>

namespace vitrine {

struct BenchOptions;
struct Model;

/// Prints what a run of a model takes, as peaks of this process's memory: the weights, a run of which every block is
/// kept, one of which two are, one within the budget, and the whole program with it; beside the target, if there is
/// one for this model and size. `variant` is a random model, which is written and opened as a user's would be; without
/// it the options' own model. Throws Error if the system does not say how much memory is held.
int bench_memory(const BenchOptions& options, std::unique_ptr<Model> variant);

}  // namespace vitrine
