#pragma once

#include <vector>

#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Lengths of the tokens at every level, and the outliers among them.
struct TokenNorms {
    Tensor2 norms;  // (L + 1, N)  ‖z_ℓ,i‖
    struct Level {
        float median = 0, deviation = 0;  // of the patch tokens' lengths; deviation: 1.4826 · median |x − median|
        std::vector<int> outliers;        // patch tokens more than `reach` deviations above the median
    };
    std::vector<Level> levels;  // L + 1
};
/// Threshold of a robust z-score, since absolute thresholds do not transfer between models. (Darcet et al. 2024 found
/// such patches, which models use like registers.)
inline constexpr float outlier_reach = 5.0F;
TokenNorms token_norms(const Config& config, const Trace& trace, float reach = outlier_reach);

/// A massive activation (Sun et al. 2024): |z| > 100 and at least 1000 times the median magnitude at its level.
struct MassiveActivation {
    int level = 0, token = 0, feature = 0;
    float value = 0, times_median = 0;
};
/// The massive activations of all levels, by level, the largest first.
std::vector<MassiveActivation> massive_activations(const Trace& trace);

}  // namespace vitrine
