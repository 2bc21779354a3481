#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "app/library/library.h"
#include "core/claims/picture_trials.h"
#include "core/measures/analysis.h"
#include "core/vit/forward.h"
#include "tests/small_model.h"

namespace vitrine {
namespace {

ClaimGround few_pictures(const Model& model) { return {.model = model, .run = {}, .threads = 2, .pictures = 4}; }

TEST(WhatIfClaims, AreTriedOnPicturesAndTellFiniteFigures) {
    const auto model = open_model(small_model());
    for (const Claim& claim : what_if_claims()) {
        const Trial trial = claim.check(few_pictures(*model), 1);
        EXPECT_TRUE(std::isfinite(trial.margin)) << claim.id;
        EXPECT_FALSE(claim.learns) << claim.id;
        std::set<std::string> names;
        for (const Figure& figure : trial.figures) {
            EXPECT_TRUE(std::isfinite(figure.value)) << claim.id << "." << figure.name;
            EXPECT_TRUE(names.insert(figure.name).second) << claim.id << "." << figure.name;
            const bool share = figure.kind == FigureKind::share;
            EXPECT_TRUE(!share || std::abs(figure.value) <= 1) << claim.id << "." << figure.name;
        }
    }
}

TEST(WhatIfClaims, LawsHoldForAnyModel) {
    const auto model = open_model(small_model());
    for (const char* const law : {"key_is_query", "value_is_query", "no_order"}) {
        const auto claims = what_if_claims();
        const auto claim = std::ranges::find_if(claims, [&](const Claim& c) { return c.id == std::string(law); });
        ASSERT_NE(claim, claims.end()) << law;
        EXPECT_TRUE(claim->agrees(claim->check(few_pictures(*model), 5))) << law;
    }
}

/// A figure of the claim of this id, tried on a hundred pictures.
double figure_of(const ClaimGround& ground, std::string_view id, std::string_view name) {
    const Trial trial = claim_named(id)->check(ground, 1);
    const auto figure = std::ranges::find_if(trial.figures, [&](const Figure& f) { return f.name == name; });
    return figure == trial.figures.end() ? std::nan("") : figure->value;
}

TEST(WhatIfClaims, PatchesOfAThingAreHeldAgainstEachOtherOnlyWhereThereAreTwo) {
    const auto model = open_model(small_model());
    const ClaimGround ground = {.model = *model, .run = {}, .threads = 2};
    const PictureNumbers& means = try_pictures(ground, 1, "test of things", [](const PictureRun& run) {
        const Config& c = run.model.config;
        const Tensor2& z = run.trace.z(0);
        std::vector<int> thing;
        for (int patch = 0; patch < c.patches(); ++patch) {
            const int x = patch % c.grid_width() * c.patch_size + c.patch_size / 2,
                      y = patch / c.grid_width() * c.patch_size + c.patch_size / 2;
            if (run.picture.object[static_cast<std::size_t>(y * c.image_width + x)] > 127)
                thing.push_back(c.token_of(patch));
        }
        double sum = 0;
        int pairs = 0;
        for (const int i : thing)
            for (const int j : thing)
                if (i < j) {
                    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
                    sum += static_cast<double>(cosine({&z(a, 0), z.shape()[1]}, {&z(b, 0), z.shape()[1]}));
                    ++pairs;
                }
        return pairs > 0 ? std::vector{sum / pairs} : std::vector<double>();
    });
    double sum = 0;
    int counted = 0;
    for (const std::vector<double>& mean : means)
        if (!mean.empty()) sum += mean[0], ++counted;
    ASSERT_LT(counted, 100) << "of some pictures the thing has no two patches";
    ASSERT_GT(counted, 0);
    EXPECT_NEAR(figure_of(ground, "thing", "first"), sum / counted, 1e-6);
}

TEST(WhatIfClaims, TokensLookedAtAreCountedInEachRowAndThenAveraged) {
    const auto model = open_model(small_model());
    const ClaimGround ground = few_pictures(*model);
    const PictureNumbers& counts = try_pictures(ground, 1, "test of rows", [](const PictureRun& run) {
        double sum = 0;
        std::size_t rows = 0;
        for (int block = 1; block <= run.trace.blocks(); ++block) {
            const auto held = run.trace.block(block);
            const Tensor3& a = held->attention;
            for (std::size_t head = 0; head < a.shape()[0]; ++head)
                for (std::size_t i = 0; i < a.shape()[1]; ++i, ++rows) {
                    double nats = 0;
                    for (std::size_t j = 0; j < a.shape()[2]; ++j)
                        if (const auto p = static_cast<double>(a(head, i, j)); p > 0) nats -= p * std::log(p);
                    sum += std::exp(nats);
                }
        }
        return std::vector{sum / static_cast<double>(rows)};
    });
    EXPECT_NEAR(figure_of(ground, "no_norms_attention", "with"), mean_of(counts, 0), 1e-3);
}

TEST(PictureTrials, AreOfFreshPicturesOfTheModelsOwnSetTheSameForASeed) {
    const auto model = open_model(small_model());
    int checked = 0;
    const PictureCheck label = [&](const PictureRun& run) {
        EXPECT_EQ(run.trace.blocks(), model->config.blocks);
        EXPECT_EQ(run.right(run.trace), run.first() == run.picture.label ? 1 : 0);
        EXPECT_EQ(run.change({remove_mlp(1)}).before.logit,
                  static_cast<double>(run.trace.head->logits(0, static_cast<std::size_t>(run.first()))));
        return std::vector<double>{static_cast<double>(run.picture.label), static_cast<double>(run.index)};
    };
    ClaimGround alone = few_pictures(*model);
    alone.threads = 1;
    const PictureNumbers once = try_pictures(alone, 1, "test", [&](const PictureRun& run) {
        ++checked;
        return label(run);
    });
    EXPECT_EQ(checked, 4);
    EXPECT_EQ(try_pictures(few_pictures(*model), 1, "test", label), once);
    EXPECT_EQ(checked, 4) << "what was tried is remembered";
    EXPECT_EQ(try_pictures(few_pictures(*model), 1, "test again", label), once) << "and the same on two threads";
    EXPECT_NE(try_pictures(few_pictures(*model), 2, "test", label), once) << "another seed, other pictures";
}

TEST(PictureTrials, TellMeansMediansAndShares) {
    const PictureNumbers n = {{1, 0}, {2, 0}, {9, 1}};
    EXPECT_EQ(mean_of(n, 0), 4);
    EXPECT_EQ(median_of(n, 0), 2);
    EXPECT_EQ(largest_of(n, 0), 9);
    EXPECT_NEAR(share_below(n, 1, 0.5), 2.0 / 3, 1e-12);
}

}  // namespace
}  // namespace vitrine
