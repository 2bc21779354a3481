#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "core/base/error.h"
#include "core/training/picture_stream.h"
#include "core/training/pictures/clutter.h"
#include "core/training/pictures/pictures.h"
#include "core/training/pictures/settings.h"
#include "core/training/pictures/things.h"
#include "core/training/recipe.h"
#include "tests/golden_files.h"
#include "tests/picture_hash.h"

namespace vitrine {
namespace {

constexpr ClassNumbers book_classes{thing_count};

PictureSet book(Difficulty difficulty, bool pairs = false) { return {5, difficulty, pairs, Scenes::picturebook}; }

double seen_share(const std::vector<std::uint8_t>& mask) {
    return std::accumulate(mask.begin(), mask.end(), 0.0) / 255 / static_cast<double>(mask.size());
}

TEST(Picturebook, IsTheSameBytesAsEverywhere) {
    std::ifstream file(golden_folder / "values/pictures.txt");
    std::string first, expected;
    std::getline(file, first);
    std::getline(file, expected);
    EXPECT_EQ(hash_of_pictures(Scenes::picturebook), expected)
        << "tests/same_pictures.sh tells whether compilers differ";
}

TEST(Picturebook, IsAFunctionOfSeedAndNumberAlone) {
    const auto draw = [](std::uint64_t seed, std::uint64_t index) {
        return draw_picture({{seed, Difficulty::normal, false, Scenes::picturebook}, index, 48, {}}).image.rgb;
    };
    EXPECT_EQ(draw(3, 7), draw(3, 7));
    EXPECT_NE(draw(3, 7), draw(3, 8));
    EXPECT_NE(draw(3, 7), draw(4, 7));
    std::vector<std::uint8_t> pixels(48 * 48 * 3);
    draw_pixels({{3, Difficulty::normal, false, Scenes::picturebook}, 7, 48, {}}, pixels.data());
    EXPECT_EQ(pixels, draw(3, 7)) << "with masks or without";
}

TEST(Picturebook, ShowsTheSameSceneAtEverySize) {
    for (int label = 0; label <= book_classes.different(); ++label)
        for (const Difficulty difficulty : {Difficulty::easy, Difficulty::hard}) {
            const PictureRequest small{book(difficulty, true), 5, 64, label};
            PictureRequest large = small;
            large.size = 256;
            const DrawnPicture a = draw_picture(small), b = draw_picture(large);
            EXPECT_NEAR(seen_share(a.object), seen_share(b.object), 0.01) << label;
            EXPECT_NEAR(seen_share(a.distractor), seen_share(b.distractor), 0.01) << label;
            EXPECT_NEAR(seen_share(a.occluder), seen_share(b.occluder), 0.01) << label;
            // Halved until they meet, the pictures look alike: colours do not depend on the size.
            std::array<double, 3> mean_a = {}, mean_b = {};
            for (std::size_t i = 0; i < a.image.rgb.size(); ++i) mean_a[i % 3] += a.image.rgb[i] / (64.0 * 64.0);
            for (std::size_t i = 0; i < b.image.rgb.size(); ++i) mean_b[i % 3] += b.image.rgb[i] / (256.0 * 256.0);
            for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(mean_a[k], mean_b[k], 2.5) << label;
        }
}

TEST(Picturebook, EveryClassComesAsOftenAsAnotherAndPairsOften) {
    std::vector<int> counts(static_cast<std::size_t>(book_classes.different()) + 1, 0);
    std::vector<std::uint8_t> pixels(8 * 8 * 3);
    constexpr int drawn = 5400, shares = 27;  // 21 single ones and three times two
    for (std::uint64_t i = 0; i < drawn; ++i)
        ++counts[static_cast<std::size_t>(draw_pixels({book(Difficulty::normal, true), i, 8, {}}, pixels.data()))];
    for (int label = 0; label <= book_classes.nothing; ++label)
        EXPECT_NEAR(counts[static_cast<std::size_t>(label)], drawn / shares, 60);
    for (const int label : {book_classes.alike(), book_classes.different()})
        EXPECT_NEAR(counts[static_cast<std::size_t>(label)], 3 * drawn / shares, 100);
    EXPECT_EQ(picture_classes(true, Scenes::picturebook).size(), counts.size());
}

TEST(Picturebook, MasksTellWhatIsSeenAndThingsCoverAboutAFifth) {
    double area = 0, hard_area = 0;
    constexpr int drawn = 100;
    for (std::uint64_t i = 0; i < drawn; ++i) {
        const int label = static_cast<int>(i) % thing_count;
        const DrawnPicture p = draw_picture({book(Difficulty::normal), i, 64, label});
        area += seen_share(p.object) / drawn;
        hard_area += seen_share(draw_picture({book(Difficulty::hard), i, 64, label}).object) / drawn;
        for (std::size_t k = 0; k < p.object.size(); ++k)
            EXPECT_LE(p.object[k] + p.distractor[k] + p.occluder[k], 257) << "what is seen at a pixel is one thing";
    }
    EXPECT_NEAR(area, 0.22, 0.04);
    EXPECT_LT(hard_area, 0.7 * area);
    const DrawnPicture nothing = draw_picture({book(Difficulty::hard), 3, 64, book_classes.nothing});
    EXPECT_EQ(seen_share(nothing.object), 0);
    EXPECT_GT(seen_share(nothing.distractor), 0);
}

TEST(Picturebook, AThingIsWhereItsMaskSaysAndNowhereElse) {
    // Without the thing, the same picture differs only near the thing: the mask, its outline and its shadow.
    const PictureRequest request{book(Difficulty::easy), 11, 96, 0};
    const DrawnPicture fish = draw_picture(request);
    for (std::size_t i = 0; i < fish.object.size(); ++i)
        if (fish.object[i] == 255) {
            EXPECT_EQ(fish.distractor[i], 0);
        }
    EXPECT_GT(seen_share(fish.object), 0.1);
}

/// Mean colour of the things of a class, over pictures.
std::array<double, 3> colour_of(int label) {
    std::array<double, 3> sum = {};
    double weight = 0;
    for (std::uint64_t i = 0; i < 150; ++i) {
        const DrawnPicture p = draw_picture({book(Difficulty::easy), i, 32, label});
        for (std::size_t k = 0; k < p.object.size(); ++k) {
            weight += p.object[k];
            for (std::size_t c = 0; c < 3; ++c) sum[c] += p.object[k] * p.image.rgb[3 * k + c];
        }
    }
    for (double& s : sum) s /= weight;
    return sum;
}

TEST(Picturebook, TheColoursOfNearlyAlikeThingsTellNothing) {
    for (const auto& [a, b] : {std::pair{6, 12}, {6, 13}, {1, 14}, {7, 16}, {8, 17}, {9, 18}}) {
        const auto of_a = colour_of(a), of_b = colour_of(b);
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(of_a[c], of_b[c], 22) << thing_kind(a).name << ", " << thing_kind(b).name;
    }
}

TEST(Picturebook, ASettingComesWithEveryClassAndCarriesNone) {
    // The corner is background in most pictures: its colour does not tell the class.
    std::array<double, thing_count> corner = {};
    for (int label = 0; label < thing_count; ++label)
        for (std::uint64_t i = 0; i < 60; ++i) {
            const DrawnPicture p = draw_picture(
                {book(Difficulty::easy), 1000 + i * thing_count + static_cast<std::uint64_t>(label), 16, label});
            corner[static_cast<std::size_t>(label)] += p.image.rgb[0] / 60.0;
        }
    const double mean = std::accumulate(corner.begin(), corner.end(), 0.0) / thing_count;
    for (const double c : corner) EXPECT_NEAR(c, mean, 35);
}

TEST(Picturebook, KindsOfAFamilyAreTwoOrThreeAndNamesAreNeverTwice) {
    std::set<std::string> names;
    std::map<int, int> families;
    for (int kind = 0; kind < thing_count; ++kind) {
        names.insert(thing_kind(kind).name);
        ++families[thing_kind(kind).family];
        EXPECT_GT(thing_area(kind), 0.3F) << thing_kind(kind).name;
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(thing_count));
    EXPECT_EQ(families[6], 3);
    EXPECT_GE(settings().size(), 8U);
    EXPECT_GE(clutter_kinds().size(), 8U);
}

TEST(Picturebook, AMixedSetHoldsAllThreeDifficultiesAndIsMeasuredOnOne) {
    PictureSet mixed = book(Difficulty::normal);
    mixed.mixed = true;
    std::vector<double> areas;
    for (std::uint64_t i = 0; i < 60; ++i) areas.push_back(seen_share(draw_picture({mixed, i, 48, 6}).object));
    EXPECT_LT(*std::min_element(areas.begin(), areas.end()), 0.08) << "hard ones";
    EXPECT_GT(*std::max_element(areas.begin(), areas.end()), 0.24) << "easy ones";
    EXPECT_FALSE(fresh_pictures(mixed, 0).mixed);
}

TEST(Picturebook, ASetIsKnownByItsClasses) {
    for (const auto& [scenes, name] : scenes_names)
        for (const bool pairs : {false, true}) {
            const auto set = set_with_classes(picture_classes(pairs, scenes));
            ASSERT_TRUE(set) << name;
            EXPECT_EQ(set->scenes, scenes);
            EXPECT_EQ(set->pairs, pairs);
        }
    EXPECT_FALSE(set_with_classes({"cat", "dog"}));
}

TEST(Picturebook, ARecipeKeepsItsScenesAndItsMixture) {
    Recipe r = standard_recipe();
    r.pictures.scenes = Scenes::picturebook;
    set_difficulty(r.pictures, "mixed");
    const Recipe back = recipe_from_json(to_json(r), "test");
    EXPECT_EQ(back.pictures.scenes, Scenes::picturebook);
    EXPECT_TRUE(back.pictures.mixed);
    EXPECT_EQ(back.model.labels, picture_classes(false, Scenes::picturebook));
    // A run from before there were two sets shows pictograms.
    std::string old = to_json(standard_recipe());
    const std::string scenes = "\"scenes\":\"pictograms\",";
    ASSERT_NE(old.find(scenes), std::string::npos);
    old.erase(old.find(scenes), scenes.size());
    EXPECT_EQ(recipe_from_json(old, "test").pictures.scenes, Scenes::pictograms);
    EXPECT_THROW(set_difficulty(r.pictures, "odd"), Error);
}

}  // namespace
}  // namespace vitrine
