#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/chapters/step.h"
#include "app/rooms/figures/figures.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/studies/normalisation.h"
#include "tests/ui/saved_table.h"

// The layer norm, its kinds and its place.

namespace vitrine {
namespace {

TEST(LayerNormStep, TheSwitchOfAllBlocksTakesTheOneOfABlockOver) {
    Harness h(Harness::with_image("cat"), {1920, 1080});
    go_to(h, "layer_norm");
    h.tap("map.layer_norm.1.switch");
    h.tap("switch.no-norm");
    EXPECT_EQ(h.what_ifs(), WhatIfs{normalise(Norm::none)}) << "counted once";
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.what_ifs(), WhatIfs{normalise(Norm::none, 1)});
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    WhatIfs others = {remove_mlp(2), without_skips(2), normalise(Norm::after, 3)};
    put(others, normalise(Norm::none));
    EXPECT_EQ(others, (WhatIfs{remove_mlp(2), without_skips(2), normalise(Norm::none)}));
}

TEST(LayerNormStep, StatesMeanAndDeviationOfEveryStage) {
    Harness h;
    go_to(h, "layer_norm");
    h.press(Key::space);
    h.frame(100);
    EXPECT_NEAR(h.item("norm.before.mean").value, static_cast<double>(block_of(h, 1).ln1.mean(0)), 1e-5);
    EXPECT_NEAR(h.item("norm.centred.mean").value, 0, 1e-5);
    EXPECT_NEAR(h.item("norm.scaled.deviation").value, 1, 1e-4);
    h.tap("half.mlp");
    EXPECT_NEAR(h.item("norm.before.mean").value, static_cast<double>(block_of(h, 1).ln2.mean(0)), 1e-5);
    h.tap("norm.mean_map");
    EXPECT_GT(h.focus().token, 0) << "a click on the map chooses its token";
}

/// The counts of a histogram, without the empty bins at its ends.
std::vector<int> counts_of(const std::string& words) {
    std::vector<int> counts;
    std::istringstream stream(words);
    for (int count = 0; stream >> count;)
        if (count > 0 || !counts.empty()) counts.push_back(count);
    while (!counts.empty() && counts.back() == 0) counts.pop_back();
    return counts;
}

TEST(LayerNormStep, CentringShiftsTheHistogramAndKeepsItsShape) {
    for (const int token : {0, 7, 20}) {
        Harness h;
        go_to(h, "layer_norm");
        h.change().focus().token = token;
        h.settle();
        const std::vector<int> before = counts_of(h.item("norm.before.bins").text),
                               centred = counts_of(h.item("norm.centred.bins").text);
        ASSERT_GT(before.size(), 3U);
        ASSERT_EQ(before.size(), centred.size());
        int moved = 0;  // by rounding
        for (std::size_t i = 0; i < before.size(); ++i) moved += std::abs(before[i] - centred[i]);
        EXPECT_LE(moved, 2) << token;
    }
}

TEST(NormVariantsStep, GroupsTheCubeAsEachNormDoes) {
    Harness h;
    go_to(h, "norm_variants");
    const Tensor3& cube = *h.result().batch;
    ASSERT_EQ(cube.shape()[1], 65U) << "all tokens";
    ASSERT_EQ(cube.shape()[2], 64U) << "all features";
    std::vector<float> row(&cube(0, 0, 0), &cube(0, 0, 0) + cube.shape()[2]);
    EXPECT_NEAR(h.item("cube.mean").value, moments_of(row).mean, 1e-6);
    h.tap("cube.batch");
    std::vector<float> column;
    for (std::size_t i = 0; i < cube.shape()[0]; ++i)
        for (std::size_t t = 0; t < cube.shape()[1]; ++t) column.push_back(cube(i, t, 0));
    EXPECT_NEAR(h.item("cube.mean").value, moments_of(column).mean, 1e-6);
    h.tap("cube.image.0");
    EXPECT_GT(h.focus().cube, 0);
}

TEST(NormVariantsStep, WhereSheetsLieOverOneAnotherTheNearestIsPointedAt) {
    Harness h;
    go_to(h, "norm_variants");
    h.change()->motion = {1, false};
    h.frame(2);
    const Rect near = h.item("cube.image.0").rect, far = h.item("cube.image.1").rect;
    const Rect both{std::max(near.x0, far.x0), std::max(near.y0, far.y0), std::min(near.x1, far.x1),
                    std::min(near.y1, far.y1)};
    ASSERT_GT(both.width(), 2) << "they do";
    h.input.move(both.centre().x, both.centre().y);
    h.frame(3);  // which refuses two readouts
    h.input.button(0, true);
    h.input.button(0, false);
    h.frame(4);
    EXPECT_GT(h.focus().cube, 0);
    constexpr int drawn = 5 * 6;  // tokens and features of a sheet
    EXPECT_LT(h.focus().cube, drawn) << "it is a number of the first image";
}

TEST(NormPlaceStep, HasPowersOfTenWhereLengthsAreFarApart) {
    Harness h;
    go_to(h, "norm_place");
    EXPECT_EQ(h.item("norm_place.powers").value, 0);
    h.change()->what_ifs = {normalise(Norm::none)};
    h.settle();
    const auto [low, high] = [&] {
        float least = 1e30F, most = 0;
        for (const Trace* const trace : {&h.result().trace, &h.result().baseline})
            for (int level = 0; level <= h.result().model->config.blocks; ++level) {
                double sum = 0;
                const std::vector<float> norms = row_norms(trace->z(level));
                for (const float norm : norms) sum += static_cast<double>(norm);
                const auto mean = static_cast<float>(sum / static_cast<double>(norms.size()));
                least = std::min(least, mean), most = std::max(most, mean);
            }
        return std::pair{least, most};
    }();
    EXPECT_EQ(h.item("norm_place.powers").value, high > 1000 * low ? 1 : 0) << low << " to " << high;
    h.expect_readable("lengths without norms");
}

TEST(NormVariantsStep, ComparesBothBeforeGammaAndBetaAndSaysByHowMuch) {
    Harness h;
    go_to(h, "norm_variants");
    for (const char* const half : {"half.attention", "half.mlp"}) {
        h.tap(half);
        const Table table = saved_table(h);
        const std::vector<float> first = column_of(table, table.labels.back()[0]),
                                 second = column_of(table, table.labels.back()[1]),
                                 difference = column_of(table, "difference");
        EXPECT_NEAR(moments_of(first).deviation, 1, 1e-3) << "γ scales neither";
        for (std::size_t i = 0; i < first.size(); ++i)
            EXPECT_NEAR(second[i], static_cast<double>(first[i]) * std::sqrt(63.0 / 64.0), 1e-4);
        for (std::size_t i = 0; i < first.size(); ++i)
            EXPECT_EQ(difference[i], first[i] - second[i]) << "as its title says";
        EXPECT_NEAR(reach_of(difference), h.item("variants.largest").value, 1e-6);
        const std::string& told = h.item("variants.largest").text;
        EXPECT_NE(told.find(half == std::string("half.mlp") ? "LN₂ of block 1" : "LN₁ of block 1"), std::string::npos)
            << told;
        EXPECT_NE(told.find("0.992"), std::string::npos) << told;
    }
}

TEST(NormPlaceStep, HasItsSwitchBesideTheCurveInASmallWindow) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "norm_place");
    h.tap("norm_place.other");
    EXPECT_TRUE(contains(h.what_ifs(), normalise(Norm::after)));
    h.tap("norm_place.other");
    EXPECT_TRUE(h.what_ifs().empty());
}

}  // namespace
}  // namespace vitrine
