#include <gtest/gtest.h>

#include "app/platform/glfw.h"
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

TEST(Monitors, TheHallsPictureFillsTheChosenOneAndThePresenterHasAnother) {
    const std::vector<Monitor> two = {{"eDP-1", laptop, laptop, true}, {"HDMI-1", projector, projector, false}};
    Stages stages = stages_of(two, "");
    EXPECT_EQ(stages.hall, 1) << "the primary one is the lecturer's own";
    EXPECT_EQ(stages.presenter, 0);
    stages = stages_of(two, "eDP-1");
    EXPECT_EQ(stages.hall, 0);
    EXPECT_EQ(stages.presenter, 1);
    EXPECT_EQ(stages_of(two, "gone").hall, 1);
    const std::vector<Monitor> three = {two[1], {"DP-2", above, above, false}, two[0]};
    stages = stages_of(three, "DP-2");
    EXPECT_EQ(stages.hall, 1);
    EXPECT_EQ(stages.presenter, 2) << "the primary one";
    for (const std::size_t count : {0U, 1U}) {
        stages = stages_of(std::span(two).first(count), "HDMI-1");
        EXPECT_EQ(stages.hall, -1);
        EXPECT_EQ(stages.presenter, -1);
    }
    EXPECT_EQ(monitor_named(two, "HDMI-1"), 1);
    EXPECT_EQ(monitor_named(two, ""), -1);
}

TEST(Monitors, AWindowThatLosesItsMonitorLiesWholeOnAnother) {
    const Area small = centred_in(laptop, 800, 500), large = centred_in(projector, 1920, 1080);
    EXPECT_EQ(small, (Area{560, 290, 800, 500}));
    EXPECT_EQ(large, projector);
    EXPECT_TRUE(can_be_grasped(small, laptop));
    EXPECT_EQ(beside_in(laptop), (Area{1120, 0, 800, 1080}));
    EXPECT_EQ(beside_in({0, 0, 640, 480}), (Area{0, 0, 640, 480}));
}

TEST(Monitors, AWindowOpensNoLargerThanTheWorkAreaOfItsMonitor) {
    constexpr Area small = {0, 0, 1280, 720}, below_a_bar = {0, 28, 1280, 692};
    const std::vector<Monitor> bare = {{"eDP-1", small, small, true}};  // without a window manager
    const std::vector<Monitor> managed = {{"eDP-1", small, below_a_bar, true}};
    EXPECT_EQ(fitted_to_work({0, 0, 1600, 900}, {}, bare), small);
    EXPECT_EQ(fitted_to_work({0, 0, 1600, 900}, {2, 30, 2, 2}, managed), (Area{2, 58, 1276, 660}));
    EXPECT_EQ(fitted_to_work({0, 0, 1200, 900}, {}, bare), (Area{0, 0, 1200, 720})) << "one side alone";
    EXPECT_EQ(fitted_to_work({40, 60, 1000, 600}, {2, 30, 2, 2}, managed), (Area{40, 60, 1000, 600}));
    const std::vector<Monitor> two = {{"eDP-1", laptop, laptop, true}, {"HDMI-1", projector, projector, false}};
    EXPECT_EQ(fitted_to_work({100, 100, 1600, 900}, {}, two), (Area{100, 100, 1600, 900}));
    EXPECT_EQ(fitted_to_work({1900, 0, 1600, 900}, {}, two), projector) << "the one that shows most of it";
    EXPECT_EQ(fitted_to_work({9000, 9000, 2000, 2000}, {}, two), laptop) << "none shows it";
    EXPECT_EQ(fitted_to_work({0, 0, 1600, 900}, {}, {}), (Area{0, 0, 1600, 900})) << "nothing is known";
}

}  // namespace
}  // namespace vitrine
