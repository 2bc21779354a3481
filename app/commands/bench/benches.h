#pragma once

#include <memory>

namespace vitrine {

struct BenchOptions;
struct Model;

/// Times a what-if at each block ℓ against its share of a pass, since only the last L − ℓ + 1 of L blocks are computed.
/// For a small model also times activation patching of all cells (block, token) against N · (L + 1) / 2 passes, the
/// same share summed over the cells.
int bench_what_if(const BenchOptions& options, const Model& model, int threads);

/// Prints the memory of a model's run as this process's peaks: with the weights alone; with a trace of every block, of
/// two blocks, and of those within the budget; and of the whole program with the last. Then the target for this model
/// and size, if there is one. `variant` is a random model, saved and opened like a user's file; null: the options'
/// model. Throws Error if the system does not report the process's memory.
int bench_memory(const BenchOptions& options, std::unique_ptr<Model> variant);

/// Times each shape of the product table by the library and by panels, on one thread, and prints the table's rows for
/// this library and vector unit: lines of core/tensor/product_table.inc.
void print_product_table();

}  // namespace vitrine
