#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/studies/normalisation.h"
#include "tests/golden_files.h"

namespace vitrine {
namespace {

struct Golden {
    GoldenFile file{"values/ops.safetensors"};
    LayerNormWeights weights{whole("gamma"), whole("beta")};

    std::span<const float> row(int i) { return file["a"].subspan(static_cast<std::size_t>(i) * 37, 37); }
    std::span<const float> row(const char* name, int i) {
        return file[name].subspan(static_cast<std::size_t>(i) * 37, 37);
    }
    Parameter whole(const char* name) { return {file.file().floats(name), {37}}; }
};

TEST(NormStages, CentredHasMeanZeroAndScaledHasDeviationOneNotMaximumOne) {
    Golden g;
    for (int i = 0; i < 5; ++i) {
        const NormStages s = norm_stages(g.row(i), g.weights, 1e-6);
        EXPECT_NEAR(moments_of(s.centred).mean, 0, 1e-6);
        EXPECT_NEAR(moments_of(s.scaled).mean, 0, 1e-6);
        EXPECT_NEAR(moments_of(s.scaled).deviation, 1, 1e-5);
        EXPECT_GT(*std::max_element(s.scaled.begin(), s.scaled.end()), 1.2F);
    }
}

TEST(NormStages, EndInWhatPyTorchGives) {
    Golden g;
    for (int i = 0; i < 5; ++i) {
        const NormStages s = norm_stages(g.row(i), g.weights, 1e-6);
        EXPECT_LT(largest_difference(s.out, g.row("layer_norm", i)), 2e-5F);
    }
}

TEST(AnnotatedLayerNorm, IsWhatItsFormulaGivesInPyTorchAndSmallerBecauseItsDeviationIsLarger) {
    Golden g;
    for (int i = 0; i < 5; ++i) {
        const std::vector<float> scaled = scaled_outside_root(g.row(i), 1e-6);
        std::vector<float> out;
        for (std::size_t f = 0; f < 37; ++f) out.push_back(g.weights.gamma(f) * scaled[f] + g.weights.beta(f));
        EXPECT_LT(largest_difference(out, g.row("annotated_layer_norm", i)), 2e-5F);
        const NormStages s = norm_stages(g.row(i), g.weights, 1e-6);
        EXPECT_NEAR(annotated_ratio(g.row(i), 1e-6), std::sqrt(36.0 / 37.0), 1e-4);
        for (std::size_t f = 0; f < 37; ++f)
            EXPECT_NEAR(scaled[f], static_cast<double>(s.scaled[f]) * annotated_ratio(g.row(i), 1e-6), 1e-5);
    }
}

TEST(Outliers, AreBeyondTheLimitLargestFirst) {
    const std::vector<float> scaled = {0.1F, -4.0F, 3.5F, 2.9F};
    EXPECT_EQ(outliers(scaled, 3), (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace vitrine
