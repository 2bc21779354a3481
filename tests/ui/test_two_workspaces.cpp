#include <filesystem>
#include <fstream>

#include "app/lecture/lesson.h"
#include "app/lecture/lesson_text.h"
#include "app/library/library.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/session.h"
#include "app/workspace/linked.h"
#include "app/workspace/measured.h"
#include "app/workspace/recent.h"
#include "core/base/error.h"
#include "core/measures/head_statistics.h"
#include "core/vit/what_ifs.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/token_models.h"
#include "tests/ui/two_workspaces.h"

// Two workspaces side by side.

namespace vitrine {
namespace {

TEST(TwoWorkspaces, HaveNoListingBeforeTheirRunIsThere) {
    for (const char* const room : {"explore", "text"})
        EXPECT_EQ(answers_of(room).teaching.listing(Workspace(), Focus()), "") << room;
}

TEST(TwoWorkspaces, ControlDOpensTheRightHalfAndClosesIt) {
    Harness h;
    show_two_images(h);
    EXPECT_NE(h.item("half.title").text.find("cat"), std::string::npos);
    EXPECT_NE(h.item("beside.half.title").text.find("mug"), std::string::npos);
    EXPECT_TRUE(h.shows("attention.map.0"));
    EXPECT_TRUE(h.shows("beside.attention.map.0"));
    EXPECT_EQ(h.item("top.image").text, "mug") << "what was opened last is what commands act on";
    EXPECT_TRUE(h.shows("status.idle"));
    EXPECT_EQ(left(h).shown.result->model, right(h).shown.result->model) << "weights are in memory once";
    h.press(Key::d, Key::ctrl);
    EXPECT_EQ(both(h).all().size(), 1U);
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_FALSE(h.shows("half.title"));
}

TEST(TwoWorkspaces, EitherHalfIsClosedByItsButtonAndTheOtherStays) {
    for (const bool first : {true, false}) {
        Harness h;
        show_two_images(h);
        h.tap(first ? "half.close" : "beside.half.close");
        ASSERT_EQ(both(h).all().size(), 1U);
        EXPECT_EQ(h.item("top.image").text, first ? "mug" : "cat");
        h.press(Key::z, Key::ctrl);
        ASSERT_EQ(both(h).all().size(), 2U) << "closing is undone";
        EXPECT_EQ(left(h).shown.result->image->name, "cat");
        EXPECT_EQ(right(h).shown.result->image->name, "mug");
    }
}

TEST(TwoWorkspaces, UndoAndRedoGoThroughWhatWasDoneInBoth) {
    Harness h;
    show_two_images(h);
    h.tap("half.title");
    EXPECT_EQ(h.item("top.image").text, "cat");
    h.press(Key::x);
    EXPECT_EQ(left(h).experiment.what_ifs.size(), 1U);
    EXPECT_TRUE(right(h).experiment.what_ifs.empty());
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(left(h).experiment.what_ifs.empty());
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(right(h).experiment.image.sample, "cat") << "before the mug was opened";
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(both(h).all().size(), 1U);
    for (int i = 0; i < 3; ++i) h.press(Key::y, Key::ctrl);
    ASSERT_EQ(both(h).all().size(), 2U);
    EXPECT_EQ(right(h).shown.result->image->name, "mug");
    EXPECT_EQ(left(h).experiment.what_ifs.size(), 1U);
}

TEST(TwoWorkspaces, WhatIsChosenInOneIsChosenInBothUntilAClickUnlinksThem) {
    Harness h;
    show_two_images(h);
    h.tap("attention.map.1");
    EXPECT_EQ(h.item("top.image").text, "cat") << "a click in a half makes it the one that commands act on";
    EXPECT_TRUE(left(h).selection.focus == right(h).selection.focus);
    EXPECT_GT(right(h).selection.focus.token, 0);
    h.press(Key::down);
    EXPECT_EQ(right(h).selection.focus.block, 2);
    h.tap("beside.half.link");
    h.press(Key::down);
    EXPECT_EQ(left(h).selection.focus.block, 3);
    EXPECT_EQ(right(h).selection.focus.block, 2);
    go_to(h, "mlp");
    EXPECT_EQ(right(h).selection.focus.step, left(h).selection.focus.step) << "both show the same chapter";
    h.tap("beside.half.link");
    EXPECT_EQ(right(h).selection.focus.block, 3) << "linked again";
}

TEST(TwoWorkspaces, ABlockIsChosenAboveAHalfWhereTheMapHasNoRoom) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "attention");
    EXPECT_FALSE(h.shows("half.block"));
    show_two_images(h);
    EXPECT_FALSE(h.shows("beside.half.block")) << "linked halves have one block";
    const int block = left(h).selection.focus.block;
    h.tap("half.block.next");
    EXPECT_EQ(left(h).selection.focus.block, block + 1);
    EXPECT_EQ(right(h).selection.focus.block, block + 1);
    h.tap("half.block.previous");
    EXPECT_EQ(right(h).selection.focus.block, block);
    h.expect_readable("two halves with a choice of block");
    h.tap("beside.half.link");
    h.tap("beside.half.block.next");
    EXPECT_EQ(left(h).selection.focus.block, block);
    EXPECT_EQ(right(h).selection.focus.block, block + 1);
}

TEST(TwoWorkspaces, AWhatIfBelongsToTheHalfThatWasClicked) {
    Harness h;
    go_to(h, "attention");
    open_right(h);
    h.tap("beside.attention.head.1.switch");
    EXPECT_TRUE(left(h).experiment.what_ifs.empty());
    EXPECT_EQ(right(h).experiment.what_ifs.size(), 1U);
    h.tap("attention.head.2.switch");
    EXPECT_EQ(left(h).experiment.what_ifs.size(), 1U);
    EXPECT_FALSE(contains(right(h).experiment.what_ifs, left(h).experiment.what_ifs.front()));
}

TEST(TwoWorkspaces, ChangedAndPredictionNameTheirHalf) {
    Harness h;
    go_to(h, "attention");
    h.change()->what_ifs = {remove_head(2, 0)};
    h.settle();
    EXPECT_EQ(h.item("removals.title").text.find(" · "), std::string::npos);
    open_right(h);
    h.settle();
    EXPECT_TRUE(h.item("removals.title").text.ends_with(" · B"));
    EXPECT_TRUE(h.item("prediction.title").text.ends_with(" · B"));
    h.tap("half.title");
    EXPECT_TRUE(h.item("removals.title").text.ends_with(" · A"));
    EXPECT_TRUE(h.item("prediction.title").text.ends_with(" · A"));
}

TEST(TwoWorkspaces, XActsOnTheHalfThatThePointerIsAt) {
    Harness h;
    show_two_images(h);
    h.hover("attention.map.2");
    h.press(Key::x);
    EXPECT_EQ(left(h).experiment.what_ifs.size(), 1U);
    EXPECT_TRUE(right(h).experiment.what_ifs.empty());
    h.hover("beside.attention.map.1");
    h.press(Key::x);
    EXPECT_EQ(left(h).experiment.what_ifs.size(), 1U);
    EXPECT_EQ(right(h).experiment.what_ifs.size(), 1U);
}

TEST(TwoWorkspaces, PointingAtOneHalfPointsAtTheSameInTheOther) {
    Harness h;
    show_two_images(h);
    h.hover("attention.map.0");
    ASSERT_TRUE(left(h).selection.hovered_token());
    EXPECT_EQ(left(h).selection.hovered_token(), right(h).selection.hovered_token());
    h.hover("beside.attention.map.3");
    ASSERT_TRUE(left(h).selection.hovered_head());
    EXPECT_EQ(left(h).selection.hovered_head(), 3);
}

TEST(TwoWorkspaces, BothHaveOneColourScaleWhichTheBarStates) {
    Harness h;
    show_two_images(h);
    const double a = h.item("attention.most.0").value, b = h.item("beside.attention.most.0").value;
    EXPECT_NE(a, b);
    EXPECT_EQ(h.item("attention.scale").value, h.item("beside.attention.scale").value);
    h.tap("scope.head");
    EXPECT_NEAR(h.item("attention.scale").value, std::max(a, b), 1e-6);
    EXPECT_NEAR(h.item("beside.attention.scale").value, std::max(a, b), 1e-6);
    EXPECT_NE(h.item("attention.scale").text.find(h.app->text()("beside.both")), std::string::npos);
}

TEST(TwoWorkspaces, ADropOnTheRightHalfOpensBeside) {
    Harness h;
    go_to(h, "attention");
    const Rect stage = h.item("stage").rect;
    const auto file = std::filesystem::path(VITRINE_SOURCE) / "tests/ui/images/cat.png";
    h.input.move(stage.x0 + stage.width() * 0.25F, stage.centre().y);
    h.frame(2);
    h.app->open({file});
    h.settle();
    EXPECT_EQ(both(h).all().size(), 1U) << "on the left half it replaces the image";
    open_image(h, "mug");
    h.input.move(stage.x0 + stage.width() * 0.75F, stage.centre().y);
    h.frame(2);
    h.app->open({file});
    h.settle();
    ASSERT_EQ(both(h).all().size(), 2U);
    EXPECT_EQ(left(h).shown.result->image->name, "mug");
    EXPECT_EQ(right(h).shown.result->image->source.path, file);
}

TEST(TwoWorkspaces, AModelOfAnotherGridShowsTheNearestPatchAndSaysSo) {
    Harness h;
    go_to(h, "attention");
    h.change().focus().token = 1 + 8 * 7 + 7;  // the last patch of a grid of 8 × 8
    h.frame(3);
    open_right(h);
    h.app->ask(command::OpenModel{{std::filesystem::path(VITRINE_GOLDEN) / "models/tiny_hf", {}}});
    h.frame(2);
    h.settle();
    h.tap("half.title");
    const Config &a = left(h).config(), &b = right(h).config();
    ASSERT_NE(a.grid_width(), b.grid_width());
    const auto look = [&](const char* part, int value) {
        h.app->ask(command::Look{{{part, std::to_string(value)}}});
        h.frame(3);
    };
    look("token", a.token_of(0));
    EXPECT_EQ(right(h).selection.focus.token, b.token_of(0));
    look("token", a.token_of(a.patches() - 1));
    EXPECT_EQ(right(h).selection.focus.token, b.token_of(b.patches() - 1));
    EXPECT_TRUE(h.shows("beside.nearest"));
    look("block", a.blocks);
    EXPECT_EQ(right(h).selection.focus.block, std::min(a.blocks, b.blocks));
}

TEST(TwoWorkspaces, TokensOfModelsWithOtherTokensCorrespond) {
    const Config many = with_every_kind_of_token(), none = without_class_token();
    EXPECT_EQ(token_like(0, many, none), 0);
    for (int patch = 0; patch < many.patches(); ++patch)
        EXPECT_EQ(token_like(many.token_of(patch), many, none), none.token_of(patch));
    for (int token = 0; token < many.tokens(); ++token) EXPECT_EQ(token_like(token, many, many), token);
    Config fine = none;
    fine.image_height *= 4;
    fine.image_width *= 4;
    for (int token = 0; token < none.tokens(); ++token) {
        const int there = token_like(token, none, fine);
        EXPECT_EQ(token_like(there, fine, none), token);
    }
}

TEST(TwoWorkspaces, ASessionKeepsBoth) {
    Harness h;
    show_two_images(h);
    h.tap("half.title");
    h.press(Key::x);
    h.press(Key::down);
    const Session kept = h.app->session();
    ASSERT_TRUE(kept.other);
    const std::string words = to_json(kept);
    const Session read = parse_session(words, "test");
    EXPECT_EQ(to_json(read), words);
    h.press(Key::d, Key::ctrl);
    open_image(h, "sun");
    h.app->restore(read);
    h.settle();
    ASSERT_EQ(both(h).all().size(), 2U);
    EXPECT_EQ(left(h).shown.result->image->name, "cat");
    EXPECT_EQ(left(h).experiment.what_ifs.size(), 1U);
    EXPECT_EQ(right(h).shown.result->image->name, "mug");
    EXPECT_TRUE(right(h).experiment.what_ifs.empty());
    EXPECT_EQ(both(h).shown(), 0U);
    EXPECT_EQ(to_json(h.app->session()), words);
}

TEST(TwoWorkspaces, ARecordingPlaysInAFreshWindow) {
    std::vector<std::string> lines;
    std::string expected;
    {
        Harness h;
        show_two_images(h);
        for (const Command& command : commands_to(h.app->context()))
            lines.push_back(to_line(command, left(h).config()));
        h.app->listen([&](const Command& command) { lines.push_back(to_line(command, left(h).config())); });
        h.tap("attention.map.1");
        h.press(Key::x);
        h.tap("beside.half.title");
        h.press(Key::down);
        expected = to_json(h.app->session());
    }
    Harness h(Harness::with_image("sun"));
    h.app->play(lines);
    h.wait_until([&] { return h.app->session().other && to_json(h.app->session()) == expected; });
    EXPECT_EQ(h.app->error(), "");
}

TEST(TwoWorkspaces, AnotherModelLooksAtTheSamePlaceOfTheImage) {
    Harness h;
    go_to(h, "attention");
    open_right(h);
    h.app->ask(command::Look{{{"token", "64"}}});  // the last patch of 8 × 8
    h.frame(3);
    h.app->ask(command::OpenModel{{std::filesystem::path(VITRINE_GOLDEN) / "models/tiny_hf", {}}});
    h.frame(2);
    h.settle();
    EXPECT_EQ(right(h).selection.focus.token, right(h).config().tokens() - 1);
    EXPECT_EQ(left(h).selection.focus.token, 64);
}

TEST(TwoWorkspaces, TheLaboratoryAndTextShowTwo) {
    Harness h;
    show_two_images(h);
    h.press(Key::f3);
    for (const auto& row : instrument_names) {
        h.app->ask(command::Look{{{"lab.instrument", row.name}}});
        h.frame(2);
        h.settle();
        EXPECT_TRUE(h.shows("beside.half.title")) << row.name;
        EXPECT_TRUE(h.shows("status.idle")) << row.name;
    }
    EXPECT_TRUE(left(h).measured && right(h).measured);
    EXPECT_EQ(both(h).shown(), 1U) << "what an instrument chooses by itself is no click";
    h.press(Key::f8);
    h.settle();
    EXPECT_TRUE(h.shows("beside.half.title"));
    const std::string typed = right(h).typed_text();
    h.change().text().read("The dog sees the house.");
    h.frame(2);
    h.settle();
    EXPECT_EQ(left(h).typed_text(), typed) << "each has its own text";
    EXPECT_NE(right(h).typed_text(), typed);
}

TEST(TwoWorkspaces, TheDialogsOpenBeside) {
    Harness h;
    go_to(h, "attention");
    h.press(Key::o);
    h.tap("browser.beside");
    h.tap("sample.sun");
    ASSERT_EQ(both(h).all().size(), 2U);
    EXPECT_EQ(left(h).shown.result->image->name, "cat");
    EXPECT_EQ(right(h).shown.result->image->name, "sun");
    h.press(Key::o);
    h.tap("sample.mug");
    EXPECT_EQ(right(h).shown.result->image->name, "mug") << "the choice holds once";
}

TEST(TwoWorkspaces, ALessonsStopShowsAnotherImageBeside) {
    const TestFolder folder;
    const char* const text =
        "lesson: Two\n\nstep: attention\nimage: cat\nbeside: mug\nblock: 2\nwhat-if: head:2.1\n\nstep: mlp\n";
    std::ofstream(folder / "two.txt") << text;
    const Lesson lesson = load_lesson((folder / "two.txt").string());
    ASSERT_TRUE(lesson.stops[0].beside);
    EXPECT_FALSE(lesson.stops[1].beside);
    EXPECT_THROW(parse_lesson("lesson: A\n\ntext: mask\nbeside: cat\n", "a", {}), Error);
    Harness h(Harness::with_image("sun"));
    h.app->ask(command::OpenLesson{(folder / "two.txt").string()});
    h.frame(2);
    h.press(Key::l);
    h.settle();
    if (!h.app->state().lecture.on) h.press(Key::l);
    h.settle();
    ASSERT_EQ(both(h).all().size(), 2U);
    EXPECT_EQ(left(h).shown.result->image->name, "cat");
    EXPECT_EQ(left(h).experiment.what_ifs.size(), 1U);
    EXPECT_EQ(right(h).shown.result->image->name, "mug");
    EXPECT_TRUE(right(h).experiment.what_ifs.empty());
    EXPECT_EQ(right(h).selection.focus.block, 2);
}

TEST(TwoWorkspaces, TheTextRoomsHalvesFitASmallWindow) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "attention");
    open_right(h);
    h.press(Key::f8);
    h.settle();
    const auto expect_fits = [&](const std::string& where) {
        h.frame(3);
        h.settle();
        EXPECT_LE(h.item("beside.half.close").rect.x1, h.item("stage").rect.x1 + 1) << where << " scrolls sideways";
        for (const std::string& pair : h.app->probe().overlaps()) ADD_FAILURE() << pair << " overlap in " << where;
    };
    // The others scroll.
    for (const char* const chapter : {"embedding", "encoder", "self_attention", "mask", "decoding"}) {
        h.app->ask(command::Look{{{"text.chapter", chapter}}});
        expect_fits(chapter);
    }
    for (const char* const instrument : {"ledger", "occlusion"}) {
        h.app->ask(command::Look{{{"text.lab", "yes"}, {"text.instrument", instrument}}});
        expect_fits(instrument);
    }
}

TEST(TwoWorkspaces, ARecentFileOpensBeside) {
    Harness h;
    remember(h.change()->settings, FileKind::model, std::filesystem::path(VITRINE_GOLDEN) / "models/tiny_hf");
    h.press(Key::home);
    h.tap("start.beside");
    h.tap("start.model.0");
    h.settle();
    ASSERT_EQ(both(h).all().size(), 2U);
    EXPECT_NE(left(h).shown.result->model, right(h).shown.result->model);
}

TEST(TwoWorkspaces, ALessonsStopShowsAnotherModelWithChangesBeside) {
    const TestFolder folder;
    const char* const text =
        "lesson: Two\n\nstep: attention\nimage: cat\nbeside-model: pictograms-small\nbeside-what-if: head:2.1\n";
    std::ofstream(folder / "two.txt") << text;
    const Lesson lesson = load_lesson((folder / "two.txt").string());
    ASSERT_TRUE(lesson.stops[0].beside && lesson.stops[0].beside->model);
    EXPECT_FALSE(lesson.stops[0].beside->image) << "the stop's own";
    EXPECT_EQ(text_of(lesson.stops[0], folder.path()), std::string(text).substr(13)) << "written as it was read";
    EXPECT_THROW(parse_lesson("lesson: A\n\ntext: mask\nbeside-model: pictograms-small\n", "a", {}), Error);
    EXPECT_THROW(parse_lesson("lesson: A\n\nstep: mlp\nbeside-model: nowhere\n", "a", {}), Error);
    Harness h(Harness::with_image("sun"));
    h.app->ask(command::OpenLesson{(folder / "two.txt").string()});
    h.frame(2);
    h.press(Key::l);
    h.settle();
    if (!h.app->state().lecture.on) h.press(Key::l);
    h.settle();
    ASSERT_EQ(both(h).all().size(), 2U);
    EXPECT_EQ(right(h).shown.result->image->name, "cat");
    EXPECT_EQ(right(h).experiment.model.bundled, "pictograms-small");
    EXPECT_EQ(right(h).experiment.what_ifs.size(), 1U);
    EXPECT_TRUE(left(h).experiment.what_ifs.empty());
    EXPECT_EQ(right(h).selection.focus.step, left(h).selection.focus.step);
    EXPECT_EQ(h.app->error(), "");
}

TEST(TwoWorkspaces, AnInstrumentsScaleIsThatOfBothRuns) {
    Harness h(Harness::with_image("cat"), {1920, 1080});
    show_two_images(h);
    h.press(Key::f3);
    const auto look_at = [&](const char* instrument) {
        h.app->ask(command::Look{{{"lab.instrument", instrument}}});
        h.frame(2);
        h.settle();
    };
    look_at("statistics");
    const auto pixels_per_unit = [&](const std::string& half) {
        const Probe::Item one = h.item(half + "statistics.dot.1.0"), other = h.item(half + "statistics.dot.2.0");
        return static_cast<double>(one.rect.y0 - other.rect.y0) / (other.value - one.value);
    };
    EXPECT_NEAR(pixels_per_unit("") / pixels_per_unit("beside."), 1, 0.02);
    look_at("compare");
    h.app->ask(command::Look{{{"scope", "head"}}});
    h.frame(3);
    h.settle();
    EXPECT_EQ(h.item("compare.high.X").value, h.item("beside.compare.high.X").value);
    EXPECT_NE(h.item("range_bar").text.find(h.app->text()("compare.scope_own")), std::string::npos);
}

TEST(TwoWorkspaces, EveryChapterIsReadableInBothHalves) {
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
        Harness h(Harness::with_image("cat"), size);
        show_two_images(h);
        for (const Step& step : curriculum()) {
            go_to(h, step.id);
            const std::string where = std::string(step.id) + " at " + std::to_string(static_cast<int>(size.x));
            if (size.x > 1900) h.expect_readable(where);
            for (const std::string& pair : h.app->probe().overlaps()) ADD_FAILURE() << pair << " overlap in " << where;
        }
    }
}

}  // namespace
}  // namespace vitrine
