#include <gtest/gtest.h>

#include <cmath>

#include "core/measures/analysis.h"
#include "core/tensor/entropy.h"
#include "core/vit/embedding.h"
#include "core/vit/forward.h"
#include "core/vit/model.h"

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

TEST(Asymmetry, IsZeroWhereRoundingAloneMakesIt) {
    BlockTrace block;
    block.q = tensor3(1, 40, 16);
    block.scores = tensor3(1, 40, 40);
    for (std::size_t i = 0; i < 40; ++i)
        for (std::size_t j = 0; j < 40; ++j) block.scores(0, i, j) = 2.0F + static_cast<float>(i * j) / 100;
    float& score = block.scores(0, 35, 39);
    score = std::nextafter(std::nextafter(score, 100.0F), 100.0F);
    EXPECT_EQ(asymmetry(block, 0), 0);
    block.scores(0, 3, 39) += 1e-3F;
    EXPECT_NEAR(asymmetry(block, 0), 1e-3, 1e-5);
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

/// One image through a small random model.
struct SmallRun {
    Model model;
    Trace trace;
};
SmallRun small_run() {
    Config c;
    c.image_height = c.image_width = 16;
    c.patch_size = 8;
    c.embedding_dim = 16;
    c.heads = 4;
    c.blocks = 2;
    c.mlp_dim = 24;
    c.classes = 3;
    SmallRun run{random_model(c, 9), {}};
    Tensor3 image = tensor3(3, 16, 16);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = static_cast<float>(i % 7) / 7 - 0.4F;
    run.trace = forward(run.model, image);
    return run;
}

TEST(HeadContributions, AndTheBiasSumToWhatTheBlockAdds) {
    const SmallRun run = small_run();
    for (int l = 1; l <= 2; ++l)
        for (int token = 0; token < 5; ++token) {
            const auto block = run.trace.block(l);
            const LinearWeights& projection = run.model.weights.blocks[static_cast<std::size_t>(l - 1)].projection;
            const Tensor2 added = head_contributions(*block, projection, token);
            for (std::size_t f = 0; f < 16; ++f) {
                float sum = projection.bias(f);
                for (std::size_t head = 0; head < 4; ++head) sum += added(head, f);
                EXPECT_NEAR(sum, block->msa(static_cast<std::size_t>(token), f), 1e-6F);
            }
            for (int head = 0; head < 4; ++head)
                EXPECT_NEAR(head_contribution_norms(*block, projection, head)[static_cast<std::size_t>(token)],
                            row_norms(added)[static_cast<std::size_t>(head)], 1e-6F);
        }
}

TEST(ValueWeightedNorms, AreTheLengthsOfTheTermsThatSumToTheHead) {
    const SmallRun run = small_run();
    const auto block = run.trace.block(2);
    const std::vector<float> norms = value_weighted_norms(*block, 2, 3);
    for (std::size_t j = 0; j < norms.size(); ++j) {
        float squares = 0;
        for (std::size_t f = 0; f < 4; ++f) squares += std::pow(block->attention(2, 3, j) * block->v(2, j, f), 2.0F);
        EXPECT_NEAR(norms[j], std::sqrt(squares), 1e-6F);
    }
}

TEST(SkipRatios, AreTheMeanLengthOfABranchAgainstWhatItIsAddedTo) {
    const SmallRun run = small_run();
    const std::vector<SkipRatio> ratios = skip_ratios(run.trace);
    ASSERT_EQ(ratios.size(), 2U);
    double expected = 0;
    const std::vector<float> z = row_norms(run.trace.z(1)), branch = row_norms(run.trace.block(2)->msa);
    for (std::size_t i = 0; i < 5; ++i) expected += static_cast<double>(branch[i]) / static_cast<double>(z[i]) / 5;
    EXPECT_NEAR(ratios[1].attention, expected, 1e-9);
}

TEST(RankCorrelation, IsOneForTheSameOrderAndMinusOneForTheReverse) {
    const std::vector<float> a = {1, 5, 2, 9}, doubled = {2, 10, 4, 18}, reversed = {9, 2, 5, 1}, flat = {3, 3, 3, 3};
    EXPECT_NEAR(rank_correlation(a, doubled), 1, 1e-6);
    EXPECT_NEAR(rank_correlation(a, reversed), -1, 1e-6);
    EXPECT_EQ(rank_correlation(a, flat), 0);
}

TEST(CrossEntropy, IsMinusLogOfTheProbabilityAndLnMForEqualLogits) {
    const std::vector<float> logits = {1.0F, 3.0F, -2.0F}, equal(7, 0.4F), huge = {200.0F, -200.0F};
    const double sum = std::exp(1.0) + std::exp(3.0) + std::exp(-2.0);
    EXPECT_NEAR(cross_entropy(logits, 0), -std::log(std::exp(1.0) / sum), 1e-9);
    EXPECT_NEAR(cross_entropy(equal, 2), std::log(7.0), 1e-9);
    EXPECT_NEAR(cross_entropy(huge, 1), 400, 1e-6) << "exact where the probability rounds to 0";
}

TEST(Largest, ComesInOrderAndEqualOnesByIndex) {
    const std::vector<float> values = {1, 4, 4, 2};
    EXPECT_EQ(largest(values, 3), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(largest(values, 9).size(), 4U);
}

}  // namespace
}  // namespace vitrine
