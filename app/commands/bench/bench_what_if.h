#pragma once

namespace vitrine {

struct BenchOptions;
struct Model;

/// Times a what-if at each block ℓ against its share of a pass, since only the last L − ℓ + 1 of L blocks are computed.
/// For a small model also times activation patching of all cells (block, token) against N · (L + 1) / 2 passes, the
/// same share summed over the cells.
int bench_what_if(const BenchOptions& options, const Model& model, int threads);

}  // namespace vitrine
