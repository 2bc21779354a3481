#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "app/jobs/learning.h"
#include "app/library/claim_figures.h"
#include "app/rooms/figures/recorded_runs.h"
#include "app/rooms/learning/curve_plot.h"
#include "app/rooms/learning/learning_view.h"
#include "app/rooms/learning/recorded_view.h"
#include "app/rooms/learning/room.h"
#include "app/ui/languages.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "core/training/presets.h"
#include "tests/test_folder.h"
#include "tests/ui/experiments.h"

// The learning room's experiments, their recorded runs, and runs that go on.

namespace vitrine {
namespace {

TEST(Experiments, ChoosingOneSetsBothRunsUpAndSaysWhatWasMeasured) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    Harness h(std::move(opening));
    EXPECT_FALSE(h.shows("learn.size.tiny")) << "the experiments first";
    for (const Preset<Pictures>& preset : presets<Pictures>()) {
        h.tap("learn.experiment." + std::string(preset.id));
        EXPECT_EQ(experiment_of(learning_of(h)), &preset);
        const auto runs = runs_now(h);
        ASSERT_EQ(runs.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i)
            EXPECT_EQ(to_json(runs[i].recipe), to_json(recipes_of(preset, 1)[i])) << preset.id;
        const std::string words = h.item("learn.experiment.words").text;
        const long percent = std::lround(100 * claim_log().figure(std::string(preset.id) + ".b").value);
        EXPECT_NE(words.find(std::to_string(percent) + " %"), std::string::npos) << words;
    }
    h.tap("learn.experiment.nets");
    EXPECT_TRUE(learning_of(h).study);
    h.tap("learn.tab.own");
    EXPECT_FALSE(learning_of(h).study);
    EXPECT_TRUE(h.shows("learn.size.tiny"));
}

TEST(Experiments, AChangedRunIsNoLongerTheExperiment) {
    Harness h(experiment("norms"));
    EXPECT_TRUE(h.shows("learn.recorded_runs"));
    h.tap("learn.tab.own");
    h.tap("learn.edit.1");
    h.tap("learn.activation.relu");
    EXPECT_EQ(experiment_of(learning_of(h)), nullptr);
    h.tap("learn.tab.experiments");
    EXPECT_FALSE(h.shows("learn.recorded_runs"));
    EXPECT_FALSE(h.shows("learn.experiment.words"));
}

TEST(Experiments, RunsOfOnesOwnAreThereAgainAfterExperimentsAsTheyStood) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    opening.state.learning.choices[0] = {.size = LearningSize::tiny, .patch = 8, .pictures = 96};
    Harness h(std::move(opening));
    EXPECT_FALSE(h.shows("learn.back_to_own")) << "nothing stands in their place";
    h.tap("learn.tab.own");
    h.tap("learn.two");
    h.press(Key::space);
    h.wait_until([&] { return are_over(runs_now(h)); });
    const LearningState own = learning_of(h);
    const double loss = runs_now(h)[1].now->loss;
    h.tap("learn.tab.experiments");
    const float row = h.item("learn.experiment.skips").rect.y0;
    h.tap("learn.experiment.skips");
    EXPECT_EQ(h.item("learn.back_to_own").text, h.app->text()("learn.back_to_own"));
    EXPECT_EQ(h.item("learn.experiment.skips").rect.y0, row) << "nothing moves under the pointer";
    h.tap("learn.experiment.norms");
    EXPECT_EQ(runs_now(h)[0].stage, RunStage::ready);
    EXPECT_EQ(parse_learning(to_json(learning_of(h))), learning_of(h)) << "also in what is kept of a session";
    h.tap("learn.back_to_own");
    EXPECT_FALSE(h.shows("learn.back_to_own"));
    EXPECT_TRUE(learning_of(h).same_runs(own));
    EXPECT_TRUE(h.shows("learn.size.tiny")) << "with the controls of their choices";
    ASSERT_EQ(runs_now(h).size(), 2U);
    EXPECT_EQ(runs_now(h)[0].stage, RunStage::done);
    EXPECT_EQ(runs_now(h)[1].now->loss, loss) << "what was learned is there";
    EXPECT_EQ(runs_now(h)[1].now->report.seen, 96U);
}

TEST(Experiments, AnExperimentsRunsAreThereAgainAsTheyStoodWhenItIsChosenAgain) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    Harness h(std::move(opening));
    h.tap("learn.tab.experiments");
    h.tap("learn.experiment.skips");
    EXPECT_EQ(h.item("learn.back_to_own").text, h.app->text()("learn.to_custom")) << "there are no own ones yet";
    h.press(Key::space);
    const auto seen = [&] {
        const auto runs = runs_now(h);
        return runs.size() == 2 && runs[1].now ? runs[1].now->report.seen : 0;
    };
    h.wait_until([&] { return seen() > 0; });
    h.press(Key::space);
    h.settle();
    h.wait_until([&] { return !h.app->context().jobs().learning().running(); });
    const auto pictures = seen();
    const double loss = runs_now(h)[0].now->loss;
    const auto are_back = [&] {
        h.settle();
        ASSERT_EQ(runs_now(h).size(), 2U);
        EXPECT_EQ(seen(), pictures);
        EXPECT_EQ(runs_now(h)[0].now->loss, loss);
        EXPECT_NE(runs_now(h)[0].stage, RunStage::ready);
    };
    h.tap("learn.back_to_own");
    EXPECT_FALSE(h.shows("learn.back_to_own"));
    h.tap("learn.tab.experiments");
    h.tap("learn.experiment.skips");
    are_back();
    h.tap("learn.experiment.norms");
    EXPECT_EQ(runs_now(h)[0].stage, RunStage::ready) << "another one begins";
    h.tap("learn.experiment.skips");
    are_back();
    h.press(Key::r);
    EXPECT_EQ(runs_now(h)[0].stage, RunStage::ready) << "only who asks for it begins anew";
}

TEST(Experiments, WatchingWhatAStepNamesPutsRunsThatBeganAside) {
    Harness h(experiment("skips"));
    h.tap("learn.step");
    h.wait_until([&] { return runs_now(h)[1].now->report.step >= 1; });
    h.settle();
    const double loss = runs_now(h)[0].now->loss;
    const auto watch = [&](const char* runs) {
        h.app->ask(command::WatchLearning{runs});
        h.settle();
        EXPECT_EQ(h.app->state().room, "learn");
    };
    watch("norms");
    EXPECT_EQ(runs_now(h)[0].stage, RunStage::ready);
    for (int times = 0; times < 2; ++times) {  // from others, and where they are shown
        watch("skips");
        EXPECT_EQ(runs_now(h)[0].now->report.step, 1U);
        EXPECT_EQ(runs_now(h)[0].now->loss, loss);
    }
}

TEST(Experiments, StartStartsRunsThatAreStillBeingPrepared) {
    Harness h(experiment("skips"));
    h.app->ask(command::WatchLearning{"norms"});
    h.app->ask(command::Do{"learn.start"});
    h.frame(2);
    EXPECT_TRUE(h.app->context().jobs().learning().running());
    h.wait_until([&] { return runs_now(h).size() == 2 && runs_now(h)[1].now->report.step >= 1; });
    EXPECT_EQ(to_json(runs_now(h)[0].recipe), to_json(recipes_of(*preset_named<Pictures>("norms"), 1)[0]));
    h.app->context().jobs().learning().pause();
}

TEST(Experiments, OfOptimisersSayTheRateOfEach) {
    for (const std::string& language : language_codes()) {
        const Text text = load_text(language);
        const auto says = [&](const char* key, float a, float b) {
            for (const float rate : {a, b}) {
                std::ostringstream words;
                words << rate;
                EXPECT_NE(text(key).find(words.str()), std::string::npos) << key << " in " << language;
            }
        };
        const Preset<Pictures>& pictures = *preset_named<Pictures>("optimiser");
        says("learn.experiment.optimiser_tip", recipe_of(pictures.a).learning_rate,
             recipe_of(pictures.b).learning_rate);
        const Preset<Texts>& texts = *preset_named<Texts>("text_optimiser");
        for (const char* const id : {"norms", "wiring"}) {  // runs of one design at two rates
            const float rate = recipe_of(preset_named<Pictures>(id)->a).learning_rate;
            says(("learn.experiment." + std::string(id) + "_tip").c_str(), rate, rate);
        }
        says("learn.experiment.text_optimiser_tip", recipe_of(texts.a).learning_rate, recipe_of(texts.b).learning_rate);
    }
}

TEST(Experiments, SayWhatAAndBAreAndNameTheEndsOfTheirCurves) {
    Harness h(experiment("skips"), {1280, 720});
    EXPECT_EQ(h.item("learn.run.0").text.substr(0, 5), "A · ");
    EXPECT_NE(h.item("learn.run.0").text.find(h.app->text()("learn.with_skips")), std::string::npos);
    EXPECT_NE(h.item("learn.run.1").text.find(h.app->text()("learn.no_skips")), std::string::npos);
    EXPECT_EQ(h.item("learn.run.0").text.find("Muon"), std::string::npos) << "only what differs";
    EXPECT_EQ(h.item("learn.run.0").text.find('%'), std::string::npos)
        << "an accuracy that nobody has measured is not told";
    EXPECT_FALSE(h.shows("learn.loss.end.A"));
    h.tap("learn.step");
    h.wait_until([&] { return runs_now(h)[1].now->report.step >= 1; });
    h.frame(3);
    EXPECT_NE(h.item("learn.run.0").text.find("unseen"), std::string::npos) << "what it is measured on";
    h.tap("learn.recorded_runs");
    h.frame(60 * 12);
    EXPECT_TRUE(h.shows("learn.loss.end.A"));
    EXPECT_TRUE(h.shows("learn.loss.end.B"));
    EXPECT_FALSE(h.shows("learn.recorded_runs")) << "there is one way back";
    EXPECT_EQ(h.item("learn.live").text, h.app->text()("learn.back_to_live"));
    h.expect_readable("a recording");
}

TEST(Experiments, ARecordingPlaysPausesAndGivesWayToLiveRuns) {
    Harness h(experiment("skips"));
    ASSERT_NE(recorded_runs("skips"), nullptr);
    const RecordedPair& pair = *recorded_runs("skips");
    h.tap("learn.recorded_runs");
    ASSERT_TRUE(learning_of(h).recorded);
    EXPECT_TRUE(learning_of(h).playing);
    EXPECT_TRUE(h.app->busy()) << "frames follow one another though nobody moves the pointer";
    EXPECT_NE(h.item("learn.recorded").text.find(pair[0].day), std::string::npos) << "it says when";
    h.frame(60);
    const float then = learning_of(h).played;
    EXPECT_GT(then, 0.05F);
    EXPECT_LT(then, 0.5F) << "it grows over some seconds";
    h.tap("learn.start");
    EXPECT_FALSE(learning_of(h).playing);
    EXPECT_FALSE(h.app->busy());
    const float paused = learning_of(h).played;
    h.frame(30);
    EXPECT_EQ(learning_of(h).played, paused);
    h.press(Key::space);
    EXPECT_TRUE(learning_of(h).playing);
    h.frame(60 * 9);
    EXPECT_EQ(learning_of(h).played, 1);
    EXPECT_FALSE(learning_of(h).playing);
    EXPECT_EQ(h.item("learn.recorded.0").value, pair[0].last);
    EXPECT_EQ(h.item("learn.recorded.1").value, pair[1].last);
    EXPECT_NE(h.item("learn.recorded_measured").text.find("running mean over new batches"), std::string::npos)
        << "and what the curve beside it is measured on";
    h.press(Key::left);
    EXPECT_LT(learning_of(h).played, 1) << "back through it";
    EXPECT_EQ(runs_now(h)[0].stage, RunStage::ready) << "nothing learned";
    h.tap("learn.live");
    EXPECT_FALSE(learning_of(h).recorded);
    EXPECT_TRUE(h.shows("learn.run.1"));
    h.press(Key::v);
    EXPECT_TRUE(learning_of(h).recorded) << "a key does the same";
}

TEST(Experiments, ARecordingShowsAttentionGradientsAndPositionsOfItsOwnRuns) {
    Opening opening = experiment("skips");
    opening.state.learning.recorded = true;
    opening.state.learning.played = 1;
    Harness h(std::move(opening), {1280, 720});
    const RecordedPair& pair = *recorded_runs("skips");
    for (std::size_t run = 0; run < 2; ++run) {
        const std::string number = std::to_string(run);
        EXPECT_EQ(h.item("learn.examples." + number).value, RecordedSight::examples);
        EXPECT_EQ(h.item("learn.flow." + number).value, pair[run].sights.back().blocks.front().gradient_norm);
        EXPECT_EQ(h.item("learn.positions." + number).value, pair[run].recipe.model.patches());
    }
    const auto ratio = [&](std::size_t run, std::size_t sight) {
        const auto& blocks = pair[run].sights[sight].blocks;
        return number_text(blocks.front().gradient_norm / blocks.back().gradient_norm);
    };
    const std::string& now = h.item("learn.ridges_now").text;
    EXPECT_NE(now.find("A " + ratio(0, 6) + " · B " + ratio(1, 6)), std::string::npos) << now;
    for (std::size_t run = 0; run < 2; ++run) {
        const std::string flow = "learn.flow." + std::to_string(run);
        const std::string &title = h.item(flow + ".title").text, &mark = h.item(flow + ".ratio").text;
        EXPECT_EQ(mark, "× " + ratio(run, 6));
        std::vector<double> ratios;
        for (const RecordedSight& sight : pair[run].sights)
            ratios.push_back(sight.blocks.front().gradient_norm / sight.blocks.back().gradient_norm);
        const auto [least, most] = std::ranges::minmax(ratios);
        const std::string range = number_text(least) + " … " + number_text(most);
        EXPECT_TRUE(title.ends_with(range)) << title;
        EXPECT_NE(title.find("1 ÷ "), std::string::npos) << title;
        h.hover(flow + ".ratio.tip");
        h.frame(40);
        EXPECT_EQ(h.item("tooltip").text,
                  h.app->text()("learn.ratio_tip_range", {{"first", "1"}, {"last", "4"}, {"range", range}}));
    }
    EXPECT_NE(h.item("learn.recorded").text.find(count_text(40'000)), std::string::npos);
    h.change()->learning.played = 0.3F;
    h.frame(3);
    EXPECT_EQ(h.item("learn.flow.0").value, pair[0].sights[3].blocks.front().gradient_norm) << "the look before";
    EXPECT_NE(h.item("learn.recorded").text.find(count_text(static_cast<std::int64_t>(pair[0].sights[3].seen))),
              std::string::npos)
        << h.item("learn.recorded").text;
    h.change()->learning.played = 0;
    h.frame(3);
    EXPECT_EQ(h.item("learn.flow.0").value, pair[0].sights[0].blocks.front().gradient_norm) << "the first look";
    const LearningState mean = learning_of(h);
    LearningState head = mean;
    head.head = 1;
    const Config& c = pair[0].recipe.model;
    EXPECT_NE(example_attention(c, pair[0].sights[6], 0, mean), example_attention(c, pair[0].sights[6], 0, head));
    h.tap("learn.head.1");
    EXPECT_EQ(learning_of(h).head, 1) << "chosen in a recording, too";
    h.expect_readable("a recording at its beginning");
}

/// Where the gradient vanishes over many powers of ten, its ratio is written over the line that spans them, not on it.
TEST(Experiments, TheRatioOfGradientsIsNotWrittenOnItsOwnLine) {
    int above = 0;
    for (const float width : {1280.0F, 1440.0F, 1520.0F, 1600.0F, 1680.0F, 1760.0F, 1920.0F}) {
        Opening opening = experiment("wiring");
        opening.state.learning.recorded = true;
        opening.state.learning.played = 1;
        Harness h(std::move(opening), {width, 900});
        for (const float played : {0.3F, 0.6F, 1.0F}) {
            h.change()->learning.played = played;
            h.frame(3);
            for (const char* const run : {"learn.flow.0", "learn.flow.1"}) {
                const std::string ratio = std::string(run) + ".ratio";
                const Rect words = h.item(ratio).rect, line = h.item(ratio + ".line").rect;
                EXPECT_FALSE(words.overlaps(line)) << ratio << " at " << played << ", " << width;
                above += words.y1 <= line.y0 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(above, 0) << "none was too long for the space beside the ridges";
}

TEST(Experiments, ARunThatIsOverGoesOnAsLongAgain) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    LearningChoice& c = opening.state.learning.choices[0];
    c = {.size = LearningSize::tiny, .patch = 8, .pictures = 96};
    Harness h(std::move(opening));
    const std::string start = h.item("learn.start").text;
    h.press(Key::space);
    h.wait_until([&] { return runs_now(h)[0].stage == RunStage::done; });
    h.frame(2);
    EXPECT_EQ(runs_now(h)[0].now->report.seen, 96U);
    EXPECT_NE(h.item("learn.start").text, start) << "it says that it goes on";
    h.tap("learn.start");
    h.wait_until([&] { return runs_now(h)[0].now->report.seen == 192U; });
    h.wait_until([&] { return runs_now(h)[0].stage == RunStage::done; });
    EXPECT_EQ(runs_now(h)[0].recipe.promised_examples, 192U);
    EXPECT_EQ(runs_now(h)[0].progress, 1);
    h.tap("learn.reset");
    EXPECT_EQ(runs_now(h)[0].recipe.promised_examples, 96U);
}

TEST(Experiments, AMachineThatIsTooSlowIsSaidToBe) {
    for (const int pictures : {0, 100'000'000}) {
        Opening opening = Harness::with_image("cat");
        opening.state.room = "learn";
        opening.state.learning.choices[0] = {.size = LearningSize::deep, .minutes = 0.2F, .pictures = pictures};
        Harness h(std::move(opening));
        EXPECT_FALSE(h.shows("learn.slow")) << "nothing is known yet";
        h.press(Key::space);
        h.wait_until([&] { return h.shows("learn.slow"); });
        h.press(Key::space);
    }
}

TEST(Experiments, AreFoundByTyping) {
    Harness h;
    h.press(Key::k, Key::ctrl);
    h.type("experiment: dropout");
    h.press(Key::enter);
    EXPECT_EQ(h.app->state().room, "learn");
    EXPECT_EQ(experiment_of(learning_of(h)), preset_named<Pictures>("dropout"));
}

TEST(Experiments, AreReadableInAnyLanguageLiveAndRecorded) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const auto& [id, recorded] :
             {std::pair("dropout", false), {"dropout", true}, {"norms", true}, {"optimiser", true}}) {
            Opening opening = experiment(id);
            opening.state.learning.recorded = recorded;
            opening.state.learning.played = 1;
            Harness h(std::move(opening), size);
            for (const std::string& language : language_codes()) {
                h.change()->settings.language = language;
                h.frame(5);
                h.expect_readable(language + " at " + std::to_string(size.x) + ", " + id +
                                  (recorded ? ", recorded" : ""));
            }
        }
}

TEST(Experiments, StateIsKeptInWordsAndOldWordsAreRead) {
    LearningState state;
    choose_runs(state, "optimiser");
    state.recorded = true;
    state.played = 0.5F;
    EXPECT_EQ(parse_learning(to_json(state)), state);
    choose_runs(state, "plain");
    EXPECT_EQ(parse_learning(to_json(state)), state);
    EXPECT_TRUE(state.own);
    EXPECT_FALSE(state.two);
}

TEST(Experiments, WordsAboutRunsThatDivergedAreNotCutBesideOneAnother) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    for (LearningChoice& c : opening.state.learning.choices) {
        c = {.size = LearningSize::deep, .patch = 8, .norm = Norm::none, .learning_rate = 0.9F, .pictures = 4000};
        c.optimiser = Optimiser::adamw;
    }
    opening.state.learning.choices[1].activation = Activation::relu;
    opening.state.learning.two = true;
    Harness h(std::move(opening), {1280, 720});
    h.press(Key::space);
    h.wait_until([&] { return are_over(runs_now(h)); });
    ASSERT_EQ(runs_now(h)[0].stage, RunStage::diverged);
    for (const std::string& language : language_codes()) {
        h.change()->settings.language = language;
        h.frame(5);
        for (const auto& [id, item] : h.app->probe().items())
            EXPECT_FALSE(id.starts_with("cut.")) << item.text << ", " << language;
    }
}

TEST(Experiments, BothRunsBeginAtOneHeightUnderTheirNames) {
    for (const float width : {1280.0F, 1440.0F, 1600.0F, 1920.0F}) {
        Harness h(experiment("norms"), {width, 720});
        EXPECT_EQ(h.item("learn.run.0").rect.y1, h.item("learn.run.1").rect.y1) << width;
        EXPECT_EQ(h.item("learn.examples.0").rect.y0, h.item("learn.examples.1").rect.y0) << width;
    }
}

TEST(Experiments, TheRidgesWithoutSkipsComeAndGoOverTheRun) {
    Opening opening = experiment("skips");
    opening.state.learning.recorded = true;
    opening.state.learning.played = 1;
    Harness h(std::move(opening));
    const RecordedPair& pair = *recorded_runs("skips");
    std::string ranges;
    for (std::size_t run = 0; run < 2; ++run) {
        std::vector<double> ratios;
        for (const RecordedSight& sight : pair[run].sights)
            ratios.push_back(sight.blocks.front().gradient_norm / sight.blocks.back().gradient_norm);
        const auto least = std::ranges::min_element(ratios);
        const double most = std::ranges::max(ratios);
        ranges += (run == 0 ? "A " : " · B ") + number_text(*least) + " … " + number_text(most);
        if (run == 0) {
            EXPECT_GT(*least, 1.5) << "a few times as large";
            EXPECT_LT(most, 5);
        } else {
            EXPECT_LT(*least, 0.2) << "a small fraction";
            EXPECT_GT(ratios.front(), 1);
            EXPECT_GT(*std::max_element(least, ratios.end()), 1) << "it rises again";
        }
    }
    EXPECT_NE(h.item("learn.ridges_now").text.find(ranges), std::string::npos) << h.item("learn.ridges_now").text;
    EXPECT_NE(h.item("learn.experiment.words").text.find("a single moment shows little"), std::string::npos);
}

TEST(Experiments, AllAnswersOfARowHaveOneForm) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening opening = experiment("skips");
            opening.state.settings.language = language;
            opening.state.learning.recorded = true;
            Harness h(std::move(opening), size);
            for (const float played : {0.1F, 0.4F, 1.0F}) {
                h.change()->learning.played = played;
                h.frame(3);
                std::set<bool> forms;
                for (int run = 0; run < 2; ++run)
                    for (int i = 0; i < RecordedSight::examples; ++i) {
                        const std::string& words =
                            h.item("learn.example." + std::to_string(run) + "." + std::to_string(i)).text;
                        EXPECT_NE(words.find('%'), std::string::npos) << words;
                        forms.insert(words.find('\n') != std::string::npos);
                    }
                EXPECT_EQ(forms.size(), 1U) << language << " at " << size.x;
                h.expect_readable("the answers in " + language);
            }
        }
}

TEST(Experiments, ARecordingThatDivergedSaysSoAtItsEnd) {
    RecordedPair pair = *recorded_runs("skips");
    pair[1].diverged = true;
    EXPECT_EQ(recorded_until(pair, 0.5F)[1].stage, RunStage::paused);
    EXPECT_EQ(recorded_until(pair, 1)[1].stage, RunStage::diverged);
    EXPECT_EQ(recorded_until(pair, 1)[0].stage, RunStage::paused);
}

TEST(Experiments, ATimedRunIsToldOfOnlyWhereOneIsOrIsSetUp) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    Harness h(std::move(opening));
    ASSERT_EQ(experiment_of(learning_of(h)), nullptr);
    EXPECT_FALSE(h.shows("learn.promise")) << "the list speaks of experiments, which are counted";
    h.tap("learn.tab.own");
    EXPECT_EQ(h.item("learn.promise").text, h.app->text()("learn.not_reproducible"));
    h.tap("learn.tab.experiments");
    h.tap("learn.experiment.skips");
    h.settle();
    EXPECT_EQ(h.item("learn.promise").text, h.app->text()("learn.counted"));
}

}  // namespace
}  // namespace vitrine
