#pragma once

#include <memory>

namespace vitrine {

struct BenchOptions;
struct Model;

/// Prints the memory that a run of a model takes, as peaks of this process: the weights; a run that keeps every block,
/// one that keeps two, and one within the budget; the whole program with the last. The target follows, if there is one
/// for this model and size. `variant` is a random model, which is written and opened as a user's would be; without it
/// the options' own model. Throws Error if the system does not say how much memory is held.
int bench_memory(const BenchOptions& options, std::unique_ptr<Model> variant);

}  // namespace vitrine
