#include <gtest/gtest.h>

#include <filesystem>

#include "app/ui/languages.h"
#include "core/measures/head_statistics.h"
#include "tests/small_model.h"
#include "tests/ui/laboratory_room.h"

namespace vitrine {
namespace {

TEST(Laboratory, IsAKeyOrAClickAwayAndKeepsTheSelection) {
    Harness h;
    h.change().focus().block = 3;
    h.change().focus().token = 20;
    h.press(Key::f3);
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_TRUE(h.shows(tile(1, 0)));
    EXPECT_EQ(h.focus().block, 3);
    h.tap("top.mode.explore");
    EXPECT_FALSE(h.shows(tile(1, 0)));
    EXPECT_EQ(h.focus().token, 20);
    h.tap("top.mode.laboratory");
    EXPECT_TRUE(h.shows(tile(1, 0)));
}

TEST(Laboratory, HoldsNoSupersededRunOnceItIsClosed) {
    Harness h(laboratory(Instrument::statistics));
    const std::weak_ptr<const Result> held = h.app->shown().result;
    ASSERT_TRUE(measured(h).statistics);
    h.tap("top.mode.explore");
    h.frame(2);
    EXPECT_TRUE(h.app->context().jobs().of<Measuring>().latest(1).result) << "what is still shown is still measured";
    h.carry_out(command::OpenImage{{"sun", {}}});
    h.settle();
    EXPECT_TRUE(held.expired());
}

TEST(Laboratory, TabsAndArrowsWalkThroughTheInstrumentsAndEachShowsItself) {
    Harness h(laboratory(Instrument::heads));
    const char* const shown[] = {"gallery",  "lab.whole_block", "statistics.plot", "depth.map",    "tokens.similarity",
                                 "lens.map", "ledger.sum",      "occlusion.map",   "causes.heads", "words.none"};
    for (std::size_t i = 0; i < std::size(instrument_names); ++i) {
        EXPECT_EQ(lab(h).instrument, instrument_names[i].value);
        EXPECT_TRUE(h.shows(shown[i])) << shown[i];
        EXPECT_TRUE(h.shows("status.idle")) << shown[i];
        h.press(Key::right);
    }
    EXPECT_EQ(lab(h).instrument, Instrument::words) << "it is the last";
    h.press(Key::left);
    EXPECT_EQ(lab(h).instrument, Instrument::causes);
    h.tap("lab.tab.heads");
    EXPECT_EQ(lab(h).instrument, Instrument::heads);
}

TEST(Laboratory, OfTheMapABlockStaysAndAChapterLeadsBack) {
    Harness h(laboratory(Instrument::heads));
    h.tap("map.block.2");
    EXPECT_EQ(h.focus().block, 2);
    EXPECT_EQ(h.app->state().room, "laboratory");
    h.press(Key::k, Key::ctrl);
    h.type("Patch embedding");
    h.press(Key::enter);
    EXPECT_EQ(h.app->state().room, "explore");
}

TEST(Laboratory, InALectureTheArrowsWalkThroughTheInstruments) {
    Harness h(laboratory(Instrument::heads));
    h.press(Key::l);
    h.frame(120);
    ASSERT_TRUE(h.app->state().lecture.on);
    h.press(Key::right);
    EXPECT_EQ(lab(h).instrument, Instrument::compare);
    EXPECT_EQ(h.app->state().room, "laboratory");
    h.press(Key::l);
    h.frame(120);
    EXPECT_FALSE(h.app->state().lecture.on);
}

TEST(Measuring, WhatOnlyChangesTheLookMeasuresNothingAnew) {
    Harness h(laboratory(Instrument::occlusion));
    const auto before = h.app->context().jobs().of<Measuring>().latest(1).result;
    h.change().focus().lab.curve = Curve::root;
    h.change().focus().token = 9;
    h.change().focus().lab.picks = {{1, 1, {}}};
    h.settle();
    EXPECT_EQ(h.app->context().jobs().of<Measuring>().latest(1).result, before);
    h.change().focus().lab.cover_size = 2;
    h.settle();
    EXPECT_NE(h.app->context().jobs().of<Measuring>().latest(1).result->occlusion, before->occlusion);
    EXPECT_EQ(h.item("occlusion.done").value, 1);
}

TEST(Laboratory, EveryStatisticOfTheTableCanBeChosenAndShowsItsNumbers) {
    Harness h(laboratory(Instrument::statistics));
    for (const HeadStatistic& row : head_statistics_table()) {
        h.tap(std::string("statistics.row.") + row.name);
        EXPECT_EQ(lab(h).statistic, row.name);
        const Tensor2 values = head_statistics(h.result().trace, h.result().model->config).of(row.name);
        EXPECT_FLOAT_EQ(static_cast<float>(h.item("statistics.dot.2.1").value), values(1, 1)) << row.name;
    }
}

TEST(Laboratory, IsReadableInAnyLanguageAtTheSmallestSizeAndWithLargeType) {
    struct Display {
        ImVec2 size;
        float scale;
    };
    for (const Display& display :
         {Display{{1280, 720}, 1.0F}, Display{{1920, 1080}, 1.5F}, Display{{800, 600}, 1.0F},
          Display{{3840, 2160}, 1.0F}, Display{{1920, 1080}, 0.8F}, Display{{1920, 1080}, 2.0F}}) {
        Opening state = laboratory(Instrument::heads);
        state.state.settings.scale = display.scale;
        state.selection.focus.lab.picks = {{1, 0, {}}, {4, 2, {}}};
        Harness h(std::move(state), display.size);
        const auto expect_whole = [&](const std::string& where) {
            h.settle();
            h.expect_readable(where + " at " + std::to_string(display.scale));
        };
        for (const std::string& language : language_codes()) {
            h.change()->settings.language = language;
            for (const auto& [instrument, name] : instrument_names) {
                h.change().focus().lab.instrument = instrument;
                expect_whole(std::string(name) + ", " + language);
            }
            h.change().focus().lab.instrument = Instrument::heads;
            for (const auto& [order, name] : head_order_names) {
                h.change().focus().lab.order = order;
                expect_whole("order " + std::string(name) + ", " + language);
            }
            h.change().focus().lab.order = HeadOrder::block;
            h.change().focus().lab.instrument = Instrument::tokens;
            for (const auto& [figure, name] : token_figure_names) {
                h.change().focus().lab.figure = figure;
                expect_whole("figure " + std::string(name) + ", " + language);
            }
            h.change().focus().lab.instrument = Instrument::compare;
            for (const auto& [combine, name] : combine_names) {
                h.change().focus().lab.combine = combine;
                expect_whole("combine " + std::string(name) + ", " + language);
            }
            h.change().focus().lab.combine = Combine::side_by_side;
            h.change().focus().lab.instrument = Instrument::depth;
            h.change().focus().lab.method = DepthMethod::relevance;
            expect_whole(std::string("relevance, ") + language);
            h.change().focus().lab.method = DepthMethod::rollout;
        }
    }
}

TEST(Laboratory, ALargerModelIsMeasuredAnewBeforeItIsDrawn) {
    Harness h(laboratory(Instrument::heads));
    h.press(Key::f2);
    h.carry_out(command::OpenModel{{std::filesystem::path(VITRINE_SOURCE) / "tests/golden/models/tiny_hf", {}}});
    h.settle();
    h.change().focus().block = 3;
    h.change().focus().head = 3;
    h.carry_out(command::EnterRoom{"laboratory"});
    h.frame();
    h.settle();
    EXPECT_TRUE(h.shows(tile(3, 3)));
    h.carry_out(command::OpenModel{small_model()});  // larger: 4 blocks, 65 tokens
    h.settle();
    h.change().focus().block = 4;
    h.change().focus().token = 64;
    h.settle();
    EXPECT_TRUE(h.shows(tile(4, 3)));
    EXPECT_TRUE(h.shows("status.idle"));
}

TEST(Laboratory, LeftWhileItMeasuresItRestsAndOpenedAgainItGoesOn) {
    Harness h(laboratory(Instrument::heads));
    h.change().focus().lab.instrument = Instrument::occlusion;
    h.change().focus().lab.cover_size = 3;
    h.frame(2);
    h.press(Key::f2);
    EXPECT_FALSE(h.app->busy());
    h.press(Key::f3);
    EXPECT_EQ(h.item("occlusion.done").value, 1);
}

TEST(Laboratory, WhatWasStoppedSaysSoAndIsMeasuredOnDemand) {
    Harness h(laboratory(Instrument::heads));
    const auto missing = [&] { return !h.app->context().jobs().of<Measuring>().latest(1).result->groups; };
    bool stopped = false;
    for (int attempt = 0; attempt < 20 && !stopped; ++attempt) {  // until the stop comes before the end
        h.change().focus().lab.order = HeadOrder::block;
        h.change()->what_ifs = {remove_token(attempt + 1)};  // a run that is not measured yet
        h.settle();
        h.change().focus().lab.order = HeadOrder::similarity;
        Measuring& measuring = h.app->context().jobs().of<Measuring>();
        measuring.request(1, {h.app->shown().result, lab(h)});  // as the next frame would, which takes its time
        measuring.cancel(1);
        h.frame(3);
        stopped = missing();
    }
    ASSERT_TRUE(stopped);
    h.tap("lab.again");
    EXPECT_FALSE(missing());
    EXPECT_TRUE(h.shows(tile(1, 1)));
}

TEST(Laboratory, UnderAShuffleTheObjectGoesWithItsPatches) {
    Harness h(laboratory(Instrument::heads));
    const std::vector<float> plain = *object_cover(h.result());
    h.change()->what_ifs = {shuffle_tokens(3)};
    h.settle();
    const std::vector<float> shuffled = *object_cover(h.result());
    const std::vector<int> order = shuffled_order(64, 3);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(shuffled[i], plain[static_cast<std::size_t>(order[i])]);
}

TEST(Laboratory, WithoutAClassifierSaysWhatIsMissing) {
    Opening state = laboratory(Instrument::ledger);
    state.experiment.model = {std::filesystem::path(VITRINE_SOURCE) / "tests/golden/models/plain_hf", {}};
    Harness h(std::move(state));
    for (const Instrument i : {Instrument::ledger, Instrument::lens, Instrument::occlusion, Instrument::causes}) {
        h.change().focus().lab.instrument = i;
        h.settle();
        EXPECT_TRUE(h.shows("status.idle"));
        EXPECT_FALSE(h.shows("ledger.sum"));
    }
    h.change().focus().lab.instrument = Instrument::depth;
    h.settle();
    EXPECT_TRUE(h.shows("depth.map")) << "a rollout needs no class";
}

TEST(Laboratory, PicksOfALargerModelAreDroppedInASmallerOne) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{1, 0, 900}, {11, 3, {}}, {2, 11, {}}};
    state.selection.focus.lab.level = 9;
    state.selection.focus.lab.target = 900;
    Harness h(std::move(state));
    ASSERT_EQ(lab(h).picks.size(), 1U);
    EXPECT_FALSE(lab(h).picks[0].query);
    EXPECT_EQ(lab(h).level, -1);
    EXPECT_FALSE(lab(h).target);
}

}  // namespace
}  // namespace vitrine
