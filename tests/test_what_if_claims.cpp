#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "app/workspace/library.h"
#include "core/claims/picture_trials.h"
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
