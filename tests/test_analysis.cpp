#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis.h"

namespace vitrine {
namespace {

HeadTrace head_with(std::vector<float> logits) {
    HeadTrace head;
    head.logits = tensor2(1, logits.size());
    std::copy(logits.begin(), logits.end(), head.logits.data());
    head.probabilities = softmax(head.logits);
    return head;
}

TEST(Prediction, AreSortedByLogitAndEqualOnesByIndex) {
    const auto top = top_predictions(head_with({1, 3, 3, -2}), 3);
    ASSERT_EQ(top.size(), 3U);
    EXPECT_EQ(top[0].index, 1);
    EXPECT_EQ(top[1].index, 2);
    EXPECT_EQ(top[2].index, 0);
    EXPECT_TRUE(top_predictions(HeadTrace(), 5).empty());
    EXPECT_EQ(top_predictions(head_with({1, 2}), 5).size(), 2U);
}

TEST(Prediction, WhatWasBestBeforeIsAlwaysAmongTheChanges) {
    const HeadTrace before = head_with({9, 0, 0, 0}), now = head_with({-9, 3, 2, 1});
    const auto changes = top_changes(now, before, 2);
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].now.index, 1);
    EXPECT_EQ(changes[1].now.index, 0);
    EXPECT_GT(changes[1].probability_before, 0.99F);
}

TEST(Entropy, IsZeroForCertaintyAndLogNForUniform) {
    const std::vector<float> certain = {0, 1, 0}, uniform(8, 0.125F);
    EXPECT_EQ(entropy(certain), 0.0F);
    EXPECT_NEAR(entropy(uniform), std::log(8.0), 1e-6);
}

TEST(CosineSimilarity, IsOneWithItselfSymmetricAndBlindToLength) {
    const std::vector<float> rows = {1, 2, 3, -2, -4, -6, 0, 0, 0, 3, 0, -1};
    const Tensor2 s = cosine_similarity(rows.data(), 4, 3);
    EXPECT_NEAR(s(0, 0), 1, 1e-6);
    EXPECT_NEAR(s(0, 1), -1, 1e-6);
    EXPECT_NEAR(s(0, 3), 0, 1e-6);
    EXPECT_EQ(s(2, 0), 0) << "a row of zeros is similar to nothing";
    EXPECT_EQ(s(1, 3), s(3, 1));
}

TEST(Summary, TellsMeanDeviationExtremesAndLength) {
    const std::vector<float> v = {1, 2, 3, 6};
    const Summary s = summarise(v);
    EXPECT_FLOAT_EQ(s.mean, 3);
    EXPECT_NEAR(s.deviation, std::sqrt(3.5), 1e-6);
    EXPECT_EQ(s.least, 1);
    EXPECT_EQ(s.most, 6);
    EXPECT_NEAR(s.norm, std::sqrt(50.0), 1e-5);
}

TEST(LargestPatchWeight, LeavesTheClassTokenOutAndTakesTheLargestOfItsScope) {
    BlockTrace block;
    block.attention = tensor3(2, 3, 3);
    std::fill(block.attention.begin(), block.attention.end(), 0.1F);
    block.attention(0, 1, 0) = 0.9F;  // on the class token
    block.attention(0, 1, 2) = 0.3F;
    block.attention(1, 1, 1) = 0.5F;
    EXPECT_FLOAT_EQ(largest_patch_weight(block, 0, 1), 0.3F);
    EXPECT_FLOAT_EQ(largest_patch_weight(block, 1), 0.5F);
    Trace trace;
    trace.blocks = {std::make_shared<BlockTrace>(block)};
    EXPECT_FLOAT_EQ(largest_patch_weight(trace, 1), 0.5F);
}

TEST(FilterProduct, SumsToTheNumberOfThePatchEmbedding) {
    Tensor3 image = tensor3(3, 4, 6);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::sin(static_cast<float>(i));
    const std::shared_ptr<float[]> values(new float[5 * 12 + 5]);
    for (std::size_t i = 0; i < 65; ++i) values[i] = std::cos(static_cast<float>(i));
    const LinearWeights w{{std::shared_ptr<const float>(values, values.get()), {5, 12}},
                          {std::shared_ptr<const float>(values, values.get() + 60), {5}},
                          {}};
    const Tensor2 expected = linear(w, patches_as_rows(image, 3, 2));
    const FilterProduct f = filter_product(image, w, 4, 3);
    EXPECT_NEAR(f.result, expected(4, 3), 1e-5);
    EXPECT_FLOAT_EQ(f.result, f.sum + f.bias);
    EXPECT_EQ(f.patch.size(), 12U);
}

TEST(TopPredictions, PutWhatIsNotANumberLast) {
    HeadTrace head;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    head.logits = Tensor2{{nan, 1.0F, nan, 2.0F}};
    head.probabilities = head.logits;
    std::vector<int> order;
    for (const Prediction& p : top_predictions(head, 4)) order.push_back(p.index);
    EXPECT_EQ(order, (std::vector<int>{3, 1, 0, 2}));
}

}  // namespace
}  // namespace vitrine
