#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/transformer/editor.h"
#include "core/vit/experiment.h"
#include "core/vit/forward.h"
#include "tests/block_models.h"

namespace vitrine {
namespace {

Trace edited_run(const std::vector<Intervention>& edits) {
    static const Model model = random_model(four_patches(), 3);
    Tensor3 image = tensor3(3, 16, 16);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = static_cast<float>(i % 13) / 13;
    return what_if(model, forward(model, image), edits);
}

template <class T>
bool all_zero(const T& tensor) {
    return std::all_of(tensor.begin(), tensor.end(), [](float x) { return x == 0.0F; });
}

TEST(Intervention, EverySiteOfABlockCanBeSwitchedOffAndItsNeighbourBlockIsUntouched) {
    const auto at = [](Site site) { return edited_run({{site, {2, {}, {}}, Scale{0}}}); };
    EXPECT_TRUE(all_zero(at(Site::q).block(2)->q));
    EXPECT_TRUE(all_zero(at(Site::k).block(2)->k));
    EXPECT_TRUE(all_zero(at(Site::v).block(2)->v));
    EXPECT_TRUE(all_zero(at(Site::scores).block(2)->scores));
    EXPECT_TRUE(all_zero(at(Site::attention).block(2)->attention));
    EXPECT_TRUE(all_zero(at(Site::heads).block(2)->heads));
    EXPECT_TRUE(all_zero(at(Site::msa).block(2)->msa));
    EXPECT_TRUE(all_zero(at(Site::mlp_hidden).block(2)->mlp.hidden));
    EXPECT_TRUE(all_zero(at(Site::mlp_activation).block(2)->mlp.activation));
    EXPECT_TRUE(all_zero(at(Site::mlp_out).block(2)->mlp.out));
    EXPECT_FALSE(all_zero(at(Site::mlp_out).block(1)->mlp.out));
}

TEST(Intervention, AHeadATokenAndAScaleTouchOnlyTheirPart) {
    const Trace base = edited_run({});
    const Trace head = edited_run({remove_head(1, 1)});
    EXPECT_EQ(head.block(1)->heads(1, 2, 3), 0.0F);
    EXPECT_EQ(head.block(1)->heads(0, 2, 3), base.block(1)->heads(0, 2, 3));
    const Trace patch = edited_run({remove_token(3)});
    EXPECT_EQ(patch.embedding->tokens(3, 5), 0.0F);
    EXPECT_EQ(patch.embedding->tokens(2, 5), base.embedding->tokens(2, 5));
    const Trace half = edited_run({{Site::scores, {1, 0, 2}, Scale{0.5F}}});
    EXPECT_FLOAT_EQ(half.block(1)->scores(0, 2, 1), 0.5F * base.block(1)->scores(0, 2, 1));
    EXPECT_EQ(half.block(1)->scores(1, 2, 1), base.block(1)->scores(1, 2, 1));
    EXPECT_EQ(half.block(1)->scores(0, 1, 1), base.block(1)->scores(0, 1, 1));
}

TEST(Intervention, WithoutPositionsZ0IsTheTokensThemselves) {
    const Trace trace = edited_run({remove_positions()});
    EXPECT_EQ(trace.embedding->z, trace.embedding->tokens);
}

TEST(Intervention, KeysThatAreQueriesMakeTheScoresSymmetric) {
    const Trace trace = edited_run({key_is_query(2)});
    const auto block = trace.block(2);
    EXPECT_EQ(block->k, block->q);
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(block->scores(1, i, j), block->scores(1, j, i), 1e-9F);
    EXPECT_EQ(edited_run({value_is_query(1)}).block(1)->v, edited_run({}).block(1)->q);
}

TEST(Intervention, WithoutScalingTheScoresAreRootDTimesLarger) {
    const Trace base = edited_run({}), unscaled = edited_run({without_scaling(1)});
    const float root = std::sqrt(8.0F);  // d = 16 / 2
    EXPECT_FLOAT_EQ(unscaled.block(1)->scores(1, 2, 3), root * base.block(1)->scores(1, 2, 3));
    EXPECT_EQ(edited_run({temperature(1 / root, 1)}).block(1)->attention, unscaled.block(1)->attention);
}

TEST(Intervention, ShufflingPatchesPermutesTokensAndLeavesTheClassTokenOnlyWithoutPositions) {
    const Trace base = edited_run({remove_positions()}), shuffled = edited_run({remove_positions(), shuffle_tokens(2)});
    const std::vector<int> order = shuffled_order(4, 2);
    EXPECT_NE(order, (std::vector<int>{0, 1, 2, 3}));
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t f = 0; f < 16; ++f)
            EXPECT_NEAR(shuffled.z(2)(i + 1, f), base.z(2)(static_cast<std::size_t>(order[i]) + 1, f), 1e-5F);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(shuffled.head->logits(0, c), base.head->logits(0, c), 1e-5F);
    const Trace with = edited_run({}), with_shuffled = edited_run({shuffle_tokens(2)});
    float largest = 0;
    for (std::size_t c = 0; c < 3; ++c)
        largest = std::max(largest, std::abs(with.head->logits(0, c) - with_shuffled.head->logits(0, c)));
    EXPECT_GT(largest, 1e-5F);
}

TEST(Intervention, WithoutSkipsABlockIsItsBranchesAlone) {
    const auto block = edited_run({without_skips(2)}).block(2);
    EXPECT_EQ(block->residual, block->msa);
    EXPECT_EQ(*block->z, block->mlp.out);
}

TEST(Intervention, PostNormNormalisesTheSumsAndNoNormPassesThemOn) {
    const Trace after = edited_run({normalise(Norm::after)});
    for (int block = 1; block <= after.blocks(); ++block)
        for (std::size_t row = 0; row < 5; ++row) {
            float mean = 0;  // γ = 1 and β = 0 in a random model
            for (std::size_t f = 0; f < 16; ++f) mean += after.z(block)(row, f) / 16;
            EXPECT_NEAR(mean, 0, 1e-5F);
        }
    const Trace none = edited_run({normalise(Norm::none, 1)});
    EXPECT_EQ(none.block(1)->ln1.out, none.embedding->z);
    EXPECT_EQ(none.block(1)->ln2.out, none.block(1)->residual);
    EXPECT_NE(none.block(2)->ln1.out, none.z(1));
}

TEST(Intervention, AnotherActivationIsAppliedToThePreActivationsOfItsBlockAlone) {
    const Trace trace = edited_run({activate_with(Activation::relu, 1)});
    const auto block = trace.block(1);
    const MlpTrace& mlp = block->mlp;
    for (std::size_t i = 0; i < mlp.hidden.size(); ++i)
        EXPECT_EQ(mlp.activation.data()[i], std::max(0.0F, mlp.hidden.data()[i]));
    EXPECT_LT(*std::min_element(trace.block(2)->mlp.activation.begin(), trace.block(2)->mlp.activation.end()), 0);
}

TEST(Intervention, IsFirstFeltInItsOwnBlock) {
    EXPECT_EQ(first_block(std::vector<Intervention>{remove_mlp(2)}, 2), 2);
    EXPECT_EQ(first_block(std::vector<Intervention>{remove_mlp(2), remove_token(1)}, 2), 0);
    EXPECT_EQ(first_block({}, 2), 3);
}

/// Which of 64 ones a dropout of one half leaves at a site of block 3.
std::uint64_t kept(Site site) {
    const std::vector<Intervention> edits = {{site, {}, Drop{0.5F, 7}}};
    Tensor3 ones = tensor3(1, 64, 1);
    for (float& x : ones) x = 1;
    Editor(edits, {1, 64})(site, 3, ones);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 64; ++i)
        if (ones(0, i, 0) != 0) bits |= std::uint64_t{1} << i;
    return bits;
}

TEST(Intervention, DropoutIsTheSameBitsAtASiteWhateverTheOrderOfTheSites) {
    const std::pair<Site, std::uint64_t> sites[] = {
        {Site::embedded, 0x2B479EFE8BF1A211},   {Site::tokens, 0x52B05CBABB97D3A1},
        {Site::q, 0xCB3945F0C3F1AFC8},          {Site::k, 0x7AE48C42A4694AED},
        {Site::v, 0x7E058BE6DC7174FD},          {Site::scores, 0x3B97ED2F3E614FAD},
        {Site::attention, 0x5C42096B776F8338},  {Site::heads, 0x9E5BBF5BD421CEA0},
        {Site::msa, 0xF079663C51FA3F1F},        {Site::skip, 0xB1C8251FC704963A},
        {Site::mlp_hidden, 0xAF6AB9FE04E6E1EC}, {Site::mlp_activation, 0x775C5E17027D1D19},
        {Site::mlp_out, 0xC5A81066B1EF935F}};
    for (const auto& [site, bits] : sites) EXPECT_EQ(kept(site), bits) << static_cast<int>(site);
}

TEST(Experiment, OneForAllBlocksTakesThePlaceOfOneForABlockUnlessBothMultiply) {
    std::vector<Intervention> norms = {normalise(Norm::none, 2)};
    put(norms, normalise(Norm::none));
    EXPECT_EQ(norms, std::vector<Intervention>{normalise(Norm::none)});
    std::vector<Intervention> skips = {without_skips(1)};
    put(skips, without_skips());
    EXPECT_EQ(skips, std::vector<Intervention>{without_skips()});
    std::vector<Intervention> temperatures = {temperature(2, 1)};
    put(temperatures, temperature(3));
    EXPECT_EQ(temperatures.size(), 2U) << "a block's temperature multiplies that of all";
}

TEST(Experiment, PuttingAWhatIfReplacesTheOneAtTheSamePlaceOfTheSameKind) {
    std::vector<Intervention> list = {remove_mlp(1)};
    put(list, temperature(2));
    put(list, temperature(4));
    put(list, without_scaling());
    EXPECT_EQ(list, (std::vector<Intervention>{remove_mlp(1), temperature(4), without_scaling()}));
    put(list, activate_with(Activation::relu));
    put(list, activate_with(Activation::elu));
    EXPECT_TRUE(contains(list, activate_with(Activation::elu)));
    EXPECT_FALSE(contains(list, activate_with(Activation::relu)));
}

TEST(Experiment, ToggleSwitchesOffAndOnAgain) {
    std::vector<Intervention> list;
    toggle(list, remove_mlp(1));
    EXPECT_TRUE(contains(list, remove_mlp(1)));
    EXPECT_FALSE(contains(list, remove_mlp(2)));
    toggle(list, remove_mlp(1));
    EXPECT_TRUE(list.empty());
}

TEST(WhatIf, ScoresThatAreNotDividedTwiceOverAreStillOnlyQTimesK) {
    const auto scores = [&](const std::vector<Intervention>& what_ifs) {
        return edited_run(what_ifs).block(1)->scores;
    };
    EXPECT_EQ(scores({without_scaling(), without_scaling(1)}), scores({without_scaling(1)}));
    EXPECT_EQ(scores({without_scaling(1), temperature(2), without_scaling()}),
              scores({without_scaling(), temperature(2, 1)}));
}

TEST(ScoreRule, SaysWhatARunDividesItsScoresBy) {
    const std::vector<Intervention> what_ifs = {temperature(2), without_scaling(3), temperature(4, 3)};
    const auto rule = [](const std::vector<Intervention>& list, int block) {
        return equations_of(four_patches(), list, {block, 0, 0}).scores;
    };
    EXPECT_EQ(rule({}, 1).divisor(16), 4.0);
    EXPECT_EQ(rule(what_ifs, 1).divisor(16), 8.0);
    EXPECT_EQ(rule(what_ifs, 3).divisor(16), 8.0) << "no root, and both temperatures";
    EXPECT_FALSE(rule(what_ifs, 3).divided);
}

}  // namespace
}  // namespace vitrine
