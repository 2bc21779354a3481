#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "app/ui/widgets/colour_map.h"

namespace vitrine {
namespace {

constexpr int middle = colour_map_steps / 2;
constexpr ThemeKind kinds[] = {ThemeKind::dark, ThemeKind::light};

/// Row-major 3 × 3 on linear RGB; Machado, Oliveira and Fernandes 2009, severity 1.
using Vision = std::array<double, 9>;
constexpr Vision protanopia = {0.152286, 1.052583,  -0.204868, 0.114503, 0.786281,
                               0.099216, -0.003882, -0.048116, 1.051998};
constexpr Vision deuteranopia = {0.367322, 0.860646,  -0.227968, 0.280085, 0.672501,
                                 0.047413, -0.011820, 0.042940,  0.968881};

double linear(double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); }

Color seen_by(const Vision& vision, Color color) {
    const double rgb[] = {linear(color.r / 255.0), linear(color.g / 255.0), linear(color.b / 255.0)};
    const auto channel = [&](int row) {
        const double x = vision[3 * row] * rgb[0] + vision[3 * row + 1] * rgb[1] + vision[3 * row + 2] * rgb[2];
        const double clamped = std::clamp(x, 0.0, 1.0);
        const double encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * std::pow(clamped, 1 / 2.4) - 0.055;
        return static_cast<std::uint8_t>(std::lround(255 * encoded));
    };
    return {channel(0), channel(1), channel(2), 255};
}

void expect_equal_steps(ColourMap map, ThemeKind kind, int from, int to) {
    const auto& colours = oklab_of(map, kind);
    const double first = difference(colours[from], colours[from + 1]);
    for (int i = from; i < to; ++i) EXPECT_NEAR(difference(colours[i], colours[i + 1]) / first, 1.0, 0.02) << i;
}

TEST(SequentialMap, LightnessRisesAtEveryOneOfIts256Colours) {
    const auto& colours = colours_of(ColourMap::sequential, ThemeKind::dark);
    for (int i = 1; i < colour_map_steps; ++i) EXPECT_GT(to_oklab(colours[i]).L, to_oklab(colours[i - 1]).L) << i;
}

TEST(SequentialMap, StepsAreEquallyFarApart) {
    expect_equal_steps(ColourMap::sequential, ThemeKind::dark, 0, colour_map_steps - 1);
}

TEST(SequentialMap, RoundingTo8BitsStaysBelowAStepAndInsideTheGamut) {
    const auto& exact = oklab_of(ColourMap::sequential, ThemeKind::dark);
    const auto& rounded = colours_of(ColourMap::sequential, ThemeKind::dark);
    for (int i = 0; i < colour_map_steps; ++i) EXPECT_LT(difference(exact[i], to_oklab(rounded[i])), 0.006) << i;
}

TEST(SequentialMap, KeepsItsOrderForTheColourBlind) {
    const auto& colours = colours_of(ColourMap::sequential, ThemeKind::dark);
    for (const Vision& vision : {protanopia, deuteranopia}) {
        for (int i = 8; i < colour_map_steps; i += 8) {
            EXPECT_GT(to_oklab(seen_by(vision, colours[i])).L, to_oklab(seen_by(vision, colours[i - 8])).L) << i;
        }
    }
}

TEST(DivergingMap, ItsMiddleIsTheGroundOfTheTheme) {
    for (const ThemeKind kind : kinds) {
        const auto& colours = colours_of(ColourMap::diverging, kind);
        EXPECT_EQ(colours[middle - 1], palette_of(kind).panel);
        EXPECT_EQ(colours[middle], palette_of(kind).panel);
    }
}

TEST(DivergingMap, BothSidesAreEquallyLightAndEquallyFarFromTheMiddle) {
    for (const ThemeKind kind : kinds) {
        const auto& colours = oklab_of(ColourMap::diverging, kind);
        for (int i = 0; i < middle; ++i) {
            EXPECT_NEAR(colours[middle - 1 - i].L, colours[middle + i].L, 0.01) << i;
            EXPECT_NEAR(difference(colours[middle - 1 - i], colours[middle]),
                        difference(colours[middle + i], colours[middle]), 0.02)
                << i;
        }
        expect_equal_steps(ColourMap::diverging, kind, 0, middle - 1);
        expect_equal_steps(ColourMap::diverging, kind, middle, colour_map_steps - 1);
    }
}

TEST(DivergingMap, RoundingTo8BitsStaysInsideTheGamut) {
    for (const ThemeKind kind : kinds) {
        for (int i = 0; i < colour_map_steps; ++i) {
            const Color rounded = colours_of(ColourMap::diverging, kind)[i];
            EXPECT_LT(difference(oklab_of(ColourMap::diverging, kind)[i], to_oklab(rounded)), 0.012) << i;
        }
    }
}

TEST(DivergingMap, SidesStayApartForTheColourBlind) {
    for (const ThemeKind kind : kinds) {
        const auto& colours = colours_of(ColourMap::diverging, kind);
        for (const Vision& vision : {protanopia, deuteranopia}) {
            const Oklab low = to_oklab(seen_by(vision, colours.front()));
            const Oklab high = to_oklab(seen_by(vision, colours.back()));
            EXPECT_GT(difference(low, high), 0.15);
        }
    }
}

TEST(ColourScale, ClampsToItsRangeAndSurvivesWhatIsNoNumber) {
    const ColourScale scale = {ColourMap::sequential, -1.0F, 3.0F};
    EXPECT_EQ(scale.position(-1.0F), 0.0F);
    EXPECT_EQ(scale.position(1.0F), 0.5F);
    EXPECT_EQ(scale.position(9.0F), 1.0F);
    EXPECT_EQ(scale.position(std::numeric_limits<float>::quiet_NaN()), 0.0F);
    EXPECT_EQ(scale.position(std::numeric_limits<float>::infinity()), 1.0F);
    EXPECT_EQ((ColourScale{ColourMap::sequential, 2.0F, 2.0F}.position(2.0F)), 0.0F);
}

TEST(ColourScale, PaintsZeroOfASymmetricRangeInTheColourOfTheGround) {
    const ColourScale scale = {ColourMap::diverging, -2.0F, 2.0F};
    EXPECT_EQ(colour_at(scale, 0.0F, ThemeKind::dark), palette_of(ThemeKind::dark).panel);
}

TEST(ColourMaps, TellAmountsByLightnessAloneOrSignedValuesByAsMuchOnBothSides) {
    for (const auto& [map, name] : colour_map_names)
        for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
            const auto& colours = oklab_of(map, kind);
            for (std::size_t i = 1; i < colours.size() && !is_signed(map); ++i)
                ASSERT_GT(colours[i].L, colours[i - 1].L) << name << " at " << i;
            for (std::size_t i = 0; i < colours.size() && is_signed(map); ++i)
                ASSERT_NEAR(colours[i].L, colours[colours.size() - 1 - i].L, 1e-3) << name << " at " << i;
        }
}

}  // namespace
}  // namespace vitrine
