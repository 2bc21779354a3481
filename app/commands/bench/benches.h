#pragma once

#include <memory>

namespace vitrine {

struct BenchOptions;
struct Model;

/// Times a what-if at each block ℓ against its share of a pass, since only the last L − ℓ + 1 of L blocks are computed.
/// For a small model also times activation patching of all cells (block, token) against N · (L + 1) / 2 passes, the
/// same share summed over the cells.
int bench_what_if(const BenchOptions& options, const Model& model, int threads);

/// Prints the memory that a run of a model takes, as peaks of this process: the weights; a run that keeps every block,
/// one that keeps two, and one within the budget; the whole program with the last. The target follows, if there is one
/// for this model and size. `variant` is a random model, which is written and opened as a user's would be; without it
/// the options' own model. Throws Error if the system does not say how much memory is held.
int bench_memory(const BenchOptions& options, std::unique_ptr<Model> variant);

/// Times each shape of the product table by every way of this build on one thread, and prints the table's rows for this
/// library and vector unit: lines of core/tensor/product_table.inc.
void print_product_table();

}  // namespace vitrine
