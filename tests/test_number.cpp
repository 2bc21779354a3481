#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/ui/widgets/number.h"

namespace vitrine {
namespace {

TEST(Number, ShowsThreeSignificantDigits) {
    EXPECT_EQ(number_text(0.031249), "0.0312");
    EXPECT_EQ(number_text(4.2), "4.20");
    EXPECT_EQ(number_text(12.34), "12.3");
    EXPECT_EQ(number_text(9.996), "10.0");
    EXPECT_EQ(number_text(99.96), "100");
}

TEST(Number, ShowsWholeNumbersFromAHundredOnWithAThinSpaceBetweenThousands) {
    EXPECT_EQ(number_text(123.4), "123");
    EXPECT_EQ(number_text(1234.4), "1234");
    EXPECT_EQ(number_text(12345), "12\u2009345");
    EXPECT_EQ(number_text(999'499), "999\u2009499");
}

TEST(Number, UsesATrueMinusAndNeverANegativeZero) {
    EXPECT_EQ(number_text(-0.31), "\u22120.310");
    EXPECT_EQ(number_text(-0.0), "0");
    EXPECT_EQ(fixed_text(-0.004, 2), "0.00");
}

TEST(Number, WritesVerySmallAndVeryLargeOnesWithAPowerOfTen) {
    EXPECT_EQ(number_text(1.2e-5), "1.20 × 10⁻⁵");
    EXPECT_EQ(number_text(-9.99e-4), "\u22129.99 × 10⁻⁴");
    EXPECT_EQ(number_text(1e6), "1.00 × 10⁶");
    EXPECT_EQ(number_text(999'999.9), "1.00 × 10⁶");
    EXPECT_EQ(number_text(3.4e38), "3.40 × 10³⁸");
    EXPECT_EQ(number_text(0.001), "0.00100");
}

TEST(Number, SaysWhatIsNoNumber) {
    EXPECT_EQ(number_text(std::nan("")), "NaN");
    EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "\u2212\u221E");
    EXPECT_EQ(percent_text(std::nan("")), "NaN");
}

TEST(Number, FullTextTellsEveryFloatFromItsNeighbour) {
    const float value = 0.1F;
    EXPECT_NE(full_text(value), full_text(std::nextafter(value, 1.0F)));
    EXPECT_EQ(full_text(value), "0.100000001");
}

TEST(Percent, HasOneDecimalAndNeverClaimsCertainty) {
    EXPECT_EQ(percent_text(0.9734), "97.3 %");
    EXPECT_EQ(percent_text(1), "100 %");
    EXPECT_EQ(percent_text(0.99999), "> 99.9 %");
    EXPECT_EQ(percent_text(1e-7), "< 0.1 %");
    EXPECT_EQ(percent_text(0), "0 %");
    EXPECT_EQ(probability_text(1), "> 99.9 %") << "a softmax is never certain; a float rounds it";
    EXPECT_EQ(probability_text(0.99999), "> 99.9 %");
    EXPECT_EQ(probability_text(0), "< 0.1 %");
    EXPECT_EQ(probability_text(0.5), percent_text(0.5));
}

TEST(Change, CarriesItsSign) {
    EXPECT_EQ(point_change_text(0.042), "+4.2 pp");
    EXPECT_EQ(point_change_text(-0.5), "\u221250.0 pp");
    EXPECT_EQ(point_change_text(1e-9), "0.0 pp");
    EXPECT_EQ(signed_text(-0.31), "\u22120.310");
    EXPECT_EQ(signed_text(0.31), "+0.310");
    EXPECT_EQ(signed_text(0), "0");
}

TEST(Change, OfAShareAgreesWithTheNumbersBesideIt) {
    EXPECT_EQ(percent_text(0.92349), "92.3 %");
    EXPECT_EQ(percent_text(0.94151), "94.2 %");
    EXPECT_EQ(share_change_text(0.92349, 0.94151, "pp"), "+1.9 pp");
    EXPECT_EQ(share_change_text(0.94151, 0.92349, "pp"), "\u22121.9 pp");
    EXPECT_EQ(share_change_text(0.92251, 0.92342, "pp"), "+0.0910 pp") << "both read 92.3 %";
    EXPECT_EQ(share_change_text(0.5, 0.5 + 1.5e-6, "pp"), share_change_text(1.5e-6, "pp"));
    EXPECT_EQ(share_change_text(0.923, 0.9999, "pp"), "+7.7 pp") << "more than 99.9 % is no number";
    EXPECT_EQ(share_change_text(0.25, 0.25, "pp"), "0 pp");
    for (int i = 1; i < 900; i += 7)
        for (const double by : {0.0031, 0.0158, 0.0249}) {
            const double before = i / 1000.0 + 0.00049, now = before + by;
            const double first = std::stod(percent_text(before)), last = std::stod(percent_text(now));
            EXPECT_EQ(share_change_text(before, now, "pp"), "+" + fixed_text(last - first, 1) + " pp") << before;
        }
}

TEST(Count, GroupsItsDigits) { EXPECT_EQ(count_text(86'567'656), "86\u2009567\u2009656"); }

}  // namespace
}  // namespace vitrine
