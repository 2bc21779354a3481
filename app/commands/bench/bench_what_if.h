#pragma once

namespace vitrine {

struct BenchOptions;
struct Model;

/// Times a what-if in every block against its share of the pass: of a run of L blocks, one at block ℓ computes the last
/// L − ℓ + 1. Where the model is small, activation patching of all cells, too, against N · (L + 1) / 2 passes: each
/// cell starts at its block.
int bench_what_if(const BenchOptions& options, const Model& model, int threads);

}  // namespace vitrine
