#include <gtest/gtest.h>

#include "app/platform/monitors.h"

namespace vitrine {
namespace {

constexpr Area laptop = {0, 0, 1920, 1080}, projector = {1920, 0, 1024, 768}, above = {0, -1200, 1920, 1200};

TEST(Monitors, TheOneThatShowsMostOfTheWindowIsItsOwn) {
    const Area all[] = {laptop, projector, above};
    EXPECT_EQ(shows_most_of({100, 100, 800, 500}, all), 0);
    EXPECT_EQ(shows_most_of({1600, 100, 800, 500}, all), 1);
    EXPECT_EQ(shows_most_of({1500, 100, 800, 500}, all), 0);
    EXPECT_EQ(shows_most_of({10, -400, 800, 500}, all), 2);
    EXPECT_EQ(shows_most_of({9000, 9000, 800, 500}, all), -1);
    EXPECT_EQ(shows_most_of({0, 0, 800, 500}, {}), -1);
}

TEST(Monitors, AWindowOpensOnlyWhereItsUpperEdgeCanBeGrasped) {
    EXPECT_TRUE(can_be_grasped({-600, 0, 800, 500}, laptop));
    EXPECT_FALSE(can_be_grasped({-750, 0, 800, 500}, laptop));
    EXPECT_FALSE(can_be_grasped({1900, 0, 800, 500}, laptop));
    EXPECT_FALSE(can_be_grasped({100, -300, 800, 500}, laptop));
    EXPECT_FALSE(can_be_grasped({100, 1070, 800, 500}, laptop));
    EXPECT_TRUE(can_be_grasped({100, -300, 800, 500}, above));
}

}  // namespace
}  // namespace vitrine
