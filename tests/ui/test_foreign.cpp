#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "app/rooms/panels/foreign.h"
#include "app/ui/languages.h"
#include "app/workspace/recent.h"
#include "tests/small_model.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

// A photograph shown to a model of drawn pictures: wherever its answer stands, that it means nothing stands, too.

namespace vitrine {
namespace {

TEST(ForeignPhotograph, IsWarnedOfWhereverAnAnswerStands) {
    const TestFolder folder;
    std::ofstream(folder / "photo.ppm", std::ios::binary) << "P6 4 2 255\n" << std::string(24, 'x');
    Harness h(Harness::with_image("cat"), {1280, 720});
    const std::string warning = h.app->text()("foreign.title");
    const auto solved = [&] {
        h.change().focus().exercise = Exercise::key_is_query;
        h.change()->settings.exercises["key_is_query"] = {1, -1, -1};
        h.carry_out(command::EnterRoom{"exercise"});
        h.settle();
    };
    solved();
    EXPECT_FALSE(h.shows("exercise.foreign")) << "a drawn picture";
    EXPECT_EQ(answer_color(h.app->theme().palette, h.result()), h.app->theme().palette.accent);
    h.carry_out(command::EnterRoom{"explore"});
    h.settle();
    EXPECT_EQ(h.item("prediction.title").text, h.app->text()("prediction.title"));
    h.app->open({folder / "photo.ppm"});
    h.settle();
    ASSERT_TRUE(answer_means_nothing(h.result()));
    EXPECT_EQ(answer_color(h.app->theme().palette, h.result()), h.app->theme().palette.residual);
    for (const char* const room : {"explore", "laboratory"}) {
        h.carry_out(command::EnterRoom{room});
        h.settle();
        EXPECT_NE(h.item("foreign").text.find(warning), std::string::npos) << room;
        EXPECT_EQ(h.item("prediction.title").text, h.app->text()("prediction.means_nothing"))
            << "beside its percentage in " << room;
    }
    solved();
    ASSERT_TRUE(h.shows("exercise.broken"));
    EXPECT_EQ(h.item("exercise.foreign").text, warning);
    h.expect_readable("an exercise on a photograph");
    h.carry_out(command::EnterRoom{"explore"});
    begin_lecture(h);
    EXPECT_EQ(h.item("lecture.foreign").text, warning);
    h.tap("lecture.foreign.open");
    EXPECT_EQ(h.item("told.foreign").text, warning) << "beside all its numbers, too";
    h.expect_readable("a lecture on a photograph");
}

TEST(ForeignPhotograph, IsWarnedOfInTheLineOfItsPercentageInEveryLanguage) {
    const TestFolder folder;
    std::ofstream(folder / "photo.ppm", std::ios::binary) << "P6 4 2 255\n" << std::string(24, 'x');
    for (const std::string& language : language_codes())
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            h.app->open({folder / "photo.ppm"});
            h.settle();
            ASSERT_TRUE(h.item("prediction.title").visible);
            EXPECT_TRUE(h.item("prediction.line").rect.contains(h.item("prediction.title").rect.centre()));
            h.expect_readable("a photograph in " + language);
        }
}

TEST(ForeignPhotograph, HasItsReasonInTwoLinesAndTheRestWhereOnePoints) {
    const TestFolder folder;
    std::ofstream(folder / "photo.ppm", std::ios::binary) << "P6 4 2 255\n" << std::string(24, 'x');
    for (const std::string& language : language_codes()) {
        Opening opening;
        opening.state.settings.language = language;
        Harness h(std::move(opening), {1280, 720});
        h.app->open({folder / "photo.ppm"});
        h.settle();
        go_to(h, "prediction");
        ASSERT_EQ(h.item("foreign").value, 1) << "unfolded where the answer is first explained";
        const Rect reason = h.item("foreign.words").rect;
        std::set<float> lines;
        for (const Probe::Words& drawn : h.app->probe().words())
            if (reason.contains(drawn.rect.centre())) lines.insert(drawn.rect.y0);
        EXPECT_GE(lines.size(), 1U) << language;
        EXPECT_LE(lines.size(), 2U) << language;
        h.hover("foreign.fold");
        h.frame(60);
        EXPECT_EQ(h.item("tooltip").text, h.app->text()("foreign.fold_tip")) << language;
    }
}

TEST(ForeignPhotograph, IsAnsweredByTheUsersOwnModelWhereOneWasOpened) {
    const TestFolder folder;
    std::ofstream(folder / "photo.ppm", std::ios::binary) << "P6 4 2 255\n" << std::string(24, 'x');
    const std::filesystem::path mine = folder / "mine";
    std::filesystem::copy(small_model_folder(), mine);
    Opening opening = Harness::with_image("cat");
    remember(opening.state.settings, FileKind::model, mine);
    Harness h(std::move(opening), {1280, 720});
    h.app->open({folder / "photo.ppm"});
    h.settle();
    h.tap("foreign.fold");
    h.frame(4);
    for (const char* const button : {"foreign.recent", "foreign.help", "foreign.own"})
        EXPECT_TRUE(h.shows(button)) << button;
    h.expect_readable("a photograph and a model of one's own");
    h.tap("foreign.recent");
    h.settle();
    EXPECT_EQ(h.item("top.model").text, "mine");
    EXPECT_EQ(h.item("top.image").text, "photo.ppm");
    EXPECT_FALSE(h.shows("foreign"));
}

}  // namespace
}  // namespace vitrine
