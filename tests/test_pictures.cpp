#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <set>

#include "core/training/pictures/pictograms.h"
#include "core/training/pictures/pictures.h"
#include "tests/golden_files.h"
#include "tests/picture_hash.h"

namespace vitrine {
namespace {

double share(const std::vector<std::uint8_t>& mask) {
    return std::accumulate(mask.begin(), mask.end(), 0.0) / 255 / static_cast<double>(mask.size());
}

TEST(Pictures, AreTheSameBytesAsEverywhere) {
    std::ifstream file(golden_folder / "values/pictures.txt");
    std::string expected;
    std::getline(file, expected);
    EXPECT_EQ(hash_of_pictures(), expected) << "tests/same_pictures.sh tells whether compilers differ";
}

TEST(Pictures, AreAFunctionOfSeedAndNumberAlone) {
    const auto draw = [](std::uint64_t seed, std::uint64_t index) {
        return draw_picture({{seed, Difficulty::normal, false}, index, 48, {}}).image.rgb;
    };
    EXPECT_EQ(draw(3, 7), draw(3, 7));
    EXPECT_NE(draw(3, 7), draw(3, 8));
    EXPECT_NE(draw(3, 7), draw(4, 7));
    std::vector<std::uint8_t> pixels(48 * 48 * 3);
    draw_pixels({{3, Difficulty::normal, false}, 7, 48, {}}, pixels.data());
    EXPECT_EQ(pixels, draw(3, 7)) << "with masks or without";
}

TEST(Pictures, ShowTheSameSceneAtEverySize) {
    for (int label = 0; label < pictogram_count; ++label) {
        const PictureRequest small{{1, Difficulty::easy, false}, 5, 64, label};
        PictureRequest large = small;
        large.size = 256;
        EXPECT_NEAR(share(draw_picture(small).object), share(draw_picture(large).object), 0.01);
    }
}

TEST(Pictures, EveryClassComesAsOftenAsAnotherAndPairsOften) {
    std::vector<int> counts(different_class + 1, 0);
    std::vector<std::uint8_t> pixels(8 * 8 * 3);
    constexpr int drawn = 3800;
    for (std::uint64_t i = 0; i < drawn; ++i)
        ++counts[static_cast<std::size_t>(draw_pixels({{9, Difficulty::normal, true}, i, 8, {}}, pixels.data()))];
    for (int label = 0; label <= nothing_class; ++label)
        EXPECT_NEAR(counts[static_cast<std::size_t>(label)], drawn / 19, 60);
    for (const int label : {alike_class, different_class})
        EXPECT_NEAR(counts[static_cast<std::size_t>(label)], 3 * drawn / 19, 100);
    EXPECT_EQ(picture_classes(true).size(), counts.size());
    EXPECT_EQ(picture_classes(false).size(), static_cast<std::size_t>(nothing_class) + 1);
}

TEST(Pictures, MasksCoverTheThingAndNothingElse) {
    double area = 0;
    for (std::uint64_t i = 0; i < 60; ++i) {
        const DrawnPicture p = draw_picture({{5, Difficulty::normal, false}, i, 64, static_cast<int>(i % 12)});
        area += share(p.object) / 60;
        for (std::size_t k = 0; k < p.object.size(); ++k)
            EXPECT_LE(p.object[k] + p.distractor[k] + p.occluder[k], 257) << "what is seen at a pixel is one thing";
    }
    EXPECT_GT(area, 0.15);
    EXPECT_LT(area, 0.30);
    const DrawnPicture nothing = draw_picture({{5, Difficulty::hard, false}, 3, 64, nothing_class});
    EXPECT_EQ(share(nothing.object), 0);
    EXPECT_GT(share(nothing.distractor) + share(nothing.occluder), 0);
}

TEST(Pictures, HarderOnesShowSmallerThings) {
    double easy = 0, hard = 0;
    for (std::uint64_t i = 0; i < 40; ++i) {
        easy += share(draw_picture({{5, Difficulty::easy, false}, i, 64, 6}).object);
        hard += share(draw_picture({{5, Difficulty::hard, false}, i, 64, 6}).object);
    }
    EXPECT_GT(easy, 1.5 * hard);
}

TEST(Shapes, SineAndCosineLieOnTheUnitCircleAndAgreeWithTheLibrarys) {
    for (float t = -2; t < 2; t += 0.001F) {
        EXPECT_NEAR(sine(t) * sine(t) + cosine(t) * cosine(t), 1, 2e-5);
        EXPECT_NEAR(sine(t), std::sin(2 * 3.14159265358979 * static_cast<double>(t)), 1e-5);
    }
}

TEST(Shapes, DistancesAreNegativeInsideAndGrowByOneForEachUnitOutside) {
    const PlaneShape shapes[] = {Circle{{}, 0.5F}, ellipse({}, 0.5F, 0.5F), Box{{}, 0.5F, 0.5F, 0},
                                 polygon({{-0.5F, -0.5F}, {0.5F, -0.5F}, {0.5F, 0.5F}, {-0.5F, 0.5F}}, 0)};
    for (const PlaneShape& shape : shapes) {
        const auto at = [&](float x) {
            return std::visit([&](const auto& s) { return distance(s, PlanePoint{x, 0}); }, shape);
        };
        EXPECT_LT(at(0.1F), 0);
        EXPECT_NEAR(at(0.5F), 0, 1e-5);
        EXPECT_NEAR(at(0.75F), 0.25, 1e-4) << shape.index();
    }
}

}  // namespace
}  // namespace vitrine
