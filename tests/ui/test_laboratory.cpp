#include <algorithm>
#include <cmath>

#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/languages.h"
#include "core/measures/analysis.h"
#include "core/measures/attention_measures.h"
#include "core/measures/head_statistics.h"
#include "core/measures/ledger.h"
#include "core/measures/lens.h"
#include "core/measures/rollout.h"
#include "tests/small_model.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

Opening laboratory(Instrument instrument) {
    Opening state = Harness::with_image("cat");
    state.state.room = "laboratory";
    state.selection.focus.lab.instrument = instrument;
    return state;
}

Laboratory& lab(Harness& h) { return h.focus().lab; }
const Measured& measured(Harness& h) { return *h.app->house().jobs.measuring().latest(1).measured; }

/// What a map tells of the patch in its middle.
struct PatchTold {
    double value = 0;
    std::size_t token = 0;
};
PatchTold told(Harness& h, const std::string& map) {
    h.hover(map);
    return {h.item(map + ".value").value, static_cast<std::size_t>(*h.app->workspace().selection.hovered_token())};
}

/// The id of a gallery's tile.
std::string tile(int block, int head) { return "gallery." + std::to_string(block) + "." + std::to_string(head); }

void click_at(Harness& h, Rect rect, int button = 0) {
    h.input.move(rect.centre().x, rect.centre().y);
    h.frame(3);
    h.input.button(button, true);
    h.input.button(button, false);
    h.frame(4);
    h.settle();
}

TEST(Laboratory, IsAKeyOrAClickAwayAndKeepsTheSelection) {
    Harness h;
    h.focus().block = 3;
    h.focus().token = 20;
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
    EXPECT_TRUE(h.app->house().jobs.measuring().latest(1).measured) << "what is still shown is still measured";
    h.app->workspace().experiment.image = {"sun", {}};
    h.settle();
    EXPECT_TRUE(held.expired());
}

TEST(Laboratory, TabsAndArrowsWalkThroughTheInstrumentsAndEachShowsItself) {
    Harness h(laboratory(Instrument::heads));
    const char* const shown[] = {"gallery",           "lab.whole_block", "statistics.plot", "depth.map",
                                 "tokens.similarity", "lens.map",        "ledger.sum",      "occlusion.map"};
    for (std::size_t i = 0; i < std::size(instrument_names); ++i) {
        EXPECT_EQ(lab(h).instrument, instrument_names[i].value);
        EXPECT_TRUE(h.shows(shown[i])) << shown[i];
        EXPECT_TRUE(h.shows("status.idle")) << shown[i];
        h.press(Key::right);
    }
    EXPECT_EQ(lab(h).instrument, Instrument::occlusion) << "it is the last";
    h.press(Key::left);
    EXPECT_EQ(lab(h).instrument, Instrument::ledger);
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

TEST(Gallery, AClickChoosesAHeadPOrItsMenuPicksIt) {
    Harness h(laboratory(Instrument::heads));
    click_at(h, h.item(tile(2, 3)).rect);
    EXPECT_EQ(h.focus().block, 2);
    EXPECT_EQ(h.focus().head, 3);
    click_at(h, h.item(tile(3, 1)).rect, 1);
    EXPECT_FALSE(lab(h).picked(3, 1)) << "the right button alone does nothing";
    h.tap("menu.pick");
    EXPECT_TRUE(lab(h).picked(3, 1));
    EXPECT_EQ(h.focus().head, 3) << "picking does not choose";
    h.press(Key::p);
    EXPECT_TRUE(lab(h).picked(2, 3));
    h.press(Key::p);
    EXPECT_FALSE(lab(h).picked(2, 3));
    h.tap("lab.pick");
    EXPECT_TRUE(lab(h).picked(2, 3));
    h.press(Key::enter);
    EXPECT_EQ(lab(h).instrument, Instrument::compare);
}

TEST(Gallery, OrdersPutTheHeadsByTheirNumbers) {
    Harness h(laboratory(Instrument::heads));
    const auto places = [&] {
        std::vector<std::pair<double, int>> all;
        for (int i = 0; i < 16; ++i) all.emplace_back(h.item(tile(i / 4 + 1, i % 4)).value, i);
        std::sort(all.begin(), all.end());
        return all;
    };
    const auto expect_ascending = [&](const Tensor2& values) {
        float before = -1;
        for (const auto& [place, head] : places()) {
            const float own = values.data()[head];
            EXPECT_GE(own, before);
            before = own;
        }
    };
    h.tap("lab.order.entropy");
    expect_ascending(measured(h).statistics->of("entropy"));
    h.tap("lab.order.distance");
    expect_ascending(measured(h).statistics->of("distance"));
    h.tap("lab.order.class_share");
    expect_ascending(measured(h).statistics->of("class_share"));
    h.tap("lab.order.object_share");
    ASSERT_TRUE(measured(h).object_share) << "a drawn sample knows where its object lies";
    expect_ascending(*measured(h).object_share);
    h.tap("lab.order.similarity");
    ASSERT_TRUE(measured(h).groups);
    std::vector<int> order;
    for (const auto& [place, head] : places()) order.push_back(head);
    EXPECT_EQ(order, measured(h).groups->order);
    h.tap("lab.order.block");
    EXPECT_EQ(h.item(tile(2, 0)).value, 4);
}

TEST(Gallery, KnowsNoObjectInAPhotographAndSaysSo) {
    Opening state = laboratory(Instrument::heads);
    state.experiment.image = {{}, std::filesystem::path(VITRINE_SOURCE) / "tests/ui/images/key.png"};
    Harness h(std::move(state));
    h.tap("lab.order.object_share");
    EXPECT_FALSE(measured(h).object_share);
    EXPECT_EQ(h.item(tile(1, 1)).value, 1) << "they stand by block";
}

TEST(Gallery, PointingTellsAndMovingTheQueryKeepsTheOrder) {
    Harness h(laboratory(Instrument::heads));
    h.tap("lab.order.entropy");
    const double before = h.item(tile(4, 2)).value;
    h.focus().token = 30;
    h.settle();
    EXPECT_EQ(h.item(tile(4, 2)).value, before);
    const Rect map = h.item(tile(4, 2)).rect;
    h.input.move(map.x0 + 3, map.y0 + 3);
    h.frame(3);
    EXPECT_EQ(h.app->workspace().selection.hovered_token(), 1) << "the upper left patch";
}

TEST(Scale, EveryScopeCurveAndTheFixedEndAreChoicesThatCanBeUndone) {
    Harness h(laboratory(Instrument::heads));
    h.tap("lab.scope.fixed");
    EXPECT_EQ(h.focus().scope, Scope::fixed);
    EXPECT_TRUE(h.shows("lab.fixed_high"));
    h.press(Key::s);
    EXPECT_EQ(h.focus().scope, Scope::head);
    EXPECT_EQ(lab(h).curve, Curve::root) << "what is seen first is not dark";
    h.tap("lab.curve.linear");
    EXPECT_EQ(lab(h).curve, Curve::linear);
    h.frame(60);  // what is chosen in one go is undone in one go
    h.tap("lab.curve.logarithm");
    EXPECT_EQ(lab(h).curve, Curve::logarithm);
    h.press(Key::f2);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(lab(h).curve, Curve::linear);
    EXPECT_EQ(h.app->state().room, "laboratory") << "what is undone is seen";
}

TEST(Compare, BeginsWithTheChosenHeadAndTheOneOfItsBlockThatLooksMostUnlikeIt) {
    Opening state = laboratory(Instrument::heads);
    state.selection.focus.block = 3;
    state.selection.focus.head = 1;
    Harness h(std::move(state));
    EXPECT_TRUE(lab(h).picks.empty());
    h.tap("lab.tab.compare");
    ASSERT_EQ(lab(h).picks.size(), 2U);
    EXPECT_EQ(lab(h).picks[0], (Pick{3, 1, {}}));
    EXPECT_EQ(lab(h).picks[1].block, 3);
    const auto block = h.result().trace.block(3);
    const auto apart = [&](int head) {
        return total_variation(attention_row(*block, 1, 0), attention_row(*block, head, 0));
    };
    for (int head = 0; head < 4; ++head) EXPECT_LE(apart(head), apart(lab(h).picks[1].head));
    EXPECT_TRUE(h.shows("compare.map.B"));
    h.tap("lab.clear");
    EXPECT_TRUE(lab(h).picks.empty()) << "what is let go stays so";
    h.tap("lab.tab.heads");
    lab(h).picks = {{1, 0, {}}};
    h.tap("lab.tab.compare");
    EXPECT_EQ(lab(h).picks.size(), 1U) << "what was picked is left alone";
}

TEST(Compare, ItsButtonsAreInSightAtTheSmallestSize) {
    for (const char* const language : {"en", "ja", "ko"}) {
        Opening state = laboratory(Instrument::compare);
        state.state.settings.language = language;
        Harness h(std::move(state), {1280, 720});
        for (const char* const id : {"lab.add", "lab.whole_block", "lab.clear", "lab.combine.difference"}) {
            EXPECT_TRUE(h.item(id).visible) << id << " in " << language;
            EXPECT_GT(h.item(id).rect.height(), 20) << id << " in " << language;
        }
    }
}

TEST(Compare, NamesAHeadByBlockAndHeadUnderItsMapAndBesideADifference) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{2, 3, {}}, {4, 2, {}}};
    Harness h(std::move(state));
    EXPECT_EQ(h.item("compare.A").text, "A: block 2, head 4");
    h.tap("lab.combine.difference");
    EXPECT_EQ(h.item("compare.names").text, "A: block 2, head 4\nB: block 4, head 3") << "the maps are too narrow";
    h.expect_readable("a difference");
}

TEST(Scale, EachKindOfFigureKeepsItsOwnCurve) {
    Harness h(laboratory(Instrument::heads));
    h.tap("lab.curve.logarithm");
    h.tap("lab.tab.compare");
    EXPECT_EQ(h.item("lab.curve.logarithm").value, 1) << "attention weights, too";
    EXPECT_NE(h.item("range_bar").text.find("colours by log a"), std::string::npos);
    for (const char* const tab : {"lab.tab.depth", "lab.tab.lens", "lab.tab.tokens"}) {
        h.tap(tab);
        lab(h).figure = TokenFigure::norms;
        h.settle();
        EXPECT_EQ(h.item("lab.curve.linear").value, 1) << tab;
        h.tap("lab.curve.root");
        EXPECT_EQ(lab(h).curve, Curve::logarithm) << tab;
    }
    h.tap("lab.tab.depth");
    EXPECT_EQ(h.item("lab.curve.root").value, 1);
}

TEST(Compare, ADifferenceHasARangeAndASignedRootAndNamesItsQuery) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.token = 12;
    state.selection.focus.lab.picks = {{2, 0, {}}, {2, 1, {}}};
    state.selection.focus.lab.combine = Combine::difference;
    Harness h(std::move(state));
    const std::string words = h.item("compare.difference_bar").text;
    EXPECT_NE(words.find("±√"), std::string::npos) << words;
    EXPECT_NE(words.find("query: patch 12"), std::string::npos) << words;
    EXPECT_FALSE(h.shows("lab.curve.logarithm")) << "no sign has a logarithm";
    const double block = h.item("compare.difference_bar").value;
    h.tap("lab.curve.linear");
    EXPECT_EQ(h.item("compare.difference_bar").text.find("√"), std::string::npos);
    h.tap("lab.scope.model");
    EXPECT_GE(h.item("compare.difference_bar").value, block);
    h.tap("lab.scope.head");
    EXPECT_LE(h.item("compare.difference_bar").value, block);
    EXPECT_FALSE(h.shows("curve.root")) << "the curve is chosen in one place";
    lab(h).picks[1].query = 3;
    h.settle();
    EXPECT_NE(h.item("compare.difference_bar").text.find("queries: patch 12, patch 3"), std::string::npos);
}

TEST(Compare, OffersNoHeadThatIsAlreadyThereWithTheSameQuery) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{2, 0, {}}};
    state.selection.focus.block = 2;
    Harness h(std::move(state));
    h.tap("lab.add");
    EXPECT_EQ(lab(h).picks.size(), 1U);
    h.focus().head = 1;
    h.settle();
    h.tap("lab.add");
    EXPECT_EQ(lab(h).picks.size(), 2U);
    lab(h).picks[0].query = 7;
    h.focus().head = 0;
    h.settle();
    h.tap("lab.add");
    EXPECT_EQ(lab(h).picks.size(), 3U) << "with another query it may be there twice";
}

TEST(Gallery, SaysWhenAFewPatchesSetTheRangeAndOffersTheRoot) {
    Harness h(laboratory(Instrument::heads));
    h.tap("lab.curve.linear");
    bool told = false;
    for (int block = 1; block <= 4 && !told; ++block)
        for (int token = 0; token < 65 && !told; ++token) {
            h.focus().block = block;
            h.focus().token = token;
            h.frame(2);
            told = h.shows("gallery.few");
        }
    ASSERT_TRUE(told) << "no block of the picture has such a patch";
    h.tap("lab.curve.root");
    EXPECT_EQ(lab(h).curve, Curve::root);
    EXPECT_FALSE(h.shows("gallery.few"));
    h.expect_readable("the gallery");
}

TEST(Compare, SaysWhatToDoOnceAllIsLetGoAndFillsWithABlock) {
    Harness h(laboratory(Instrument::compare));
    h.tap("lab.clear");
    EXPECT_FALSE(h.shows("compare.map.A"));
    h.focus().block = 2;
    h.settle();
    h.tap("lab.whole_block");
    EXPECT_TRUE(h.shows("compare.map.D"));
    h.tap("compare.B.switch");
    EXPECT_EQ(lab(h).picks.size(), 3U);
    EXPECT_FALSE(lab(h).picked(2, 1));
    h.tap("lab.clear");
    EXPECT_TRUE(lab(h).picks.empty());
}

TEST(Compare, ADifferenceIsAntisymmetricAndItsVariationIsRight) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{1, 0, {}}, {4, 2, {}}};
    state.selection.focus.lab.combine = Combine::difference;
    Harness h(std::move(state));
    const Trace& trace = h.result().trace;
    const auto first = trace.block(1), last = trace.block(4);
    const std::span<const float> a = attention_row(*first, 0, 0), b = attention_row(*last, 2, 0);
    double variation = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        variation += std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) / 2;
    EXPECT_NEAR(h.item("compare.variation").value, variation, 1e-5);
    const double forth = told(h, "compare.result").value;
    std::swap(lab(h).picks[0], lab(h).picks[1]);
    h.settle();
    EXPECT_NEAR(told(h, "compare.result").value, -forth, 1e-9);
    EXPECT_NE(forth, 0);
    EXPECT_NEAR(h.item("compare.variation").value, variation, 1e-5);
}

TEST(Compare, CombinesPatchByPatchAndAgainstUniform) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{2, 0, {}}, {2, 1, {}}, {2, 2, {}}};
    Harness h(std::move(state));
    const auto weight = [&](int head, std::size_t token) {
        return static_cast<double>(attention_row(*h.result().trace.block(2), head, 0)[token]);
    };
    const auto expect_shown = [&](const std::string& id, double tolerance, auto value) {
        const PatchTold now = told(h, id);
        EXPECT_NEAR(now.value, value(now.token), tolerance) << id;
    };
    expect_shown("compare.map.C", 1e-9, [&](std::size_t t) { return weight(2, t); });
    h.tap("lab.combine.uniform");
    expect_shown("compare.map.B", 1e-7, [&](std::size_t t) { return weight(1, t) - 1.0 / 65; });
    h.tap("lab.combine.mean");
    expect_shown("compare.result", 1e-6,
                 [&](std::size_t t) { return (weight(0, t) + weight(1, t) + weight(2, t)) / 3; });
    h.tap("lab.combine.max");
    expect_shown("compare.result", 1e-9, [&](std::size_t t) {
        return std::max({weight(0, t), weight(1, t), weight(2, t)});
    });
    h.tap("lab.combine.min");
    expect_shown("compare.result", 1e-9, [&](std::size_t t) {
        return std::min({weight(0, t), weight(1, t), weight(2, t)});
    });
}

TEST(Compare, ShowsSixOfALargerSetAndCombinesThemAll) {
    Opening state = laboratory(Instrument::compare);
    for (int i = 0; i < 16; ++i) state.selection.focus.lab.picks.push_back({i / 4 + 1, i % 4, {}});
    Harness h(std::move(state));
    EXPECT_TRUE(h.shows("compare.map.F"));
    EXPECT_FALSE(h.shows("compare.map.G"));
    h.tap("lab.combine.mean");
    const PatchTold now = told(h, "compare.result");
    double mean = 0;
    for (int i = 0; i < 16; ++i)
        mean += static_cast<double>(attention_row(*h.result().trace.block(i / 4 + 1), i % 4, 0)[now.token] / 16);
    EXPECT_NEAR(now.value, mean, 1e-6);
}

TEST(Measuring, WhatOnlyChangesTheLookMeasuresNothingAnew) {
    Harness h(laboratory(Instrument::occlusion));
    const auto before = h.app->house().jobs.measuring().latest(1).measured;
    lab(h).curve = Curve::root;
    h.focus().token = 9;
    lab(h).picks = {{1, 1, {}}};
    h.settle();
    EXPECT_EQ(h.app->house().jobs.measuring().latest(1).measured, before);
    lab(h).cover_size = 2;
    h.settle();
    EXPECT_NE(h.app->house().jobs.measuring().latest(1).measured->occlusion, before->occlusion);
    EXPECT_EQ(h.item("occlusion.done").value, 1);
}

TEST(Compare, APinnedQueryStaysWhileTheOthersFollow) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{3, 1, {}}};
    state.selection.focus.token = 12;
    Harness h(std::move(state));
    h.tap("compare.A.pin");
    EXPECT_EQ(lab(h).picks[0].query, 12);
    h.focus().block = 3;
    h.focus().head = 1;
    h.tap("lab.add");
    ASSERT_EQ(lab(h).picks.size(), 2U) << "the same head twice, with two queries";
    h.focus().token = 40;
    h.settle();
    EXPECT_EQ(h.item("compare.A.pin").value, 1);
    EXPECT_EQ(h.item("compare.B.pin").value, 0);
    EXPECT_NE(h.item("compare.A.pin").text, h.item("compare.B.pin").text);
    h.tap("compare.A.pin");
    EXPECT_FALSE(lab(h).picks[0].query);
}

TEST(Statistics, ADotChoosesItsHeadAndARowItsStatistic) {
    Harness h(laboratory(Instrument::statistics));
    click_at(h, h.item("statistics.dot.3.2").rect);
    EXPECT_EQ(h.focus().block, 3);
    EXPECT_EQ(h.focus().head, 2);
    EXPECT_NEAR(h.item("statistics.dot.3.2").value, measured(h).statistics->of("distance")(2, 2), 1e-6);
    h.tap("statistics.row.entropy");
    EXPECT_EQ(lab(h).statistic, "entropy");
    EXPECT_NEAR(h.item("statistics.row.entropy.value").value, measured(h).statistics->of("entropy")(2, 2), 1e-6);
    EXPECT_NEAR(h.item("statistics.dot.1.0").value, measured(h).statistics->of("entropy")(0, 0), 1e-6);
}

TEST(ThroughDepth, EveryOptionChangesTheRolloutAndItsRowsKeepTheirSum) {
    Harness h(laboratory(Instrument::depth));
    const auto row = [&] {
        const Tensor2& r = measured(h).rollout->back();
        return std::vector<float>(&r(0, 0), &r(0, 0) + 65);
    };
    std::vector<float> before = row();
    EXPECT_EQ(before, [&] {
        const Tensor2 r = attention_rollout(h.result().trace);
        return std::vector<float>(&r(0, 0), &r(0, 0) + 65);
    }());
    const auto expect_change = [&](const std::string& what) {
        const std::vector<float> now = row();
        EXPECT_NE(now, before) << what;
        EXPECT_NEAR(h.item("depth.sum").value, 1, 1e-4) << what;
        before = now;
    };
    for (const char* const id : {"lab.fusion.max", "lab.fusion.min", "lab.fusion.mean"}) {
        h.tap(id);
        expect_change(id);
    }
    for (const char* const id : {"lab.residual", "lab.discard", "lab.first_block", "lab.last_block"}) {
        const Rect r = h.item(id).rect;
        h.input.move(r.x0 + r.width() * 0.35F, r.centre().y);
        h.frame(3);
        h.input.button(0, true);
        h.input.button(0, false);
        h.frame(4);
        h.settle();
        expect_change(id);
    }
}

TEST(ThroughDepth, AStepEndsThereAndTheQueryMayBeAPatch) {
    Harness h(laboratory(Instrument::depth));
    h.tap("depth.step.2");
    EXPECT_EQ(lab(h).rollout.last_block, 2);
    EXPECT_EQ(measured(h).rollout->size(), 2U);
    EXPECT_FALSE(h.shows("depth.step.3"));
    h.tap("depth.map");
    EXPECT_GT(h.focus().token, 0);
    h.tap("lab.class_token");
    EXPECT_EQ(h.focus().token, 0);
}

TEST(ThroughDepth, RelevanceIsOfAClassAndOfItsLeadOverAnother) {
    Harness h(laboratory(Instrument::depth));
    h.tap("lab.method.relevance");
    ASSERT_TRUE(measured(h).relevance);
    const int predicted = measured(h).target.index;
    const Tensor2 own = measured(h).relevance->back();
    const int other = predicted == 0 ? 1 : 0;
    h.tap("lab.class_text");
    h.type(h.result().model->config.label(other).substr(0, 3));
    h.settle();
    h.tap("lab.class." + std::to_string(other) + ".against");
    EXPECT_EQ(measured(h).target.against, other);
    EXPECT_NE(measured(h).relevance->back(), own);
    h.tap("lab.class." + std::to_string(other));
    EXPECT_EQ(measured(h).target.index, other);
    h.tap("lab.class.predicted");
    EXPECT_FALSE(lab(h).target);
}

TEST(Tokens, EveryFigureShowsItselfAndLevelsCanBeChosen) {
    Harness h(laboratory(Instrument::tokens));
    h.tap("tokens.level.1");
    EXPECT_EQ(token_level(h.focus(), 4), 1);
    EXPECT_EQ(h.focus().block, 1) << "the block at the top is the level's";
    h.tap("tokens.similarity");
    EXPECT_GT(h.focus().token, 0) << "a click chooses the token";
    h.hover("tokens.similarity");
    EXPECT_NEAR(h.item("tokens.similarity.value").value, 1, 1e-5) << "a token is like itself";
    h.tap("lab.figure.components");
    ASSERT_TRUE(measured(h).colours);
    EXPECT_EQ(measured(h).colours->size(), 5U);
    EXPECT_GT(h.item("tokens.explained").value, 0.1);
    h.tap("lab.figure.norms");
    ASSERT_TRUE(measured(h).norms);
    EXPECT_EQ(h.item("tokens.outliers").value, static_cast<double>(measured(h).norms->levels[1].outliers.size()));
    const Rect plot = h.item("tokens.lengths").rect;
    click_at(h, {plot.x0 + plot.width() * 0.74F, plot.y0, plot.x0 + plot.width() * 0.76F, plot.y1});
    EXPECT_EQ(token_level(h.focus(), 4), 3) << "a click in the curve chooses the level";
    h.tap("lab.figure.filters");
    EXPECT_TRUE(h.shows("tokens.filter.27"));
    EXPECT_GT(h.item("tokens.filter.0").value, h.item("tokens.filter.1").value);
    h.tap("lab.figure.positions");
    EXPECT_FALSE(h.shows("tokens.filter.0"));
}

TEST(Tokens, OpenAtTheChosenBlockAndFollowIt) {
    Opening state = laboratory(Instrument::tokens);
    state.selection.focus.block = 2;
    state.selection.focus.lab.figure = TokenFigure::norms;
    Harness h(std::move(state));
    EXPECT_EQ(h.item("tokens.lengths.level").text, "2");
    h.tap("map.block.4");
    EXPECT_EQ(h.item("tokens.lengths.level").text, "4");
    choose_token_level(h.focus(), 0);
    h.settle();
    EXPECT_EQ(h.item("tokens.lengths.level").text, "0") << "what enters the first block";
    h.tap("map.block.3");
    EXPECT_EQ(h.item("tokens.lengths.level").text, "3");
}

TEST(Tokens, WordsStandClearAboveTheBarsAndTheCurves) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Opening state = laboratory(Instrument::tokens);
        state.selection.focus.lab.figure = TokenFigure::norms;
        state.selection.focus.token = 12;
        Harness h(std::move(state), size);
        const float bars = h.item("tokens.histogram.top").rect.y0, curves = h.item("tokens.lengths.top").rect.y0;
        EXPECT_LE(h.item("tokens.lengths.level").rect.y1, curves + 1);
        for (const char* const id : {"tokens.histogram.chosen", "tokens.histogram.bound"})
            if (h.shows(id)) {
                EXPECT_LE(h.item(id).rect.y1, bars + 1) << id;
            }
    }
}

TEST(Lens, EndsInThePredictionAndShowsTheClassOfEveryPatch) {
    Harness h(laboratory(Instrument::lens));
    EXPECT_EQ(h.item("lens.ranks").value, 1) << "the predicted class is first in the end";
    h.tap("lens.level.2");
    EXPECT_EQ(lab(h).level, 2);
    const PatchTold now = told(h, "lens.map");
    EXPECT_NEAR(now.value, measured(h).token_lens->probability(2, now.token), 1e-6);
}

TEST(LedgerView, SumsToTheModelsNumberUnfoldsAndChoosesHeads) {
    Harness h(laboratory(Instrument::ledger));
    EXPECT_NEAR(h.item("ledger.sum").value, h.item("ledger.told").value, 1e-4 * std::abs(h.item("ledger.told").value));
    const double folded = h.item("ledger.block.4.amount").value;
    h.tap("ledger.block.4");
    EXPECT_EQ(lab(h).unfolded, 4);
    EXPECT_EQ(h.item("ledger.block.4.written").value, folded) << "an opened block keeps its total";
    EXPECT_EQ(h.focus().block, 1) << "opening a block chooses none";
    double parts = h.item("ledger.block.4.mlp.amount").value + h.item("ledger.block.4.bias.amount").value;
    for (int head = 0; head < 4; ++head)
        parts += h.item("ledger.block.4.head." + std::to_string(head) + ".amount").value;
    EXPECT_NEAR(parts, folded, 1e-4 * std::abs(folded));
    h.tap("ledger.block.4.head.1");
    EXPECT_EQ(h.focus().block, 4);
    EXPECT_EQ(h.focus().head, 1);
    h.press(Key::x);
    EXPECT_EQ(h.what_ifs().size(), 1U) << "X switches the chosen head off";
    EXPECT_EQ(h.item("ledger.block.4.head.1.amount").value, 0);
    EXPECT_NEAR(h.item("ledger.sum").value, h.item("ledger.told").value, 1e-4 * std::abs(h.item("ledger.told").value));
    h.tap("ledger.block.4");
    EXPECT_EQ(lab(h).unfolded, 0);
}

TEST(OcclusionView, RunsByItselfAndBeginsAnewForAnotherCover) {
    Harness h(laboratory(Instrument::occlusion));
    EXPECT_EQ(h.item("occlusion.done").value, 1);
    const Tensor2 before = measured(h).occlusion->drop;
    h.tap("lab.cover.token");
    EXPECT_EQ(measured(h).covered.cover, Cover::token);
    EXPECT_EQ(h.item("occlusion.done").value, 1);
    EXPECT_NE(measured(h).occlusion->drop, before);
    const PatchTold now = told(h, "occlusion.map");
    EXPECT_NEAR(now.value, measured(h).occlusion->drop.data()[now.token - 1], 1e-7);
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
            h.app->state().settings.language = language;
            for (const auto& [instrument, name] : instrument_names) {
                lab(h).instrument = instrument;
                expect_whole(std::string(name) + ", " + language);
            }
            lab(h).instrument = Instrument::heads;
            for (const auto& [order, name] : head_order_names) {
                lab(h).order = order;
                expect_whole("order " + std::string(name) + ", " + language);
            }
            lab(h).order = HeadOrder::block;
            lab(h).instrument = Instrument::tokens;
            for (const auto& [figure, name] : token_figure_names) {
                lab(h).figure = figure;
                expect_whole("figure " + std::string(name) + ", " + language);
            }
            lab(h).instrument = Instrument::compare;
            for (const auto& [combine, name] : combine_names) {
                lab(h).combine = combine;
                expect_whole("combine " + std::string(name) + ", " + language);
            }
            lab(h).combine = Combine::side_by_side;
            lab(h).instrument = Instrument::depth;
            lab(h).method = DepthMethod::relevance;
            expect_whole(std::string("relevance, ") + language);
            lab(h).method = DepthMethod::rollout;
        }
    }
}

TEST(Laboratory, ALargerModelIsMeasuredAnewBeforeItIsDrawn) {
    Harness h(laboratory(Instrument::heads));
    h.press(Key::f2);
    h.app->workspace().experiment.model = {std::filesystem::path(VITRINE_SOURCE) / "tests/golden/models/tiny_hf", {}};
    h.settle();
    h.focus().block = 3;
    h.focus().head = 3;
    h.app->state().room = "laboratory";
    h.frame();
    h.settle();
    EXPECT_TRUE(h.shows(tile(3, 3)));
    h.app->workspace().experiment.model = small_model();  // larger: 4 blocks, 65 tokens
    h.settle();
    h.focus().block = 4;
    h.focus().token = 64;
    h.settle();
    EXPECT_TRUE(h.shows(tile(4, 3)));
    EXPECT_TRUE(h.shows("status.idle"));
}

TEST(Laboratory, LeftWhileItMeasuresItRestsAndOpenedAgainItGoesOn) {
    Harness h(laboratory(Instrument::heads));
    lab(h).instrument = Instrument::occlusion;
    lab(h).cover_size = 3;
    h.frame(2);
    h.press(Key::f2);
    EXPECT_FALSE(h.app->busy());
    h.press(Key::f3);
    EXPECT_EQ(h.item("occlusion.done").value, 1);
}

TEST(Laboratory, WhatWasStoppedSaysSoAndIsMeasuredOnDemand) {
    Harness h(laboratory(Instrument::heads));
    const auto missing = [&] { return !h.app->house().jobs.measuring().latest(1).measured->groups; };
    bool stopped = false;
    for (int attempt = 0; attempt < 20 && !stopped; ++attempt) {  // until the stop comes before the end
        lab(h).order = HeadOrder::block;
        h.app->workspace().experiment.what_ifs = {remove_token(attempt + 1)};  // a run that is not measured yet
        h.settle();
        lab(h).order = HeadOrder::similarity;
        h.frame();
        h.app->house().jobs.measuring().cancel(1);
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
    h.app->workspace().experiment.what_ifs = {shuffle_tokens(3)};
    h.settle();
    const std::vector<float> shuffled = *object_cover(h.result());
    const std::vector<int> order = shuffled_order(64, 3);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(shuffled[i], plain[static_cast<std::size_t>(order[i])]);
}

TEST(Laboratory, WithoutAClassifierSaysWhatIsMissing) {
    Opening state = laboratory(Instrument::ledger);
    state.experiment.model = {std::filesystem::path(VITRINE_SOURCE) / "tests/golden/models/plain_hf", {}};
    Harness h(std::move(state));
    for (const Instrument i : {Instrument::ledger, Instrument::lens, Instrument::occlusion}) {
        lab(h).instrument = i;
        h.settle();
        EXPECT_TRUE(h.shows("status.idle"));
        EXPECT_FALSE(h.shows("ledger.sum"));
    }
    lab(h).instrument = Instrument::depth;
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
