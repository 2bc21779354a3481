#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "app/jobs/inference.h"
#include "app/jobs/measuring.h"
#include "app/ui/languages.h"
#include "tests/slow_model.h"
#include "tests/ui/laboratory_room.h"
#include "tests/ui/written.h"

// What the laboratory's pictures say of themselves: titles, invitations, distances, scales and progress.

namespace vitrine {
namespace {

Opening compared(Combine combine) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{2, 0, {}}, {2, 1, {}}};
    state.selection.focus.lab.combine = combine;
    return state;
}

TEST(LaboratoryWords, TheTitleOfADifferenceSaysThatItIsOneInAnExportedPictureToo) {
    Harness h(compared(Combine::difference));
    const std::string title = h.app->text()("lab.compare.title_difference");
    EXPECT_EQ(h.item("stage.heading").text, title);
    EXPECT_EQ(h.item("stage.sentence").text, h.app->text()("lab.compare.sentence_difference"));
    h.door().state.figure = {.bare = true, .title = true};
    h.frame(2);
    h.app->record("stage");
    h.frame(1);
    EXPECT_NE(h.app->take_recording().find(">" + title + "<"), std::string::npos);
    h.door().state.figure = {};
    h.change().focus().lab.combine = Combine::side_by_side;
    h.settle();
    EXPECT_EQ(h.item("stage.heading").text, h.app->text()("lab.compare.title"));
}

TEST(LaboratoryWords, AComparisonOfTooFewHeadsOffersAPair) {
    Harness h(laboratory(Instrument::compare));
    h.tap("lab.clear");
    ASSERT_TRUE(lab(h).picks.empty());
    h.tap("compare.begin");
    EXPECT_EQ(lab(h).picks.size(), 2U);
    EXPECT_TRUE(h.shows("compare.map.Y"));
    EXPECT_FALSE(h.shows("compare.begin"));
    h.change().focus().lab.picks = {{2, 3, {}}};
    h.change().focus().lab.combine = Combine::difference;
    h.settle();
    h.tap("compare.begin");
    EXPECT_EQ(lab(h).picks.size(), 2U);
    EXPECT_TRUE(h.shows("compare.result"));
}

TEST(LaboratoryWords, TheDistancesOfTwoHeadsHaveTheirNames) {
    for (const std::string& language : language_codes())
        for (const ImVec2 size : {small_window, ImVec2{1920, 1080}}) {
            Opening state = compared(Combine::difference);
            state.state.settings.language = language;
            Harness h(std::move(state), size);
            const std::string& told = h.item("compare.variation").text;
            const std::string name = h.app->text()("compare.apart_short");
            EXPECT_TRUE(told.starts_with(name.substr(0, name.find('{')))) << told << " in " << language;
            EXPECT_TRUE(size.x == small_window.x || told.find(" nat") != std::string::npos)
                << told << " in " << language;
            h.expect_readable("the distances in " + language);
        }
}

/// True if a line that is drawn names the colour of a drop or a rise.
bool names_a_colour(const Harness& h) {
    const std::string orange = h.app->text()("scale.orange", {{"caption", ""}});
    return std::ranges::any_of(h.app->probe().words(), [&](const Probe::Words& drawn) {
        return drawn.text.find(orange.substr(0, orange.find_last_not_of(' ') + 1)) != std::string::npos;
    });
}

TEST(LaboratoryWords, ScalesOfDropsSayWhichColourIsADrop) {
    for (const std::string& language : language_codes()) {
        Opening state = laboratory(Instrument::occlusion);
        state.state.settings.language = language;
        Harness h(std::move(state), small_window);
        for (const auto& [watched, name] : watched_names) {
            h.change().focus().lab.watched = watched;
            h.settle();
            EXPECT_TRUE(names_a_colour(h)) << name << " in " << language;
        }
        h.change().focus().lab.instrument = Instrument::causes;
        h.settle();
        EXPECT_TRUE(names_a_colour(h)) << "importance in " << language;
        go_to(h, "explanation");
        EXPECT_TRUE(names_a_colour(h)) << "explanation in " << language;
        h.expect_readable("drops in " + language);
    }
}

TEST(LaboratoryWords, TheProgressOfMeasuringIsBesideTheTitleWhereItCoversNothing) {
    Opening state = laboratory(Instrument::heads);
    state.experiment.model = slow_model();
    Harness h(std::move(state), small_window);
    h.change().focus().lab.instrument = Instrument::occlusion;
    h.wait_until([&] { return h.shows("measuring"); });
    const Rect progress = h.item("measuring").rect, title = h.item("stage.heading").rect;
    EXPECT_GE(progress.x0, title.x1);
    EXPECT_GE(progress.y0, title.y0);
    EXPECT_LE(progress.y1, h.item("stage.sentence").rect.y0);
    EXPECT_LE(h.item("measuring.cancel").rect.y1, h.item("stage.sentence").rect.y0);
    h.app->context().jobs().of<Measuring>().cancel(1);
}

/// In Explore, too, while a chapter's own results are computed.
TEST(LaboratoryWords, TheProgressOfAChaptersResultsIsBesideTheTitle) {
    std::atomic<bool> held = false;
    std::atomic<Inference*> inference = nullptr;
    Harness h(Harness::with_image("cat"), large_window, [&] {
        while (held && inference.load()->latest(1).activity.stage != Stage::idle)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    inference = &h.app->context().jobs().of<Inference>();
    held = true;
    h.carry_out(command::GoToChapter{"explanation"});
    h.wait_until([&] { return h.shows("waiting"); });
    const Rect progress = h.item("waiting").rect, title = h.item("stage.heading").rect;
    EXPECT_GE(progress.x0, title.x1);
    EXPECT_LE(progress.y1, h.item("stage.sentence").rect.y0);
    EXPECT_LE(h.item("waiting.cancel").rect.y1, h.item("stage.sentence").rect.y0);
    held = false;
    h.settle();
    EXPECT_FALSE(h.shows("waiting"));
}

}  // namespace
}  // namespace vitrine
