#include <gtest/gtest.h>

#include "app/ui/theme.h"

namespace vitrine {
namespace {

TEST(Theme, BlackOnWhiteHasTheLargestContrast) {
    EXPECT_NEAR(contrast({0, 0, 0, 255}, {255, 255, 255, 255}), 21.0, 1e-9);
    EXPECT_NEAR(contrast({9, 9, 9, 255}, {9, 9, 9, 255}), 1.0, 1e-9);
}

TEST(Theme, EveryColourOfWordsIsLegibleOnEveryGroundInBothThemes) {
    for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
        const Palette& p = palette_of(kind);
        for (const Color ground : {p.background, p.panel, p.raised})
            for (const Color ink : {p.text, p.muted, p.accent, p.query, p.key, p.value, p.norm, p.mlp, p.residual,
                                    p.positive, p.negative, p.danger})
                EXPECT_GE(contrast(ink, ground), 4.5)
                    << static_cast<int>(kind) << ": " << +ink.r << ' ' << +ink.g << ' ' << +ink.b << " on " << +ground.r
                    << ' ' << +ground.g << ' ' << +ground.b;
        EXPECT_GE(contrast(p.on_accent, p.accent), 4.5);
    }
}

TEST(Theme, SizesAreWholePixelsAndNeverVanish) {
    Theme theme;
    theme.scale = 1.25F;
    EXPECT_EQ(theme.px(10), 13.0F);
    theme.scale = 0.1F;
    EXPECT_EQ(theme.px(1), 1.0F);
    EXPECT_EQ(theme.px(0), 0.0F);
}

}  // namespace
}  // namespace vitrine
