#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Dissimilarity of all pairs of heads in a run: the Jensen–Shannon divergence of their rows in nats, averaged over the
/// queries, 0 … ln 2 (Clark et al. 2019).      ->  (L·h, L·h), symmetric, block by block
Tensor2 head_divergences(const Trace& trace, const Progress& progress = {});

/// An order in which similar heads are adjacent: the leaves of an average-linkage tree, the tighter branch first.
/// Independent of the order of the rows, except that ties are broken by index.
///      (n, n)  ->  a permutation of 0 … n − 1
std::vector<int> cluster_order(const Tensor2& divergences);

/// The same tree cut into `count` branches: each head's branch, numbered in the order of `cluster_order`.
std::vector<int> cluster_branches(const Tensor2& divergences, int count);

}  // namespace vitrine
