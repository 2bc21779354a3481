#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/measures/rollout.h"
#include "core/vit/forward.h"
#include "tests/lively_model.h"

namespace vitrine {
namespace {

TEST(Rollout, RowsSumToOneWhateverIsChosen) {
    const Model model = lively_model(small_measured(), 4);
    const Trace trace = forward(model, wavy_picture(model.config));
    for (const HeadFusion fusion : {HeadFusion::mean, HeadFusion::max, HeadFusion::min})
        for (const float residual : {0.0F, 0.5F, 1.0F})
            for (const float discard : {0.0F, 0.45F, 1.0F}) {
                const std::vector<Tensor2> rollouts = rollout_by_block(trace, {fusion, residual, discard, 2, 3});
                ASSERT_EQ(rollouts.size(), 2U);
                for (const Tensor2& r : rollouts)
                    for (std::size_t i = 0; i < 10; ++i) {
                        const double sum = std::accumulate(&r(i, 0), &r(i, 0) + 10, 0.0);
                        EXPECT_NEAR(sum, 1, 1e-5) << residual << " " << discard;
                    }
                const bool alone = residual == 1.0F || discard == 1.0F;
                EXPECT_EQ(alone, std::abs(rollouts.back()(4, 4) - 1) < 1e-6F);
            }
}

TEST(Rollout, OfARangeIsTheProductOfItsSteps) {
    const Model model = lively_model(small_measured(), 5);
    const Trace trace = forward(model, wavy_picture(model.config));
    const Tensor2 low = attention_rollout(trace, {.last_block = 1}),
                  high = attention_rollout(trace, {.first_block = 2}), all = attention_rollout(trace);
    for (std::size_t i = 0; i < 10; ++i)
        for (std::size_t j = 0; j < 10; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 10; ++k)
                sum += static_cast<double>(high(i, k)) * static_cast<double>(low(k, j));
            EXPECT_NEAR(all(i, j), sum, 1e-5);
        }
}

TEST(BlockRange, StaysInsideTheModel) {
    EXPECT_EQ(block_range(1, 0, 12).last, 12);
    EXPECT_EQ(block_range(9, 4, 12).first, 4);
    EXPECT_EQ(block_range(3, 99, 12).last, 12);
}

}  // namespace
}  // namespace vitrine
