#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/measures/relevance.h"
#include "core/vit/backward.h"
#include "core/vit/forward.h"
#include "tests/lively_model.h"

namespace vitrine {
namespace {

TEST(Relevance, ItsGradientsAgreeWithCentralDifferences) {
    // ∂ logit / ∂ attention by nudging one weight of one head, the softmax left aside: an edit on the attention.
    const Model model = lively_model(small_measured(), 6);
    const Trace trace = forward(model, wavy_picture(model.config));
    Tensor2 target = tensor2(1, 4);
    std::fill(target.begin(), target.end(), 0.0F);
    target(0, 2) = 1.0F;
    FlatWeights none(model.config, FlatWeights::Room::nothing);
    const Trace gradients = backward({model, trace, {}, Keep::activations}, target, none);
    for (const int query : {0, 4}) {
        const auto logit = [&](float factor) {
            const Intervention nudge{Site::attention, {2, 1, query}, Scale{factor}};
            return static_cast<double>(what_if(model, trace, std::vector{nudge}).head->logits(0, 2));
        };
        const double measured = (logit(1.02F) - logit(0.98F)) / 0.04;
        double expected = 0;  // along the row: Σ A_ij ∂f/∂A_ij
        for (std::size_t j = 0; j < 10; ++j)
            expected += static_cast<double>(trace.block(2)->attention(1, static_cast<std::size_t>(query), j)) *
                        static_cast<double>(gradients.block(2)->attention(1, static_cast<std::size_t>(query), j));
        EXPECT_NEAR(measured, expected, 2e-3 * std::max(0.05, std::abs(expected))) << query;
    }
}

TEST(Relevance, WithoutRoomForWeightsTheActivationsGradientsAreTheSame) {
    for (const Norm norm : {Norm::before, Norm::after, Norm::none}) {
        Config c = small_measured();
        c.norm = norm;
        const Model model = lively_model(c, 7);
        const Trace trace = forward(model, wavy_picture(c));
        Tensor2 target = tensor2(1, 4);
        std::fill(target.begin(), target.end(), 0.25F);
        FlatWeights all(c), none(c, FlatWeights::Room::nothing);
        const Trace a = backward({model, trace, {}, Keep::activations}, target, all);
        const Trace b = backward({model, trace, {}, Keep::activations}, target, none);
        for (int l = 1; l <= 3; ++l) EXPECT_EQ(a.block(l)->attention, b.block(l)->attention);
        EXPECT_EQ(a.embedding->z, b.embedding->z);
    }
}

TEST(Relevance, StopsWhereverItIsToldToAndKeepsTheGradientsOfOneBlockAtATime) {
    Config c = small_measured();
    c.image_height = c.image_width = 64;  // 257 tokens: attention outweighs all else
    c.heads = 4;
    c.blocks = 6;
    const Model model = lively_model(c, 9);
    const Trace trace = forward(model, wavy_picture(c));
    const auto whole = relevance_by_block({model, trace, {}, {1, {}}});
    std::size_t reports = 0;
    double before = 0;
    memory_pool::reset_peak();
    const std::size_t in_use = memory_pool::bytes_in_use();
    relevance_by_block({model, trace, {}, {1, {}}}, [&](double fraction) {
        EXPECT_GE(fraction, before);
        before = fraction;
        ++reports;
    });
    const std::size_t map = 257 * 257 * sizeof(float), kept = memory_pool::peak_bytes_in_use() - in_use;
    EXPECT_GE(reports, 11U) << "each block on the way back, and on the way forth";
    EXPECT_LT(kept, map * (6 + 4 * 4)) << "six maps, and one block's gradients of four heads";
    for (std::size_t stop = 1; stop <= reports; ++stop) {
        std::size_t left = stop;
        const Progress cancel = [&](double) {
            if (--left == 0) throw Cancelled();
        };
        EXPECT_THROW(relevance_by_block({model, trace, {}, {1, {}}}, cancel), Cancelled);
    }
    const auto last = relevance_by_block({model, trace, {}, {1, {}}, 5, 6});
    ASSERT_EQ(last.size(), 2U);
    const auto first = relevance_by_block({model, trace, {}, {1, {}}, 1, 2});
    EXPECT_EQ(first[1], whole[1]) << "a range that ends early is the beginning of the whole";
}

TEST(Relevance, OfAClassAgainstAnotherIsItsOwnWithSignsTurned) {
    const Model model = lively_model(small_measured(), 8);
    const Trace trace = forward(model, wavy_picture(model.config));
    const Tensor2 alone = relevance_by_block({model, trace, {}, {1, {}}}).back();
    const Tensor2 same = relevance_by_block({model, trace, {}, {1, 1}}).back();
    EXPECT_GT(alone(0, 3), 0.0F);
    for (std::size_t i = 0; i < 10; ++i)
        for (std::size_t j = 0; j < 10; ++j)
            EXPECT_NEAR(same(i, j), i == j ? 1 : 0, 1e-6) << "a class has no lead over itself";
}

}  // namespace
}  // namespace vitrine
