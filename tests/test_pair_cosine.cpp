#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/measures/analysis.h"
#include "core/measures/weight_agreement.h"
#include "core/training/pictures/pictures.h"
#include "core/training/recipe.h"
#include "core/vit/experiment.h"
#include "core/vit/forward.h"

namespace vitrine {
namespace {

Tensor2 rows_of(std::initializer_list<std::initializer_list<float>> rows) {
    Tensor2 t = tensor2(rows.size(), rows.begin()->size());
    float* next = t.data();
    for (const auto& row : rows) next = std::copy(row.begin(), row.end(), next);
    return t;
}

Trace run_untrained(bool skips, Norm norm) {
    Recipe recipe = standard_recipe();
    recipe.model.skips = skips;
    recipe.model.norm = norm;
    const Model net = untrained_model(recipe);
    const Image picture = draw_picture({{1, Difficulty::normal, false}, 2, net.config.image_height, {}}).image;
    return forward(net, preprocess(picture, net.preprocessing, net.config).pixels);
}

TEST(TokenCollapse, IsTheMeanOfTheCosinesOfAllPairs) {
    EXPECT_NEAR(mean_pair_cosine(rows_of({{1, 0}, {0, 2}, {3, 3}})), (0 + 2 * std::sqrt(0.5)) / 3, 1e-7);
    EXPECT_NEAR(mean_pair_cosine(rows_of({{1, 2, 3}, {2, 4, 6}, {0.1F, 0.2F, 0.3F}})), 1, 1e-7)
        << "lengths do not count";
    EXPECT_NEAR(mean_pair_cosine(rows_of({{1, 2}, {-1, -2}})), -1, 1e-7);
    EXPECT_NEAR(mean_pair_cosine(rows_of({{1, 2}, {0, 0}, {-1, -2}})), -1, 1e-7) << "a zero row points nowhere";
    EXPECT_EQ(mean_pair_cosine(rows_of({{1, 2}})), 0) << "no pair";
    EXPECT_EQ(mean_pair_cosine(rows_of({{1, 2}, {0, 0}})), 0);
    const Trace run = run_untrained(true, Norm::before);
    const Tensor2& z = run.z(2);
    const Tensor2 all = cosine_similarity(z.data(), z.shape()[0], z.shape()[1]);
    double sum = 0;
    for (std::size_t i = 0; i < z.shape()[0]; ++i)
        for (std::size_t j = 0; j < i; ++j) sum += static_cast<double>(all(i, j));
    const auto n = static_cast<double>(z.shape()[0]);
    EXPECT_NEAR(mean_pair_cosine(z), sum / (n * (n - 1) / 2), 1e-5);
}

TEST(TokenCollapse, ComesAtOnceWithoutSkipConnectionsWhereverTheNormsStand) {
    for (const Norm norm : {Norm::before, Norm::after, Norm::none}) {
        EXPECT_GT(mean_pair_cosine(run_untrained(false, norm).z(1)), 0.99);
        const Trace with = run_untrained(true, norm);
        EXPECT_LT(mean_pair_cosine(with.z(with.blocks())), 0.9);
    }
}

TEST(WeightAgreement, IsARankCorrelationOfEachHeadAndFindsTheLeast) {
    Config c;
    c.image_height = c.image_width = 24;
    c.patch_size = 4;
    c.embedding_dim = 12;
    c.heads = 3;
    c.blocks = 3;
    c.mlp_dim = 20;
    c.classes = 5;
    const Model model = random_model(c, 4);
    Tensor3 image = tensor3(3, 24, 24);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::sin(static_cast<float>(i));
    const Trace run = forward(model, std::move(image));
    const Tensor2 agreement = weight_agreement(run, 5);
    ASSERT_EQ(agreement.shape()[0], 3U);
    ASSERT_EQ(agreement.shape()[1], 3U);
    const PlacedHead least = least_agreeing_head(run, 5);
    for (int block = 1; block <= 3; ++block)
        for (int head = 0; head < 3; ++head) {
            const auto t = run.block(block);
            const float one = agreement(static_cast<std::size_t>(block - 1), static_cast<std::size_t>(head));
            EXPECT_NEAR(one, rank_correlation(attention_row(*t, head, 5), value_weighted_norms(*t, head, 5)), 1e-6);
            EXPECT_GE(one, agreement(static_cast<std::size_t>(least.block - 1), static_cast<std::size_t>(least.head)));
        }
    const PlacedMap map{{2, 1}, 0};
    const WeightTrial trial = weight_trial(model, run, map, {});
    EXPECT_EQ(trial.map, map);
    EXPECT_EQ(trial.least, least_agreeing_head(run, 0));
    const auto row = attention_row(*run.block(2), 1, 0);
    for (std::size_t token = 1; token < row.size(); ++token) {
        EXPECT_GE(row[static_cast<std::size_t>(trial.bright)], row[token]);
        EXPECT_LE(row[static_cast<std::size_t>(trial.dark)], row[token]);
    }
    for (const auto& [token, change] :
         {std::pair{trial.bright, trial.without_bright}, std::pair{trial.dark, trial.without_dark}}) {
        const std::vector<Intervention> removed = {remove_token(token)};
        const AnswerChange again = answer_change(*what_if(model, run, removed).head, *run.head);
        EXPECT_EQ(change.now.probability, again.now.probability);
        EXPECT_EQ(change.before.probability, again.before.probability);
    }
}

TEST(WeightTrial, DropsOfTheMarginAreThoseOfARunWithoutEachToken) {
    Config c = standard_recipe().model;
    c.image_height = c.image_width = 2 * c.patch_size;
    c.blocks = 2;
    c.embedding_dim = c.heads * 2;
    const Model model = random_model(c, 4);
    Tensor3 image = tensor3(static_cast<std::size_t>(c.channels), static_cast<std::size_t>(c.image_height),
                            static_cast<std::size_t>(c.image_width));
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::sin(static_cast<float>(i));
    const Trace run = forward(model, std::move(image));
    ASSERT_TRUE(can_try_every_token(c));
    std::vector<double> told;
    WeightTrial trial = weight_trial(model, run, {{2, 1}, 0}, {});
    EXPECT_FALSE(trial.drops);
    const std::vector<float> drops = margin_drops(model, run, [&](double fraction) { told.push_back(fraction); });
    ASSERT_EQ(drops.size(), static_cast<std::size_t>(c.tokens()));
    for (int token = 0; token < c.tokens(); ++token) {
        const std::vector<Intervention> removed = {remove_token(token)};
        const AnswerChange change = answer_change(*what_if(model, run, removed).head, *run.head);
        EXPECT_EQ(drops[static_cast<std::size_t>(token)], -static_cast<float>(change.margin())) << token;
    }
    EXPECT_EQ(drops[static_cast<std::size_t>(trial.bright)], -static_cast<float>(trial.without_bright.margin()));
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_LE(told.back(), 1);
    // Of weights that are the drops themselves the correlation is 1.
    trial.drops = std::make_shared<std::vector<float>>(drops);
    const auto row = attention_row(*run.block(2), 1, 0);
    EXPECT_NEAR(rank_of_drops(trial, c, run), rank_correlation(c.patches_of(row), c.patches_of(drops)), 1e-12);
    trial.drops = std::make_shared<std::vector<float>>(row.begin(), row.end());
    EXPECT_NEAR(rank_of_drops(trial, c, run), 1, 1e-6);
}

TEST(WeightTrial, TriesEveryTokenOfASmallModelOnly) {
    Config base = standard_recipe().model;
    EXPECT_TRUE(can_try_every_token(base));
    base.classes = 0;
    EXPECT_FALSE(can_try_every_token(base));
    Config large;  // ViT-B/16
    large.image_height = large.image_width = 224;
    large.patch_size = 16;
    large.embedding_dim = 768;
    large.heads = large.blocks = 12;
    large.mlp_dim = 3072;
    large.classes = 1000;
    EXPECT_FALSE(can_try_every_token(large));
}

TEST(WeightTrial, NeedsClassesAndAMapOfTheModel) {
    Config c = standard_recipe().model;
    const PlacedMap map{{c.blocks, c.heads - 1}, c.tokens() - 1};
    EXPECT_TRUE(can_be_tried(map, c));
    for (const PlacedMap& outside :
         {PlacedMap{{c.blocks + 1, 0}, 0}, PlacedMap{{1, c.heads}, 0}, PlacedMap{{1, 0}, c.tokens()}})
        EXPECT_FALSE(can_be_tried(outside, c));
    c.classes = 0;
    EXPECT_FALSE(can_be_tried(map, c));
}

TEST(WeightTrial, HasAVerdictForEachOutcome) {
    const auto trial = [](double bright, double dark) {
        WeightTrial t;
        t.without_bright.now.margin = bright;
        t.without_dark.now.margin = dark;
        return t;
    };
    EXPECT_EQ(verdict_of(trial(-3, 0.1)), WeightVerdict::matters);
    EXPECT_EQ(verdict_of(trial(-1.2, 0.9)), WeightVerdict::matters) << "the dark one is below the threshold";
    EXPECT_EQ(verdict_of(trial(0.5, -0.1)), WeightVerdict::hardly_matters);
    EXPECT_EQ(verdict_of(trial(-1.1, -2)), WeightVerdict::no_more_than_dark);
    EXPECT_EQ(verdict_of(trial(-0.2, -2.4)), WeightVerdict::less_than_dark);
    WeightTrial flips = trial(0.5, 0);
    flips.without_bright.first_now = 3;
    EXPECT_EQ(verdict_of(flips), WeightVerdict::matters) << "another class is first";
    EXPECT_EQ(verdict_of(trial(0.9, -1.1)), WeightVerdict::less_than_dark) << "the bright one is below the threshold";
    WeightTrial dark_flips = trial(0.7, 0.3);
    dark_flips.without_dark.first_now = 3;
    EXPECT_EQ(verdict_of(dark_flips), WeightVerdict::no_more_than_dark)
        << "another class is first without the dark one, but the margin changes more without the bright one";
}

}  // namespace
}  // namespace vitrine
