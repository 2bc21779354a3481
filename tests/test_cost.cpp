#include <gtest/gtest.h>

#include "core/vit/cost.h"
#include "core/vit/model.h"

namespace vitrine {
namespace {

/// A plain Vision Transformer for square images.
Config plain(int blocks, int width, int heads, int hidden, int patch, int image, int classes) {
    Config c;
    c.blocks = blocks;
    c.embedding_dim = width;
    c.heads = heads;
    c.mlp_dim = hidden;
    c.patch_size = patch;
    c.image_height = c.image_width = image;
    c.classes = classes;
    return c;
}

TEST(Cost, CountsTheParametersThatAModelOfThatShapeHas) {
    for (const int hidden : {24, 96}) {
        const Config c = plain(3, 16, 4, hidden, 8, 24, 5);
        const Model model = random_model(c, 1);
        EXPECT_EQ(cost_of(c).parameters, static_cast<double>(model.weights.parameter_count()));
    }
}

TEST(Cost, CountsModelsWithoutQkvBiasAndOfOblongImagesAsTheyAre) {
    for (const bool biased : {true, false})
        for (const int classes : {0, 5}) {
            Config c;
            c.image_height = 14 * 2;
            c.image_width = 14 * 4;
            c.patch_size = 2;
            c.embedding_dim = 12;
            c.heads = 3;
            c.blocks = 2;
            c.mlp_dim = 20;
            c.classes = classes;
            c.query_bias = c.key_bias = c.value_bias = biased;
            const Model model = random_model(c, 1);
            EXPECT_EQ(cost_of(c).parameters, static_cast<double>(model.weights.parameter_count()));
        }
}

TEST(Cost, OfTheLargestShapeThatASessionMayHoldIsAPositiveNumber) {
    Config largest = plain(1000, 100000, 1000, 1000000, 1, 10000, 1000000);
    largest.channels = 1000;
    const Cost c = cost_of(largest);
    EXPECT_NEAR(c.attention_bytes, 4e6 * 1e16, 1e18);
    EXPECT_NEAR(c.attention_multiply_adds, 2e8 * 1e16, 1e18);
    EXPECT_GT(c.multiply_adds, c.attention_multiply_adds);
    EXPECT_GT(c.trace_bytes, c.attention_bytes);
}

TEST(Cost, GivesTheFiguresOfThePaper) {
    EXPECT_NEAR(cost_of(plain(12, 768, 12, 3072, 16, 224, 1000)).parameters, 86.6e6, 0.05e6);
    EXPECT_NEAR(cost_of(plain(24, 1024, 16, 4096, 16, 224, 1000)).parameters, 304.3e6, 0.05e6);
    EXPECT_NEAR(cost_of(plain(32, 1280, 16, 5120, 14, 224, 1000)).parameters, 632e6, 0.5e6);
    EXPECT_NEAR(cost_of(plain(12, 768, 12, 3072, 16, 224, 1000)).multiply_adds, 17.58e9, 0.05e9);
}

TEST(Cost, AttentionGrowsWithTheSquareOfTheTokensAndParametersHardlyAtAll) {
    const Cost coarse = cost_of(plain(12, 768, 12, 3072, 16, 224, 1000)),
               fine = cost_of(plain(12, 768, 12, 3072, 8, 224, 1000));
    EXPECT_EQ(fine.attention_multiply_adds * 197 * 197, coarse.attention_multiply_adds * 785 * 785);
    EXPECT_LT(fine.parameters, 1.01 * coarse.parameters);
}

}  // namespace
}  // namespace vitrine
