#include <gtest/gtest.h>

#include <cmath>

#include "core/measures/attention_measures.h"
#include "core/measures/lens.h"
#include "core/measures/rollout.h"
#include "core/vit/forward.h"
#include "tests/lively_model.h"

namespace vitrine {
namespace {

/// A block whose attention is the same matrix in every head.
BlockTrace block_of(const Config& c, float (*weight)(std::size_t, std::size_t)) {
    const auto n = static_cast<std::size_t>(c.tokens()), heads = static_cast<std::size_t>(c.heads);
    BlockTrace b;
    b.attention = tensor3(heads, n, n);
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) b.attention(h, i, j) = weight(i, j);
    return b;
}

float uniform_weight(std::size_t, std::size_t) { return 0.1F; }  // 10 tokens
float own_weight(std::size_t i, std::size_t j) { return i == j ? 1.0F : 0.0F; }

TEST(Rollout, RowsSumToOneAndAttentionToOneselfGivesTheIdentity) {
    const Model model = random_model(small_measured(), 4);
    Tensor3 image = tensor3(3, 12, 12);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::sin(static_cast<float>(i));
    const Tensor2 rollout = attention_rollout(forward(model, image));
    for (std::size_t i = 0; i < 10; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 10; ++j) sum += static_cast<double>(rollout(i, j));
        EXPECT_NEAR(sum, 1, 1e-5);
    }
    Trace trace;
    for (int l = 0; l < 3; ++l) trace.add_block(std::make_shared<BlockTrace>(block_of(small_measured(), own_weight)));
    const Tensor2 identity = attention_rollout(trace);
    for (std::size_t i = 0; i < 10; ++i)
        for (std::size_t j = 0; j < 10; ++j) EXPECT_NEAR(identity(i, j), i == j ? 1 : 0, 1e-6);
}

TEST(MeanDistance, OfUniformAttentionIsTheMeanOverAllPairsOfPatchesAndOfOwnAttentionZero) {
    const Config c = small_measured();
    double sum = 0;
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 9; ++j) sum += 4 * std::hypot(i % 3 - j % 3, i / 3 - j / 3);
    EXPECT_NEAR(mean_attention_distance(block_of(c, uniform_weight), 1, c), 9.0 / 10 * sum / 81, 1e-5);
    EXPECT_EQ(mean_attention_distance(block_of(c, own_weight), 0, c), 0);
}

TEST(MeanEntropy, LiesBetweenZeroAndTheLogarithmOfTheTokens) {
    EXPECT_NEAR(mean_attention_entropy(block_of(small_measured(), uniform_weight), 0), std::log(10.0), 1e-5);
    EXPECT_EQ(mean_attention_entropy(block_of(small_measured(), own_weight), 0), 0);
}

TEST(TotalVariation, IsTheWeightThatLiesElsewhere) {
    const std::vector<float> a = {0.5F, 0.5F, 0, 0}, b = {0, 0, 0.25F, 0.75F}, c = {0.25F, 0.75F, 0, 0};
    EXPECT_EQ(total_variation(a, a), 0);
    EXPECT_EQ(total_variation(a, b), 1);
    EXPECT_EQ(total_variation(a, c), 0.25);
    EXPECT_EQ(total_variation(c, a), 0.25);
}

TEST(JensenShannon, IsZeroForEqualsSymmetricAndAtMostLnTwo) {
    const std::vector<float> a = {0.5F, 0.5F, 0, 0}, b = {0, 0, 0.25F, 0.75F}, c = {0.1F, 0.2F, 0.3F, 0.4F};
    EXPECT_EQ(jensen_shannon(a, a), 0);
    EXPECT_NEAR(jensen_shannon(a, b), std::log(2.0), 1e-7);
    EXPECT_NEAR(jensen_shannon(a, c), jensen_shannon(c, a), 1e-12);
    EXPECT_EQ(mean_head_divergence(block_of(small_measured(), uniform_weight)), 0);
}

TEST(LogitLens, AfterTheLastBlockItIsTheClassifier) {
    const Model model = random_model(small_measured(), 6);
    Tensor3 image = tensor3(3, 12, 12);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::cos(static_cast<float>(i));
    const Trace trace = forward(model, image);
    const Tensor2 lens = logit_lens(model, trace);
    ASSERT_EQ(lens.shape()[0], 4U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(lens(3, i), trace.head->logits(0, i), 1e-6);
}

}  // namespace
}  // namespace vitrine
