#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "app/chapters/step.h"
#include "app/lecture/lecture.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "core/vit/what_ifs.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST(Lecture, OneKeyTakesTheControlsAwayAndMakesTypeHalfAsLargeAgain) {
    Harness h;
    const float before = h.app->theme().scale;
    ASSERT_TRUE(h.shows("map.image"));
    begin_lecture(h);
    EXPECT_FALSE(h.shows("map.image"));
    EXPECT_FALSE(h.shows("section.equation"));
    EXPECT_TRUE(h.shows("stage"));
    EXPECT_GE(h.app->theme().scale, 1.5F * before - 0.01F);
    h.press(Key::f5);
    h.frame(40);
    EXPECT_TRUE(h.shows("map.image"));
    EXPECT_NEAR(h.app->theme().scale, before, 1e-4F);
}

TEST(Lecture, AStopShowsWhereItsTokenLooksWhateverSideWasChosenBefore) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "attention");
    h.tap("attention.looked_at");
    ASSERT_TRUE(h.focus().looked_at);
    h.app->ask(command::OpenLesson{"heads"});
    h.settle();
    EXPECT_FALSE(h.focus().looked_at);
}

TEST(Lecture, UndoOfAChangeKeepsTheStop) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    h.frame(60);
    for (int stop = 0; stop < 13; ++stop) {
        if (stop > 0) h.press(Key::page_down);
        h.settle();
        h.frame(60);
        ASSERT_EQ(h.app->state().lecture.stop, stop);
        const WhatIfs before = h.what_ifs();
        const std::size_t place = h.app->workspace().history.place();
        WhatIfs changed = before;
        toggle(changed, remove_mlp(3));
        h.app->ask(command::SetWhatIfs{changed});
        h.settle();
        h.frame(60);
        EXPECT_EQ(h.what_ifs(), changed);
        h.press(Key::z, Key::ctrl);
        h.settle();
        EXPECT_EQ(h.app->state().lecture.stop, stop);
        EXPECT_TRUE(h.app->state().lecture.on);
        EXPECT_EQ(h.what_ifs(), before) << stop;
        EXPECT_EQ(h.app->workspace().history.place(), place) << stop;
    }
}

TEST(Lecture, SaysInTheHallWhatTheEquationDoesNotShow) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "mlp");
    begin_lecture(h);
    h.frame(60);
    EXPECT_FALSE(h.shows("stage.equation_changed"));
    h.change()->what_ifs = {parse_intervention("activation:relu", h.result().model->config)};
    h.settle();
    h.frame(60);
    EXPECT_NE(h.item("stage.equation_changed").text.find("ReLU"), std::string::npos);
}

TEST(Lecture, ThePictureBelowTheMapsIsBrighterForAHall) {
    Harness h;
    go_to(h, "attention");
    const double before = h.item("attention.below.0").value;
    begin_lecture(h);
    EXPECT_GT(h.item("attention.below.0").value, 1.5 * before);
    EXPECT_LT(h.item("attention.below.0").value, 0.8) << "weights stay the brightest";
}

TEST(Lecture, EveryChapterWithPositionsHasItsEquationBesideTheTitle) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "position_embedding");
        begin_lecture(h);
        EXPECT_TRUE(h.shows("equation")) << size.x;
        EXPECT_LT(h.item("equation").rect.y1, h.item("stage").rect.centre().y);
        h.expect_readable("position embedding in a lecture");
    }
}

TEST(Lecture, EveryChapterHasItsEquationBesideTheTitleOrInWordsBelowIt) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Opening{}, size);
        begin_lecture(h);
        for (const Step& step : curriculum()) {
            go_to(h, step.id);
            const std::string words = h.app->text()("step." + std::string(step.id) + ".equation");
            EXPECT_TRUE(h.shows("equation") || h.item("stage.sentence").text.ends_with("\n" + words)) << step.id;
            h.expect_readable(std::string(step.id) + " in a lecture");
        }
        go_to(h, "layer_norm");
        EXPECT_TRUE(h.shows("equation")) << "high as it is";
    }
}

TEST(Lecture, TheAnswerBeforeAndAfterStaysHoweverLongTheNameOfAChangeIs) {
    for (const std::string& language : language_codes()) {
        Opening opening;
        opening.state.settings.language = language;
        Harness h(std::move(opening), {1280, 720});
        begin_lecture(h);
        WhatIfs all;
        for (const Step& step : curriculum())
            if (step.switches != nullptr)
                for (const Intervention& one : step.switches(h.result(), h.focus())) put(all, one);
        ASSERT_GT(all.size(), 10U);
        for (const Intervention& one : all) {
            h.carry_out(command::SetWhatIfs{{one}});
            h.settle();
            const std::string where = h.item("lecture.changed").text + " in " + language;
            EXPECT_NE(h.item("lecture.prediction").text.find("→"), std::string::npos) << where;
            h.expect_readable(where);
        }
    }
}

TEST(Lecture, NotesStandBesideThePictureAndSayWhichTimeIsWhich) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Harness h(Harness::with_image("cat"), size);
            h.change()->settings.language = language;
            begin_lecture(h);
            h.press(Key::n);
            const Rect clock = h.item("lecture.clock").rect, edit = h.item("notes.edit").rect;
            EXPECT_LE(h.app->rect_of("stage").x1, clock.x0) << "the figure is not covered";
            EXPECT_GE(edit.y0, clock.y1) << "each on its own line";
            EXPECT_FALSE(clock.overlaps(edit));
            EXPECT_GT(h.item("lecture.clock").text.find_first_of("0123456789"), 2U) << "words before the time";
            EXPECT_LT(edit.x1, size.x);
            h.expect_readable("notes in " + language);
        }
}

TEST(Lecture, InAWindowItOffersTheWholeScreenWithItsKey) {
    Harness h;
    begin_lecture(h);
    EXPECT_NE(h.item("lecture.full_screen").text.find("F11"), std::string::npos);
    h.tap("lecture.full_screen");
    EXPECT_TRUE(h.app->take_full_screen_request());
    h.app->take_in(arrival::FullScreen{true});
    h.frame(3);
    EXPECT_FALSE(h.shows("lecture.full_screen"));
}

TEST(Lecture, NotesAndClockStandInACornerAndOwnNotesAreRemembered) {
    Harness h;
    begin_lecture(h);
    EXPECT_FALSE(h.shows("lecture.notes"));
    h.press(Key::n);
    EXPECT_TRUE(h.shows("lecture.clock"));
    EXPECT_EQ(h.item("notes").text, h.app->text()("step.image.notes"));
    h.tap("notes.edit");
    h.tap("notes.text");
    h.type("Hello ");
    h.tap("notes.edit");
    EXPECT_NE(h.item("notes").text.find("Hello "), std::string::npos);
    EXPECT_NE(h.app->state().settings.notes.at("image").find("Hello "), std::string::npos);
}

TEST(Lecture, InALowHallTheStripsOfASumAreHigh) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "residual");
        begin_lecture(h);
        for (const char* const id : {"residual.strip.z", "residual.strip.branch", "residual.strip.sum"})
            EXPECT_GT(h.item(id).rect.height(), size.y > 720 ? 65 : 72) << id << " at " << size.x;
        h.expect_readable("a sum at " + std::to_string(size.x));
    }
}

TEST(Lecture, WhatTheColoursOfAMapFollowIsBelowItNeverOnIt) {
    int lines = 0;
    for (const std::string& language : language_codes()) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = language;
        Harness h(std::move(opening), {1280, 720});
        begin_lecture(h);
        for (const char* const step : {"attention", "attention_matrix"}) {
            go_to(h, step);
            h.door().workspace().selection.focus.token = 61;  // its name is longer than that of the class token
            h.settle();
            const std::string view = step == std::string("attention") ? "attention" : "matrix";
            for (const std::string& map : {view + ".looks", view + ".looked"}) {
                if (!h.shows(map + ".own")) continue;
                ++lines;
                EXPECT_GE(h.item(map + ".own").rect.y0, h.item(map + ".value").rect.y1) << map << " in " << language;
            }
            h.expect_readable(std::string(step) + " in " + language);
        }
    }
    EXPECT_GT(lines, 0) << "some maps are too narrow for both in one line";
}

TEST(Lecture, IShowsTheEquationAsLargeAsTheWindowAllows) {
    Harness h;
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        if (!h.app->state().lecture.on) begin_lecture(h);
        h.press(Key::i);
        const Rect all = h.item("lecture.alone").rect, equation = h.item("lecture.equation").rect;
        EXPECT_TRUE(equation.x0 >= all.x0 && equation.x1 <= all.x1 && equation.y0 >= all.y0 && equation.y1 <= all.y1)
            << step.id;
        const bool fills = equation.width() > 0.5F * all.width() || equation.height() > 0.5F * all.height();
        EXPECT_TRUE(fills || h.item("lecture.equation").value >= 5.9)
            << step.id << ": there is room for more: " << equation.width() << " × " << equation.height() << " at "
            << h.item("lecture.equation").value;
        h.expect_readable("the equation of " + std::string(step.id));
        h.press(Key::i);
    }
}

TEST(Lecture, SaysOnThePictureWhatIsSwitchedOff) {
    Harness h;
    h.app->ask(command::SetWhatIfs{{remove_head(2, 1), remove_positions()}});
    h.settle();
    const std::string head = h.item("removal.0").text;
    EXPECT_FALSE(h.shows("lecture.changed")) << "the panel says it";
    begin_lecture(h);
    EXPECT_EQ(h.item("lecture.changed").value, 2);
    for (const std::string& part : {head, h.app->text()("removal.positions")})
        EXPECT_NE(h.item("lecture.changed").text.find("without " + part), std::string::npos) << part;
    WhatIfs many;
    for (int block = 1; block <= 3; ++block)
        for (int head = 0; head < 3; ++head) many.push_back(remove_head(block, head));
    h.app->ask(command::SetWhatIfs{many});
    h.settle();
    EXPECT_LT(h.item("lecture.changed").rect.x1, h.item("lecture.progress").rect.x0) << "as many as there is room for";
    h.expect_readable("a lecture with much switched off");
    h.press(Key::l);
    EXPECT_FALSE(h.shows("lecture.changed"));
}

TEST(Lecture, ThePredictionBeforeAndAfterIsOnEveryStop) {
    const TestFolder folder;
    const fs::path file = folder / "off.txt";
    std::ofstream(file) << "lesson: Off\nstep: mlp\nimage: cat\nstep: mlp\nwhat-if: positions\nlab: ledger\n";
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const bool hall : {false, true}) {
            Harness h(Harness::with_image("cat"), size);
            h.app->open({file});
            h.settle();
            h.door().state.full_screen = hall;
            h.settle();
            h.frame(40);
            const std::string where = (hall ? "a hall of " : "a window of ") + std::to_string(size.x);
            const auto percent = [&](const HeadTrace& head) {
                return percent_text(static_cast<double>(top_predictions(head, 1).front().probability));
            };
            EXPECT_NE(h.item("lecture.prediction").text.find(percent(*h.result().trace.head)), std::string::npos);
            EXPECT_FALSE(h.shows("lecture.changed"));
            h.expect_readable("an unchanged stop in " + where);
            h.press(Key::page_down);
            const std::string told = h.item("lecture.prediction").text;
            EXPECT_NE(told.find(percent(*h.result().baseline.head)), std::string::npos) << told;
            EXPECT_NE(told.find("→"), std::string::npos) << told;
            EXPECT_NE(told.find(percent(*h.result().trace.head)), std::string::npos) << told;
            h.expect_readable("a changed stop in " + where);
            h.tap("lecture.changed");
            EXPECT_TRUE(h.shows("told.classes"));
            EXPECT_EQ(h.shows("lecture.told"), hall) << "the reader's panel has it";
            h.expect_readable("what the chip tells in " + where);
            h.tap("removals.restore");
            EXPECT_TRUE(h.what_ifs().empty());
            EXPECT_FALSE(h.shows("lecture.changed"));
            h.press(Key::page_down);
            EXPECT_TRUE(h.shows("lecture.prediction")) << "in the laboratory, too";
            EXPECT_FALSE(h.shows("told.classes")) << "of each stop anew";
        }
}

TEST(Lecture, AtTheEndOfALessonItSaysSoAndOneThatWasLeftGoesOn) {
    const TestFolder folder;
    const fs::path file = folder / "three.txt";
    std::ofstream(file) << "lesson: Three\nstep: mlp\nstep: scores\nstep: heads\n";
    Harness h;
    h.app->open({file});
    h.settle();
    h.frame(40);
    h.press(Key::end);
    EXPECT_FALSE(h.shows("notice"));
    h.press(Key::page_down);
    EXPECT_EQ(h.app->state().lecture.stop, 2);
    EXPECT_EQ(h.item("notice").text, h.app->text()("lecture.end"));
    h.press(Key::page_up);
    h.press(Key::l);
    h.frame(40);
    h.app->ask(command::OpenLesson{file.string()});
    h.settle();
    h.frame(40);
    EXPECT_EQ(h.app->state().lecture.stop, 1) << "where it was left";
    h.press(Key::end);
    h.press(Key::l);
    h.frame(40);
    h.app->ask(command::OpenLesson{file.string()});
    h.settle();
    EXPECT_EQ(h.app->state().lecture.stop, 0) << "one that was finished begins anew";
    h.press(Key::end);
    h.press(Key::l);
    h.frame(3);
    EXPECT_EQ(h.item("notice").text, h.app->text()("lecture.led_back_over"));
    h.press(Key::l);
    h.frame(40);
    EXPECT_EQ(h.app->state().lecture.stop, 0) << "with its key, too";
    h.door().state.lecture.hands[0] = {3};
    h.press(Key::l);
    h.frame(40);
    h.press(Key::l);
    h.frame(40);
    EXPECT_TRUE(h.app->state().lecture.hands.empty()) << "of the last audience";
    h.press(Key::page_down);
    h.press(Key::l);
    h.frame(3);
    EXPECT_EQ(h.item("notice").text, h.app->text()("lecture.led_back"));
    h.press(Key::l);
    h.frame(40);
    EXPECT_EQ(h.app->state().lecture.stop, 1);
    EXPECT_EQ(h.item("notice").text, h.app->text()("lecture.resumed", {{"stop", "2"}}));
}

TEST(Lecture, NotesStayOffThePictureWhereThePresenterHasThemAndAtTheNextLecture) {
    Harness h;
    begin_lecture(h);
    h.press(Key::n);
    EXPECT_TRUE(h.shows("lecture.notes"));
    h.press(Key::w);
    EXPECT_TRUE(h.app->state().settings.presenter) << "remembered for the next lecture";
    EXPECT_FALSE(h.shows("lecture.notes"));
    h.press(Key::w);
    EXPECT_TRUE(h.shows("lecture.notes"));
    h.press(Key::l);
    begin_lecture(h);
    EXPECT_FALSE(h.shows("lecture.notes"));
}

}  // namespace
}  // namespace vitrine
