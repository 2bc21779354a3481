#pragma once

#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Principal components of rows, the one with the most variance first. Signs are free in theory; here the largest
/// number of each component is positive.
struct Components {
    Tensor2 directions;            // (k, d)  of length 1
    Tensor2 scores;                // (n, k)  ⟨row − mean, direction⟩
    std::vector<float> explained;  // (k)     share of the variance, 0 … 1
};
/// rows (n, d)  ->  k components, fewer where the rows span fewer dimensions.
Components principal_components(const Tensor2& rows, int count);

/// The first principal components of the patch filters as little pictures (ViT paper, Fig. 7 left).
///   E (D, C·P·P)  ->  (k, C·P·P), in the order (c, y, x)
Components filter_components(const Model& model, int count);

/// The patch tokens of a level along their first three components.      ->  (N_p, 3)
Components token_components(const Config& config, const Trace& trace, int level);

}  // namespace vitrine
