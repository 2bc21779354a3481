#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "app/rooms/figures/recorded_runs.h"
#include "app/rooms/learning/curve_plot.h"
#include "app/rooms/learning/learning_view.h"
#include "app/rooms/learning/recorded_view.h"
#include "app/ui/languages.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "core/training/presets.h"
#include "tests/svg_page.h"
#include "tests/ui/experiments.h"

// Curves, axes, maps and numbers of the runs in Train.

namespace vitrine {
namespace {

TEST(Experiments, LiveCurvesAreTheLargestFigureAndNothingMovesWhileRunsTrain) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const char* const id : {"norms", "dropout"})
            for (const std::string& language : language_codes()) {
                SCOPED_TRACE(std::string(id) + ", " + language + ", " + std::to_string(size.x));
                Opening opening = experiment(id);
                opening.state.settings.language = language;
                Harness h(std::move(opening), size);
                const std::vector<std::string> figures = {"learn.examples.0", "learn.positions.1", "learn.flow.0.bars"};
                const auto places = [&] {
                    std::vector<float> all;
                    std::vector<std::string> ids = figures;
                    ids.insert(ids.end(), {"learn.loss", "learn.accuracy", "learn.run.0", "learn.start", "learn.save.1",
                                           "learn.experiment.words"});
                    for (const std::string& part : ids) {
                        const Rect& at = h.item(part).rect;
                        all.insert(all.end(), {at.x0, at.y0, at.x1, at.y1});
                    }
                    return all;
                };
                for (const std::string& figure : figures)
                    EXPECT_TRUE(size.x > 1500 || h.item("learn.loss").rect.height() > h.item(figure).rect.height())
                        << figure;
                const std::vector<float> before = places();
                h.press(Key::space);
                h.wait_until([&] { return runs_now(h)[1].now->report.step >= 2; });
                h.frame(2);
                EXPECT_EQ(places(), before) << "after the start";
                h.press(Key::space);
                h.settle();
                EXPECT_EQ(places(), before) << "in a pause";
            }
}

TEST(Experiments, TheAxisOfPicturesStaysWhileARunLearns) {
    RunView<Pictures> run;
    const auto after = [&](double seen) {
        LearningCurve curve;
        curve.seen = {seen};
        run.curve = std::make_shared<const LearningCurve>(curve);
        return end_of_axis(run, 1000);
    };
    run.recipe.promised_examples = 20000;
    for (const double seen : {0.0, 640.0, 19999.0, 20000.0}) EXPECT_EQ(after(seen), 20000);
    EXPECT_EQ(after(20064), 20064) << "the last batch goes a little beyond the promise";
    run.recipe.promised_examples = {};
    EXPECT_EQ(after(900), 1000);
    EXPECT_EQ(after(1100), 2000);
    EXPECT_EQ(after(1900), 2000) << "a round number, not the newest one";
    EXPECT_EQ(after(2100), 5000);
}

/// With ranges of different lengths, the headings of both runs still have one form.
TEST(Experiments, BothRunsHaveOneFormOfTheGradientsHeading) {
    for (const std::string& language : language_codes())
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
            Opening opening = experiment("skips");
            opening.state.settings.language = language;
            opening.state.learning.recorded = true;
            opening.state.learning.played = 1;
            Harness h(std::move(opening), size);
            const auto form = [&](const char* run) {
                const std::string words = h.item(std::string("learn.flow.") + run + ".title").text;
                return words.substr(0, words.find('4'));  // up to "block 1 ÷ block 4", before the range
            };
            EXPECT_EQ(form("0"), form("1")) << language << " at " << size.x;
        }
}

TEST(Experiments, TheWordsComeBeforeTheControls) {
    for (const bool texts : {false, true}) {
        Opening opening = Harness::with_image("cat");
        opening.state.room = "learn";
        opening.state.learning.texts = texts;
        Harness h(std::move(opening), {1280, 720});
        h.settle();
        const std::string words = texts ? "learn.text.words" : "learn.words";
        EXPECT_LT(h.item(words).rect.y0, 160) << words;
        EXPECT_LT(h.item(words).rect.y1, h.item("learn.save.0").rect.y0 + 1) << words;
        EXPECT_LT(h.item(words).rect.y1, h.item(texts ? "learn.text.pace.all" : "learn.block").rect.y0 + 1) << words;
    }
}

/// The ratio of the gradients keeps its distance from the numbers beside the ridges.
TEST(Experiments, TheRatioTouchesNoNumber) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Opening opening = Harness::with_image("cat");
        opening.state.room = "learn";
        LearningState& state = opening.state.learning;
        state.own = true;
        state.choices[0].size = LearningSize::tiny;
        Harness h(std::move(opening), size);
        for (int i = 0; i < 3; ++i) h.press(Key::period);
        h.frame(2);
        ASSERT_TRUE(h.shows("learn.flow.0.ratio"));
        const Probe::Item& ratio = h.item("learn.flow.0.ratio");
        const Rect kept{ratio.rect.x0, ratio.rect.y0, ratio.rect.x1 + 8, ratio.rect.y1};
        for (const Probe::Words& words : h.app->probe().words()) {
            if (words.text == ratio.text) continue;
            EXPECT_FALSE(words.rect.x0 < kept.x1 && words.rect.x1 > kept.x0 && words.rect.y0 < kept.y1 - 3 &&
                         words.rect.y1 > kept.y0 + 3)
                << words.text << " at " << size.x;
        }
    }
}

TEST(Experiments, TheTitleOfTheGradientsEndsBeforeTheNamesOfTheNorms) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Opening opening = Harness::with_image("cat");
        opening.state.room = "learn";
        LearningState& state = opening.state.learning;
        state.own = true;
        state.choices[0].size = LearningSize::tiny;
        Harness h(std::move(opening), size);
        for (int i = 0; i < 3; ++i) h.press(Key::period);
        h.frame(2);
        const std::string title = h.item("learn.flow.0.title").text;
        std::optional<Rect> titled, named;
        for (const Probe::Words& words : h.app->probe().words()) {
            if (words.text == title) titled = words.rect;
            if (words.text == "‖∂w‖") named = words.rect;
        }
        ASSERT_TRUE(titled && named) << title << " at " << size.x;
        EXPECT_LT(titled->x1, named->x0) << title << " at " << size.x;
    }
}

TEST(Experiments, TheMapsHaveOneScaleAtEveryStep) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    opening.state.learning.choices[0].size = LearningSize::tiny;
    opening.state.learning.own = true;
    Harness h(std::move(opening));
    for (int i = 0; i < 3; ++i) h.press(Key::period);
    const auto scale = [&] {
        h.frame(2);
        return h.item("learn.scale").value;
    };
    const double newest = scale();
    const Config& c = h.app->context().jobs().learning().latest()[0].recipe.model;
    EXPECT_NEAR(newest, 4.0 / c.patches(), 1e-6) << "in shares of an even weight, whatever a run's largest one";
    h.press(Key::left);
    EXPECT_TRUE(h.app->state().learning.scrub);
    EXPECT_EQ(scale(), newest) << "an earlier step has the newest one's";
}

TEST(Experiments, RunsWithPatchesOfDifferentSizesHaveAScaleEachAndSayWhatTheirRidgesShow) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    LearningState& state = opening.state.learning;
    state.own = state.two = true;
    for (LearningChoice& choice : state.choices) choice.size = LearningSize::tiny;
    state.choices[0].patch = 4;
    state.choices[1].patch = 8;
    Harness h(std::move(opening));
    EXPECT_FALSE(h.shows("learn.ridges_now")) << "before the first step every gradient is 0";
    EXPECT_FALSE(h.shows("learn.flow.0.ratio"));
    for (int i = 0; i < 3; ++i) h.press(Key::period);
    h.frame(2);
    const auto& runs = h.app->context().jobs().learning().latest();
    std::string ratios;
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(h.item("learn.scale." + std::to_string(i)).value, 4.0 / runs[i].recipe.model.patches(), 1e-6);
        const auto moment = runs[i].at({});
        ratios += (i == 0 ? "A " : " · B ") +
                  number_text(moment->blocks.front().gradient_norm / moment->blocks.back().gradient_norm);
        EXPECT_NE(h.item("learn.run." + std::to_string(i)).text.find(h.app->text()("learn.stage.paused")),
                  std::string::npos);
        EXPECT_EQ(h.item("learn.flow." + std::to_string(i) + ".ratio").text,
                  "× " + number_text(moment->blocks.front().gradient_norm / moment->blocks.back().gradient_norm));
    }
    EXPECT_NE(h.item("learn.ridges_now").text.find(ratios), std::string::npos) << h.item("learn.ridges_now").text;
    double at_edge = 0;
    for (const BlockFlow& flow : runs[0].at({})->blocks)
        at_edge += static_cast<double>(flow.gradients[0]) / static_cast<double>(runs[0].recipe.model.blocks);
    const bool bars = h.item("learn.ridges_now").text.find("left edge") != std::string::npos;
    EXPECT_TRUE(bars || at_edge < 0.01);
    EXPECT_TRUE(!bars || h.item("learn.ridges_now").text.find("A " + percent_text(at_edge)) != std::string::npos);
    h.change()->learning.choices[1].patch = 4;
    h.settle();
    EXPECT_TRUE(h.shows("learn.scale"));
    EXPECT_FALSE(h.shows("learn.scale.0"));
}

TEST(Experiments, NumbersOfOneRunSayWhetherTheyAreMeansRecordedOrLive) {
    const std::map<std::string, std::string> means = {
        {"en", "mean of ten runs"}, {"ja", "10 回の平均"}, {"ko", "열 번의 평균"}};
    for (const std::string& language : language_codes()) {
        const Text text = load_text(language);
        for (const auto& preset : presets<Pictures>()) {
            const std::string words = text("learn.experiment." + std::string(preset.id) + "_tip");
            EXPECT_NE(words.find(means.at(language)), std::string::npos) << words;
        }
    }
    Harness h(experiment("skips"));
    h.tap("learn.recorded_runs");
    h.frame(3);
    bool said = false;
    for (const Probe::Words& words : h.app->probe().words())
        said = said || words.text.ends_with(" · " + h.app->text()("learn.recorded_one"));
    EXPECT_TRUE(said);
}

}  // namespace
}  // namespace vitrine
