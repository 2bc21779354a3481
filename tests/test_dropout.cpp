#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/studies/dropout.h"

namespace vitrine {
namespace {

TEST(Dropout, KeepsAShareOfOneMinusPAndScalesItByItsInverse) {
    const std::vector<float> x(4000, 3.0F);
    for (const float p : {0.1F, 0.5F, 0.9F}) {
        const std::vector<bool> mask = dropout_mask(x.size(), p, 7);
        const auto kept = static_cast<double>(std::count(mask.begin(), mask.end(), true));
        const double expected = 4000 * (1 - static_cast<double>(p)),
                     spread = std::sqrt(expected * static_cast<double>(p));
        EXPECT_NEAR(kept, expected, 4 * spread);
        const std::vector<float> y = dropped_out(x, mask, p);
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], mask[i] ? 3.0F / (1.0F - p) : 0.0F);
    }
}

TEST(Dropout, TheMeanOfManyMasksIsTheInput) {
    const std::vector<float> x = {1.0F, -2.0F, 0.5F};
    std::vector<double> sum(3);
    constexpr int masks = 4000;
    for (int seed = 0; seed < masks; ++seed) {
        const std::vector<float> y = dropped_out(x, dropout_mask(3, 0.3F, static_cast<std::uint64_t>(seed)), 0.3F);
        for (std::size_t i = 0; i < 3; ++i) sum[i] += static_cast<double>(y[i]) / masks;
    }
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(sum[i], static_cast<double>(x[i]), 0.06);
}

TEST(Dropout, TheAverageOfMoreMasksComesCloserBeginningWithTheMaskOfTheSeed) {
    const std::vector<float> x = [] {
        std::vector<float> wave(2000);
        for (std::size_t i = 0; i < wave.size(); ++i) wave[i] = std::sin(0.3F * static_cast<float>(i));
        return wave;
    }();
    const std::vector<double> errors = averaging_errors(x, 0.4F, 9, 64);
    ASSERT_EQ(errors.size(), 64U);
    const std::vector<float> one = dropped_out(x, dropout_mask(x.size(), 0.4F, 9), 0.4F);
    double first = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        first += std::abs(static_cast<double>(one[i]) - static_cast<double>(x[i])) / 2000;
    EXPECT_NEAR(errors[0], first, 1e-9);
    EXPECT_NEAR(errors[15] / errors[63], 2, 0.3) << "four times the masks halve the error";
    for (const double none : averaging_errors(x, 0.0F, 9, 3)) EXPECT_EQ(none, 0);
}

TEST(Dropout, WithPZeroIsTheInputAndWithPOneIsNothing) {
    const std::vector<float> x = {1.0F, 2.0F};
    EXPECT_EQ(dropped_out(x, dropout_mask(2, 0.0F, 1), 0.0F), x);
    EXPECT_EQ(dropped_out(x, dropout_mask(2, 1.0F, 1), 1.0F), (std::vector<float>{0, 0}));
}

TEST(Dropout, IsTheSameForTheSameSeedAndAnotherForAnother) {
    EXPECT_EQ(dropout_mask(100, 0.5F, 3), dropout_mask(100, 0.5F, 3));
    EXPECT_NE(dropout_mask(100, 0.5F, 3), dropout_mask(100, 0.5F, 4));
}

}  // namespace
}  // namespace vitrine
