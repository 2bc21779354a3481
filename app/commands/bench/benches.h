#pragma once

#include <memory>

namespace vitrine {

struct BenchOptions;
struct Model;

/// Times a what-if at each block ℓ against its share of a pass, since only the last L − ℓ + 1 of L blocks are computed.
/// For a small model also times activation patching of all cells (block, token) against N · (L + 1) / 2 passes, the
/// same share summed over the cells.
int bench_what_if(const BenchOptions& options, const Model& model, int threads);

/// Prints memory in MiB, as peaks of this process: of the weights; beside them of a run that keeps every block, one
/// that keeps two, and one within the budget; of the whole program with the last. Then whether the target for this
/// model and size, if there is one, is met. `variant` is a random model, saved and opened like a user's; null: the
/// options' model. Throws Error if the system does not report the process's memory.
int bench_memory(const BenchOptions& options, std::unique_ptr<Model> variant);

/// Times each shape of the product table by the library and by panels, on one thread, and prints the table's rows for
/// this library and vector unit: lines of core/tensor/product_table.inc.
void print_product_table();

}  // namespace vitrine
