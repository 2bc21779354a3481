#pragma once

#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Principal components of rows, largest variance first. Their signs are arbitrary; here the number of largest
/// magnitude in each direction is positive.
struct Components {
    Tensor2 directions;            // (k, d)  unit vectors
    Tensor2 scores;                // (n, k)  ⟨row − mean, direction⟩
    std::vector<float> explained;  // (k)     share of the variance, 0 … 1
};
/// rows (n, d)  ->  k components, or fewer if the rows span fewer dimensions.
Components principal_components(const Tensor2& rows, int count);

/// The first `count` principal components of the patch filters, each a small picture (ViT paper, Fig. 7 left).
/// E (D, C·P·P)  ->  (k, C·P·P), in the order (c, y, x)
Components filter_components(const Model& model, int count);

/// The first three principal components of the patch tokens at a level; their scores are (N_p, 3).
Components token_components(const Config& config, const Trace& trace, int level);

}  // namespace vitrine
