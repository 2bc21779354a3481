#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/languages.h"
#include "app/ui/text.h"
#include "app/workspace/shown_table.h"
#include "core/measures/head_statistics.h"
#include "core/measures/rollout.h"
#include "tests/ui/laboratory_room.h"

namespace vitrine {
namespace {

TEST(Laboratory, UsesTheRoomOfASlide) {
    Harness h(laboratory(Instrument::ledger), {1920, 1080});
    h.door().state.figure = {.bare = true};
    const auto blank_below = [&](Instrument instrument, const char* lowest) {
        h.change().focus().lab.instrument = instrument;
        h.settle();
        h.frame(6);
        return h.app->rect_of("stage").y1 - h.item(lowest).rect.y1;
    };
    EXPECT_LT(blank_below(Instrument::ledger, "ledger.sum"), 110);
    EXPECT_LT(blank_below(Instrument::lens, "lens.level.0"), 80);
    EXPECT_LT(blank_below(Instrument::depth, "depth.step.1"), 80);
}

TEST(Laboratory, SetsGroupsOfInstrumentsApart) {
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
            SCOPED_TRACE(std::string(language) + std::to_string(size.x));
            Opening opening = laboratory(Instrument::heads);
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            const auto tab = [&](const char* name) { return h.item(std::string("lab.tab.") + name).rect; };
            EXPECT_EQ(tab("heads").x1, tab("compare").x0);
            EXPECT_GT(tab("tokens").x0, tab("depth").x1 + 5);
            EXPECT_GT(tab("ledger").x0, tab("lens").x1 + 5);
            EXPECT_LT(tab("words").x1, h.app->rect_of("stage").x1);
            EXPECT_FALSE(h.shows("lab.tab.compare.group"));
            if (size.x < 1900) continue;
            EXPECT_EQ(h.item("lab.tab.ledger.group").text, h.app->text()("lab.group.prediction"));
            EXPECT_LE(h.item("lab.tab.ledger.group").rect.x1, tab("ledger").x0);
        }
}

TEST(Laboratory, EveryChapterOfTheMapLeadsToItTheLitOneToo) {
    Harness h(laboratory(Instrument::ledger));
    for (const char* const step : {"prediction", "image", "loss"}) {
        h.carry_out(command::EnterRoom{"laboratory"});
        h.settle();
        h.tap(std::string("map.") + step);
        EXPECT_EQ(h.app->state().room, "explore") << step;
        EXPECT_EQ(step_at(h.focus()).id, step);
    }
    h.change().focus().step = step_index("prediction");
    h.carry_out(command::EnterRoom{"laboratory"});
    h.settle();
    h.tap("map.prediction");
    EXPECT_EQ(h.app->state().room, "explore");
}

TEST(Laboratory, ExplainsItsWordsWhereOnePoints) {
    Harness h(laboratory(Instrument::statistics));
    for (const HeadStatistic& row : head_statistics_table()) {
        h.hover(std::string("statistics.row.") + row.name);
        h.frame(60);
        EXPECT_EQ(h.item("tooltip").text, h.app->text()(std::string("statistic.") + row.name + "_tip"));
    }
    h.change().focus().lab.instrument = Instrument::depth;
    h.settle();
    for (const char* const method : {"rollout", "relevance"}) {
        h.hover(std::string("lab.method.") + method);
        h.frame(60);
        EXPECT_EQ(h.item("tooltip").text, h.app->text()(std::string("lab.method.") + method + "_tip"));
    }
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
    // The places of the head with the most and of the one with the least are named by these words.
    const auto& entropy = measured(h).statistics->of("entropy");
    const auto place_of_head = [&](std::size_t index) {
        const std::size_t heads = entropy.shape()[1];
        h.change().focus().block = static_cast<int>(index / heads) + 1;
        h.change().focus().head = static_cast<int>(index % heads);
        h.frame(3);
        return h.item("statistics.row.entropy.place").text;
    };
    const auto at = [&](auto found) { return static_cast<std::size_t>(found - entropy.begin()); };
    EXPECT_EQ(place_of_head(at(std::ranges::max_element(entropy))),
              h.app->text()("statistic.place_highest", {{"count", std::to_string(entropy.size())}}));
    EXPECT_EQ(place_of_head(at(std::ranges::min_element(entropy))),
              h.app->text()("statistic.place_lowest", {{"count", std::to_string(entropy.size())}}));
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
    choose_token_level(h.change().focus(), 0);
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
    const std::string others = "another class comes first: " + std::to_string(measured(h).occlusion->other_answers);
    EXPECT_NE(h.item("occlusion.done").text.find(others), std::string::npos) << h.item("occlusion.done").text;
}

TEST(OcclusionView, OffersOnlyTheRangesThatChangeItsMapAndHasOneName) {
    Harness h(laboratory(Instrument::occlusion));
    h.settle();
    for (const char* const range : {"lab.scope.block", "lab.scope.model", "lab.scope.maps"})
        EXPECT_FALSE(h.shows(range)) << range;
    EXPECT_EQ(h.item("lab.scope.head").value, 1) << "as it is at first";
    h.press(Key::s);
    EXPECT_EQ(h.focus().scope, Scope::fixed) << "the key walks along what is offered";
    h.press(Key::s);
    EXPECT_EQ(h.focus().scope, Scope::head);
    for (const std::string& language : language_codes()) {
        const Text text = load_text(language);
        EXPECT_EQ(text("lab.occlusion.title"), text("lab.tab.occlusion")) << language;
        EXPECT_EQ(text("text.lab.occlusion.title"), text("text.lab.tab.occlusion")) << language;
    }
}

/// A general rule: where a figure has one map, no range of a block or of the model is offered.
TEST(Instruments, OfferARangeOnlyWhereItDiffers) {
    Laboratory lab;
    const auto has = [&](Scope scope) {
        return std::ranges::find(ranges_of(lab), scope, &Named<Scope>::value) != ranges_of(lab).end();
    };
    for (const Named<Instrument>& row : instrument_names) {
        lab.instrument = row.value;
        const bool heads =
            row.value == Instrument::heads || row.value == Instrument::compare || row.value == Instrument::statistics;
        EXPECT_EQ(has(Scope::block), heads) << row.name;
        const bool maps = row.value == Instrument::depth || row.value == Instrument::lens ||
                          row.value == Instrument::occlusion;  // tokens: by figure, below
        EXPECT_EQ(ranges_of(lab).empty(), !heads && !maps) << row.name;
    }
    lab.instrument = Instrument::tokens;
    lab.figure = TokenFigure::similarity;
    EXPECT_TRUE(ranges_of(lab).empty());
    lab.figure = TokenFigure::norms;
    EXPECT_EQ(range_in_view(lab, Scope::block), Scope::head);
    EXPECT_EQ(range_in_view(lab, Scope::fixed), Scope::fixed);
}

TEST(ThroughDepth, OffersTheRangesThatItsLegendNames) {
    Harness h(laboratory(Instrument::depth));
    h.settle();
    EXPECT_FALSE(h.shows("lab.scope.block")) << "a map has no block of its own";
    EXPECT_EQ(h.item("lab.scope.maps").value, 1);
    h.tap("lab.scope.head");
    EXPECT_EQ(h.focus().scope, Scope::head);
    h.tap("lab.scope.maps");
    EXPECT_EQ(h.focus().scope, Scope::model);
}

TEST(Lens, SaysWhoseTokenTheCurveReadsAndHasTheRangeThatItsControlSays) {
    Harness h(laboratory(Instrument::lens));
    h.settle();
    EXPECT_TRUE(h.item("lens.ranks").text.starts_with("class token · ")) << h.item("lens.ranks").text;
    EXPECT_FALSE(h.shows("lab.scope.block")) << "all blocks share the range";
    const Table table = shown_table(h.result(), h.focus(), &measured(h));
    const auto classes = static_cast<std::ptrdiff_t>(table.shape[1]);
    EXPECT_NEAR(std::accumulate(table.values.end() - classes, table.values.end(), 0.0F), 1, 1e-5)
        << "the table holds the curves' probabilities";
    h.tap("lab.scope.fixed");
    EXPECT_EQ(h.focus().scope, Scope::fixed);
    h.tap("lab.scope.model");
    EXPECT_EQ(h.focus().scope, Scope::model);
}

TEST(Occlusion, SaysWhetherTheWatchedNumberFallsOrRises) {
    Harness h(laboratory(Instrument::occlusion));
    for (const Watched watched : {Watched::probability, Watched::logit, Watched::margin, Watched::loss}) {
        h.change().focus().lab.watched = watched;
        h.settle();
        h.frame(3);
        const Tensor2& map = measured(h).occlusion->of(watched);
        const float most = *std::ranges::max_element(map, {}, [](float x) { return std::abs(x); });
        const bool rises = watched == Watched::loss ? most > 0 : most < 0;
        const std::string& told = h.item("occlusion.done").text;
        EXPECT_EQ(told.find(" rises by ") != std::string::npos, rises) << told;
        EXPECT_EQ(told.find(" falls by ") != std::string::npos, !rises) << told;
    }
}

}  // namespace
}  // namespace vitrine
