#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/ui/widgets/axis.h"
#include "app/ui/widgets/number.h"

namespace vitrine {
namespace {

TEST(Ticks, AreMultiplesOfOneTwoOrFiveTimesAPowerOfTen) {
    for (const double high : {0.003, 0.7, 1.0, 12.0, 577.0, 4.2e7}) {
        const Ticks ticks = ticks_of(-high / 3, high, 6);
        const double mantissa = ticks.step / std::pow(10, std::floor(std::log10(ticks.step) + 1e-9));
        EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6)
            << high;
        EXPECT_LE(ticks.at.size(), 7U);
        EXPECT_GE(ticks.at.size(), 2U);
    }
}

TEST(Ticks, StayInsideTheRangeAndIncludeRoundEnds) {
    const Ticks ticks = ticks_of(0, 1, 5);
    EXPECT_EQ(ticks.at.front(), 0);
    EXPECT_NEAR(ticks.at.back(), 1, 1e-12);
    EXPECT_EQ(ticks.words(ticks.at[1]), "0.2");
    EXPECT_EQ(ticks_of(0.11, 0.19, 4).words(0.12), "0.12");
}

TEST(Ticks, NeverSayMinusZero) {
    const Ticks ticks = ticks_of(-1, 1, 4);
    EXPECT_EQ(ticks.words(ticks.at[2]), "0.0");
}

TEST(Ticks, SayZeroWithoutDigitsBesideVerySmallNumbers) {
    const Ticks ticks = ticks_of(0, 1e-9, 4);
    EXPECT_EQ(ticks.words(ticks.at.front()), "0");
    EXPECT_EQ(ticks.words(ticks.at.back()), number_text(ticks.at.back()));
}

TEST(Ticks, AreNoneForARangeOfNoWidthOrNoEnd) {
    EXPECT_TRUE(ticks_of(1, 1, 5).at.empty());
    EXPECT_TRUE(ticks_of(2, 1, 5).at.empty());
    EXPECT_TRUE(ticks_of(0, std::numeric_limits<double>::infinity(), 5).at.empty());
    EXPECT_TRUE(ticks_of(0, std::nan(""), 5).at.empty());
}

}  // namespace
}  // namespace vitrine
