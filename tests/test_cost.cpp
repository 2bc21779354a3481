#include <gtest/gtest.h>

#include "core/cost.h"
#include "core/model.h"

namespace vitrine {
namespace {

TEST(Cost, CountsTheParametersThatAModelOfThatShapeHas) {
    for (const int hidden : {24, 96}) {
        Config c;
        c.image_height = c.image_width = 24;
        c.patch_size = 8;
        c.embedding_dim = 16;
        c.heads = 4;
        c.blocks = 3;
        c.mlp_dim = hidden;
        c.classes = 5;
        const Model model = random_model(c, 1);
        EXPECT_EQ(cost_of({3, 16, 4, hidden, 8, 24, 5}).parameters,
                  static_cast<std::int64_t>(model.weights.parameter_count()));
    }
}

TEST(Cost, GivesTheFiguresOfThePaper) {
    EXPECT_NEAR(static_cast<double>(cost_of({12, 768, 12, 3072, 16, 224, 1000}).parameters), 86.6e6, 0.05e6);
    EXPECT_NEAR(static_cast<double>(cost_of({24, 1024, 16, 4096, 16, 224, 1000}).parameters), 304.3e6, 0.05e6);
    EXPECT_NEAR(static_cast<double>(cost_of({32, 1280, 16, 5120, 14, 224, 1000}).parameters), 632e6, 0.5e6);
    EXPECT_NEAR(static_cast<double>(cost_of({12, 768, 12, 3072, 16, 224, 1000}).multiply_adds), 17.58e9, 0.05e9);
}

TEST(Cost, AttentionGrowsWithTheSquareOfTheTokensAndParametersHardlyAtAll) {
    const Cost coarse = cost_of({12, 768, 12, 3072, 16, 224, 1000}), fine = cost_of({12, 768, 12, 3072, 8, 224, 1000});
    EXPECT_EQ(fine.attention_multiply_adds * 197 * 197, coarse.attention_multiply_adds * 785 * 785);
    EXPECT_LT(static_cast<double>(fine.parameters), 1.01 * static_cast<double>(coarse.parameters));
}

}  // namespace
}  // namespace vitrine
