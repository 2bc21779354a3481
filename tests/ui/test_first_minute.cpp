#include <gtest/gtest.h>

#include "app/rooms/explore/first_minute.h"
#include "app/ui/languages.h"
#include "core/measures/analysis.h"
#include "tests/ui/harness.h"

// The first minute, with the bundled model: every moment follows from what a newcomer does.

namespace vitrine {
namespace {

Opening with_first_minute(const std::string& language = "en") {
    Opening opening = Harness::with_image("cat");
    opening.experiment.model = {};
    opening.state.dialog = "start";
    opening.state.settings.language = language;
    return opening;
}

int next_in(Harness& h) { return static_cast<int>(h.item("first_minute").value); }

TEST(FirstMinuteStrip, LeadsFromAPatchToAnotherAnswer) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(with_first_minute(), size);
        h.tap("start.first_minute");
        EXPECT_EQ(h.app->state().dialog, "");
        EXPECT_EQ(next_in(h), static_cast<int>(FirstMinute::patch));
        h.expect_readable("first");
        h.tap("attention.map." + std::to_string(h.focus().head));
        EXPECT_GT(h.focus().token, 0);
        EXPECT_EQ(next_in(h), static_cast<int>(FirstMinute::all_heads));
        h.tap("first_minute.heads");
        EXPECT_FALSE(h.focus().solo);
        EXPECT_EQ(next_in(h), static_cast<int>(FirstMinute::switch_off));
        h.expect_readable("all heads");
        h.tap("first_minute.off");
        EXPECT_EQ(next_in(h), static_cast<int>(FirstMinute::seen));
        const int before = top_predictions(*h.result().baseline.head, 1).front().index,
                  now = top_predictions(*h.result().trace.head, 1).front().index;
        EXPECT_NE(before, now) << "the picture is one where the answer changes";
        EXPECT_NE(h.item("first_minute").text.find("→"), std::string::npos);
        h.expect_readable("at the end");
        h.tap("first_minute.photo");
        EXPECT_EQ(h.app->state().dialog, "open_image");
        EXPECT_FALSE(h.app->state().first_minute);
        EXPECT_EQ(h.focus().step, step_index("image"));
    }
}

TEST(FirstMinuteStrip, AsksOnForItsHeadWhileAnotherHardlyMovesTheAnswer) {
    Harness h(with_first_minute(), {1280, 720});
    h.tap("start.first_minute");
    EXPECT_FALSE(h.shows("stage.hint")) << "the strip alone says what to do";
    h.tap("attention.map." + std::to_string(h.focus().head));
    EXPECT_FALSE(h.shows("stage.hint"));
    h.tap("first_minute.heads");
    h.tap("attention.map.0");  // now head 1 is chosen
    EXPECT_EQ(h.item("first_minute.off").text, "Switch head 2 off");
    h.tap("attention.head.0.switch");
    ASSERT_EQ(h.what_ifs().size(), 1U);
    EXPECT_EQ(next_in(h), static_cast<int>(FirstMinute::switch_off));
    EXPECT_NE(h.item("first_minute").text.find("Now switch head 2"), std::string::npos) << h.item("first_minute").text;
    h.expect_readable("after another head");
    h.tap("first_minute.off");
    EXPECT_EQ(next_in(h), static_cast<int>(FirstMinute::seen));
    EXPECT_EQ(h.item("first_minute").text.find("One head"), std::string::npos) << "two are off";
}

/// Of the heads of the chapter shown, the one that the minute is about moves the answer by far the most.
TEST(FirstMinuteStrip, IsAboutTheHeadOfItsBlockThatMovesTheAnswerMost) {
    Harness h(with_first_minute());
    h.tap("start.first_minute");
    const int first = top_predictions(*h.result().baseline.head, 1).front().index;
    const auto share = [&](int head) {
        h.change()->what_ifs = {remove_head(first_minute_block, head)};
        h.settle();
        return h.result().trace.head->probabilities.data()[first];
    };
    const float before = h.result().baseline.head->probabilities.data()[first];
    for (int head = 0; head < h.result().model->config.heads; ++head) {
        const float moved = std::abs(share(head) - before);
        if (head == first_minute_head)
            EXPECT_GT(moved, 0.5F);
        else
            EXPECT_LT(moved, 0.25F) << "head " << head;
    }
}

TEST(FirstMinuteStrip, EndsAtALessonForAClassToo) {
    Harness h(with_first_minute());
    h.tap("start.first_minute");
    h.change().focus().token = 60;
    h.change()->what_ifs = {remove_head(first_minute_block, first_minute_head)};
    h.settle();
    h.tap("first_minute.class");
    EXPECT_EQ(h.app->state().dialog, "lessons");
    EXPECT_FALSE(h.app->state().first_minute);
}

TEST(FirstMinuteStrip, AsksInAnotherChapterWhetherToContinueReturnOrStay) {
    for (const char* const way : {"first_minute.continue", "first_minute.end", "first_minute.stay"}) {
        Opening opening = with_first_minute();
        opening.experiment.image = {"mug", {}};
        Harness h(std::move(opening), {1280, 720});
        h.tap("start.first_minute");
        h.settle();
        const ImageSource picture = h.app->workspace().experiment.image;
        h.press(Key::right);
        h.settle();
        ASSERT_NE(h.focus().step, step_index("attention"));
        ASSERT_EQ(next_in(h), static_cast<int>(FirstMinute::left));
        h.tap(way);
        h.settle();
        const bool continues = way == std::string("first_minute.continue"),
                   ends = way == std::string("first_minute.end");
        EXPECT_EQ(h.app->state().first_minute, continues) << way;
        EXPECT_EQ(h.focus().step == step_index("attention"), continues) << way;
        EXPECT_EQ(h.app->workspace().experiment.image.sample, ends ? "mug" : picture.sample) << way;
    }
}

/// Its end returns to what was open before, whatever was switched off within it.
TEST(FirstMinuteStrip, LeavesWhatWasOpenAsItWas) {
    for (const char* const way : {"first_minute.end", "first_minute.photo", "first_minute.class"}) {
        Opening opening = with_first_minute();
        opening.experiment.image = {"mug", {}};
        opening.state.room = "laboratory";
        opening.selection.focus.step = step_index("mlp");
        opening.selection.focus.block = 3;
        opening.experiment.what_ifs = {remove_mlp(2)};
        Harness h(std::move(opening), {1280, 720});
        const Experiment before = h.app->workspace().experiment;
        const int session = h.app->workspace().opening;
        h.tap("start.first_minute");
        h.tap("attention.map." + std::to_string(h.focus().head));
        h.tap("first_minute.heads");
        h.tap("first_minute.off");
        ASSERT_EQ(next_in(h), static_cast<int>(FirstMinute::seen));
        EXPECT_NE(h.app->workspace().opening, session) << "saving replaces no file of the user's";
        h.tap(way);
        EXPECT_EQ(h.app->workspace().experiment, before) << way;
        EXPECT_EQ(h.app->workspace().opening, session) << way;
        EXPECT_EQ(h.focus().block, 3) << way;
        EXPECT_FALSE(h.app->state().first_minute) << way;
        if (way != std::string("first_minute.end")) continue;
        EXPECT_EQ(h.app->state().room, "laboratory");
        EXPECT_EQ(h.focus().step, step_index("mlp"));
        h.press(Key::z, Key::ctrl);
        EXPECT_EQ(h.app->workspace().experiment, before) << "nothing of it is in the history";
    }
}

/// A half that was opened or closed within it is closed or opened again by its end.
TEST(FirstMinuteStrip, LeavesOneHalfOrTwoAsTheyWere) {
    for (const bool two : {false, true}) {
        Harness h(with_first_minute(), {1280, 720});
        if (two) h.carry_out(command::Do{"beside.open"});
        h.settle();
        h.carry_out(command::Do{"first_minute"});
        h.settle();
        h.carry_out(command::Do{two ? "beside.close_right" : "beside.open"});
        h.settle();
        ASSERT_EQ(h.app->context().workspaces.other() != nullptr, !two);
        h.carry_out(command::Do{"first_minute.end"});
        h.settle();
        EXPECT_EQ(h.app->context().workspaces.other() != nullptr, two);
        EXPECT_TRUE(h.app->workspace().as_left) << "the end is marked in the workspace that is shown, two: " << two;
    }
}

TEST(FirstMinuteStrip, IsSkippedAndNotOfferedAgainUnlessAskedFor) {
    Harness h(with_first_minute());
    h.tap("start.first_minute");
    h.tap("first_minute.end");
    EXPECT_FALSE(h.shows("first_minute"));
    h.press(Key::home);
    EXPECT_FALSE(h.shows("start.first_minute"));
    EXPECT_TRUE(h.item("start.tour").visible);
    h.press(Key::k, Key::ctrl);
    h.type("first minute");
    h.press(Key::enter);
    EXPECT_EQ(next_in(h), static_cast<int>(FirstMinute::patch)) << "the finder begins it";
    go_to(h, "mlp");
    EXPECT_EQ(next_in(h), static_cast<int>(FirstMinute::left)) << "it continues at the maps of attention";
}

TEST(FirstMinuteStrip, IsReadableInEveryLanguage) {
    for (const std::string& language : language_codes()) {
        Harness h(with_first_minute(language), {1280, 720});
        h.expect_readable("start page in " + language);
        h.tap("start.first_minute");
        h.expect_readable(language);
        h.change().focus().token = 60;
        h.settle();
        h.expect_readable("one head in " + language);
        h.change().focus().solo = false;
        h.settle();
        h.expect_readable("all heads in " + language);
        h.change()->what_ifs = {remove_head(h.focus().block, h.focus().head)};
        h.settle();
        h.expect_readable("the end in " + language);
    }
}

TEST(FirstMinuteStrip, SaysSwitchOffByTheSignThatIsDrawnThere) {
    for (const std::string& code : language_codes()) {
        const Text text = load_text(code);
        for (const char* const key :
             {"first_minute.off", "removals.none", "removals.none_try", "attention.head_tip", "step.heads.hint"})
            EXPECT_EQ(text(key).find("×"), std::string::npos) << code << ", " << key << ": × means remove or close";
    }
}

}  // namespace
}  // namespace vitrine
