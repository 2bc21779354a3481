#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "app/frame/learning_commands.h"
#include "app/jobs/learning.h"
#include "app/library/library.h"
#include "app/rooms/figures/recorded_study.h"
#include "app/rooms/learning/learning_view.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "core/training/gradient_flow.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/slow_disk.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

Opening learning() {
    Opening state = Harness::with_image("cat");
    state.state.room = "learn";
    state.state.learning.choices[0].size = LearningSize::tiny;
    state.state.learning.own = true;
    return state;
}

/// The same, with a folder for the models that are saved.
Opening learning(const fs::path& models) {
    Opening state = learning();
    state.state.settings.model_folder = models.string();
    return state;
}

const LearningState& state_of(const Harness& h) { return h.app->state().learning; }
const RunMoment<Pictures>& now(Harness& h, std::size_t run = 0) {
    return *h.app->context().jobs().learning().latest()[run].now;
}

TEST(Learning, IsAKeyOrAClickAwayAndBack) {
    Harness h;
    h.press(Key::f4);
    EXPECT_EQ(h.app->state().room, "learn");
    EXPECT_TRUE(h.shows("learn.start"));
    EXPECT_FALSE(h.shows("map.block.1"));
    h.tap("top.mode.explore");
    EXPECT_EQ(h.app->state().room, "explore");
    EXPECT_TRUE(h.shows("map.block.1"));
    h.tap("top.mode.learn");
    EXPECT_TRUE(h.shows("learn.loss"));
}

TEST(Learning, OpensWithTheExperimentsAndRemembersTheTabThatWasChosen) {
    Harness h;
    h.press(Key::f4);
    EXPECT_EQ(h.item("learn.tab.experiments").value, 1);
    EXPECT_TRUE(h.shows("learn.experiment.norms"));
    h.tap("learn.tab.own");
    EXPECT_TRUE(h.app->state().settings.own_runs);
    EXPECT_TRUE(parse_settings(to_json(h.app->state().settings))->own_runs) << "the next window knows";
    h.tap("learn.tab.experiments");
    EXPECT_FALSE(h.app->state().settings.own_runs);
    EXPECT_FALSE(LearningState().text.own) << "the same with texts";
}

TEST(Learning, FindingAStepAndDroppingAPictureLeadBackToTheExplorer) {
    Harness h(learning());
    h.press(Key::k, Key::ctrl);
    h.type("Patch embedding");
    h.press(Key::enter);
    EXPECT_EQ(h.app->state().room, "explore");
    EXPECT_EQ(h.focus().step, step_index("patch_embedding"));
    h.press(Key::f4);
    h.app->open({fs::path(VITRINE_SOURCE) / "tests/ui/images/key.png"});
    h.settle();
    EXPECT_EQ(h.app->state().room, "explore");
    EXPECT_EQ(h.item("top.image").text, "key.png");
}

TEST(Learning, StepsStartsPausesAndBeginsAnew) {
    Harness h(learning());
    EXPECT_EQ(now(h).report.step, 0U);
    EXPECT_EQ(h.item("learn.flow.0.bars").value, 0) << "no gradient was taken";
    h.tap("learn.step");
    EXPECT_EQ(now(h).report.step, 1U);
    h.press(Key::period);
    EXPECT_EQ(now(h).report.step, 2U);
    h.press(Key::space);
    EXPECT_TRUE(h.app->context().jobs().learning().running());
    h.wait_until([&] { return now(h).report.step >= 6; });
    h.tap("learn.start");
    EXPECT_FALSE(h.app->context().jobs().learning().running());
    EXPECT_GE(now(h).report.step, 6U);
    h.settle();
    EXPECT_GT(h.item("learn.flow.0.bars").value, 0) << h.item("learn.flow.0").text;
    EXPECT_GT(h.item("learn.progress").value, 0);
    h.tap("learn.reset");
    EXPECT_EQ(now(h).report.step, 0U);
}

TEST(Learning, EveryChoiceChangesTheRecipeAndBeginsAnew) {
    Harness h(learning());
    const auto recipe = [&] { return h.app->context().jobs().learning().latest()[0].recipe; };
    h.tap("learn.step");
    h.tap("learn.norm.after");
    EXPECT_EQ(recipe().model.norm, Norm::after);
    EXPECT_EQ(now(h).report.step, 0U);
    h.tap("learn.norm.none");
    EXPECT_EQ(recipe().model.norm, Norm::none);
    h.tap("learn.skips");
    EXPECT_FALSE(recipe().model.skips);
    h.tap("learn.position");
    EXPECT_EQ(recipe().model.positions, Positions::none);
    h.tap("learn.activation.relu");
    EXPECT_EQ(recipe().model.activation, Activation::relu);
    h.tap("learn.optimiser.adamw");
    EXPECT_EQ(recipe().optimiser, Optimiser::adamw);
    EXPECT_NEAR(recipe().learning_rate, 0.002, 1e-6) << "at its own rate";
    h.tap("learn.optimiser.muon");
    EXPECT_NEAR(recipe().learning_rate, 0.01, 1e-6);
    h.tap("learn.size.deep");
    EXPECT_EQ(recipe().model.blocks, 12);
    h.tap("learn.size.standard");
    EXPECT_EQ(recipe().model.embedding_dim, 64);
    h.tap("learn.minutes.ten");
    EXPECT_EQ(recipe().promised_seconds, 600);
    const double rate = recipe().learning_rate;
    h.tap("learn.rate");
    EXPECT_NE(recipe().learning_rate, rate);
    const double chosen = recipe().learning_rate;
    h.change()->learning = parse_learning(to_json(h.app->state().learning));
    h.tap("learn.optimiser.adamw");
    EXPECT_EQ(recipe().learning_rate, chosen) << "which the user has set";
    EXPECT_EQ(recipe().optimiser, Optimiser::adamw);
    h.tap("learn.dropout");
    EXPECT_GT(recipe().dropout, 0);
    EXPECT_FALSE(recipe().distinct_pictures);
    h.tap("learn.distinct");
    EXPECT_TRUE(recipe().distinct_pictures);
    h.tap("learn.minutes.pictures");
    EXPECT_EQ(recipe().promised_examples, static_cast<std::uint64_t>(counted_pictures));
    h.tap("learn.minutes.one");
    EXPECT_EQ(recipe().promised_seconds, 60);
    const int batch = recipe().batch;
    h.hover("learn.batch");
    const Rect track = h.item("learn.batch").rect;
    h.input.move(track.x0 + 2, track.y1 - 6);
    h.input.button(0, true);
    h.input.button(0, false);
    h.frame(4);
    h.settle();
    EXPECT_LT(recipe().batch, batch);
}

TEST(Learning, TwoRunsStandSideBySideWithChoicesOfTheirOwn) {
    Harness h(learning());
    h.tap("learn.two");
    EXPECT_EQ(h.app->context().jobs().learning().latest().size(), 2U);
    EXPECT_TRUE(h.shows("learn.run.1"));
    h.tap("learn.skips");
    const auto runs = h.app->context().jobs().learning().latest();
    EXPECT_TRUE(runs[0].recipe.model.skips);
    EXPECT_FALSE(runs[1].recipe.model.skips);
    h.tap("learn.edit.0");
    h.tap("learn.norm.after");
    EXPECT_EQ(h.app->context().jobs().learning().latest()[0].recipe.model.norm, Norm::after);
    EXPECT_EQ(h.app->context().jobs().learning().latest()[1].recipe.model.norm, Norm::before);
    h.tap("learn.step");
    EXPECT_EQ(now(h, 0).report.step, 1U);
    EXPECT_EQ(now(h, 1).report.step, 1U);
    h.tap("learn.two");
    EXPECT_EQ(h.app->context().jobs().learning().latest().size(), 1U);
}

TEST(Learning, ScrubsBackThroughKeptMomentsAndReturnsToTheNewest) {
    Harness h(learning());
    for (int i = 0; i < 5; ++i) h.press(Key::period);
    const Rect track = h.item("learn.scrub").rect;
    h.input.move(track.x0 + 1, track.centre().y);
    h.input.button(0, true);
    h.frame(3);
    h.input.button(0, false);
    h.frame(3);
    ASSERT_TRUE(state_of(h).scrub);
    EXPECT_LT(*state_of(h).scrub, 0.1F);
    const auto shown = h.app->context().jobs().learning().latest()[0].at(state_of(h).scrub);
    EXPECT_EQ(shown->report.step, 0U);
    h.tap("learn.live");
    EXPECT_FALSE(state_of(h).scrub);
    h.press(Key::left);
    EXPECT_TRUE(state_of(h).scrub);
    h.press(Key::end);
    EXPECT_FALSE(state_of(h).scrub);
}

TEST(Learning, ShowsTheAttentionOfAChosenHeadOfAChosenBlock) {
    Harness h(learning());
    h.tap("learn.head.1");
    EXPECT_EQ(state_of(h).head, 1);
    const auto moment = h.app->context().jobs().learning().latest()[0].now;
    const std::vector<float> last = example_attention(moment->model->config, *moment, 0, state_of(h));
    const Rect slider = h.item("learn.block").rect;
    h.input.move(slider.x0 + 3, slider.y1 - 6);
    h.input.button(0, true);
    h.input.button(0, false);
    h.frame(4);
    EXPECT_EQ(state_of(h).block, 1);
    EXPECT_NE(example_attention(moment->model->config, *moment, 0, state_of(h)), last);
    h.tap("learn.head.mean");
    EXPECT_FALSE(state_of(h).head);
}

TEST(Learning, ARunIsTakenIntoTheExplorerWithItsVariant) {
    Harness h(learning());
    h.tap("learn.norm.after");
    h.tap("learn.step");
    h.tap("learn.open.0");
    EXPECT_EQ(h.app->state().room, "explore");
    ASSERT_TRUE(h.app->workspace().experiment.model.learned);
    EXPECT_EQ(h.result().model->config.norm, Norm::after);
    EXPECT_EQ(h.result().model->config.blocks, 3);
    EXPECT_TRUE(h.shows("map.block.3"));
    EXPECT_FALSE(h.shows("map.block.4"));
    EXPECT_NE(h.item("top.model").text.find("A"), std::string::npos);
    h.press(Key::z, Key::ctrl);
    EXPECT_FALSE(h.app->workspace().experiment.model.learned) << "undo leads back to the model before";
}

TEST(Learning, GoesOnInTheOtherRoomsAndItsTabSaysHowFarItIs) {
    Harness h(learning());
    const Text& text = h.app->text();
    EXPECT_EQ(h.item("top.mode.learn").text, text("top.mode.learn"));
    h.tap("learn.step");
    h.wait_until([&] { return now(h).report.step == 1; });
    h.frame(3);
    EXPECT_NE(h.item("learn.run.0").text.find(text("learn.stage.paused")), std::string::npos);
    EXPECT_EQ(h.item("learn.run.0").text.find(text("learn.live")), std::string::npos) << "nothing is live";
    EXPECT_EQ(h.item("top.mode.learn").text, text("top.mode.learn")) << "it is in view";
    h.press(Key::f2);
    h.frame(2);
    const auto marked = [&](const char* key) { return text(key, {{"room", text("top.mode.learn")}}); };
    EXPECT_EQ(h.item("top.mode.learn").text, marked("top.training_paused"));
    h.hover("top.mode.learn");
    h.frame(60);
    EXPECT_NE(h.item("tooltip").text.find(text("top.training_paused_tip", {{"step", "1"}})), std::string::npos);
    h.press(Key::f4);
    h.tap("learn.start");
    h.press(Key::f3);
    h.wait_until([&] { return now(h).report.step > 2; });
    h.frame(2);
    EXPECT_TRUE(h.app->context().jobs().learning().running()) << "another room does not pause it";
    EXPECT_EQ(h.item("top.mode.learn").text, marked("top.training")) << "as wide at every step";
    h.carry_out(command::WatchLearning{"norms"});
    EXPECT_EQ(h.app->state().notice, text("learn.others_paused"));
    EXPECT_FALSE(h.app->context().jobs().learning().running());
}

TEST(Learning, ARunOpensBesideTheCurrentOne) {
    Harness h(learning());
    h.tap("learn.step");
    h.tap("learn.beside.0");
    h.settle();
    EXPECT_EQ(h.app->state().room, "explore");
    const Workspaces& both = h.app->context().workspaces;
    ASSERT_EQ(both.all().size(), 2U);
    EXPECT_FALSE(both.all()[0].experiment.model.learned);
    EXPECT_TRUE(both.all()[1].experiment.model.learned);
}

TEST(Learning, ARunIsSavedAsAFolderThatOpensAgain) {
    const TestFolder own;
    const fs::path home = own / "models";
    Harness h(learning(home));
    h.tap("learn.step");
    h.tap("learn.save.0");
    const std::string told = h.item("learn.told").text;
    EXPECT_NE(told.find(home.string()), std::string::npos);
    const Model model = load_model(home / "learned-a-32");
    EXPECT_EQ(model.config.blocks, 3);
    EXPECT_EQ(model.weights.leading(0, 0), now(h).model->weights.leading(0, 0));
    h.tap("learn.save.0");
    EXPECT_TRUE(fs::exists(home / "learned-a-32-2")) << "nothing is written over";
}

TEST(Learning, AWindowWhoseRunsAreNotSavedAsksBeforeItCloses) {
    const TestFolder own;
    const fs::path home = own / "models";
    Harness h(learning(home));
    EXPECT_TRUE(h.app->may_close()) << "nothing was learned";
    h.tap("learn.step");
    EXPECT_FALSE(h.app->may_close());
    h.frame(3);
    EXPECT_TRUE(h.shows("closing.save"));
    h.expect_readable("the question before closing");
    h.press(Key::escape);
    h.frame(3);
    EXPECT_FALSE(h.shows("closing.save"));
    EXPECT_FALSE(h.app->wants_to_quit()) << "the window stays";
    h.press(Key::q, Key::ctrl);
    h.frame(3);
    h.tap("closing.save");
    EXPECT_TRUE(h.app->wants_to_quit());
    EXPECT_EQ(load_model(home / "learned-a-32").weights.leading(0, 0), now(h).model->weights.leading(0, 0));
}

TEST(Learning, ARunThatIsSavedClosesWithoutAQuestion) {
    const TestFolder own;
    Harness h(learning(own / "models"));
    h.tap("learn.step");
    h.tap("learn.save.0");
    EXPECT_TRUE(h.app->may_close());
    h.tap("learn.step");
    EXPECT_FALSE(h.app->may_close()) << "it has learned more since";
    h.frame(2);
    h.tap("closing.lose");
    EXPECT_TRUE(h.app->wants_to_quit());
}

/// An experiment takes the place of one's own runs.
void put_experiment_there(Harness& h) {
    LearningState choice = h.app->state().learning;
    choose_runs(choice, "skips");
    h.app->ask(command::ChangeLearning{to_json(choice)});
    h.settle();
}

TEST(Learning, RunsThatAreKeptAsideAreAskedAboutAndSavedToo) {
    const TestFolder own;
    const fs::path home = own / "models";
    Harness h(learning(home));
    h.tap("learn.step");
    const float weight = now(h).model->weights.leading(0, 0);
    put_experiment_there(h);
    EXPECT_EQ(h.app->context().jobs().learning().latest()[0].stage, RunStage::ready);
    EXPECT_FALSE(h.app->may_close()) << "what is out of sight would be lost, too";
    h.frame(3);
    h.tap("closing.save");
    EXPECT_TRUE(h.app->wants_to_quit());
    EXPECT_EQ(load_model(home / "learned-a-32").weights.leading(0, 0), weight);
}

TEST(Learning, RunsThatWereSavedAndThenKeptAsideCloseWithoutAQuestion) {
    const TestFolder own;
    Harness h(learning(own / "models"));
    h.tap("learn.step");
    h.tap("learn.save.0");
    EXPECT_EQ(unsaved_learning(h.app->context()), UnsavedLearning());
    put_experiment_there(h);
    EXPECT_TRUE(h.app->may_close());
}

TEST(Learning, ARunCountsAsSavedOnceItIsThereAndSoDoesOneThatWasKeptAside) {
    const TestFolder own;
    const fs::path home = own / "models";
    Harness h(learning(home));
    h.tap("learn.step");
    {
        SlowDisk disk(h);
        h.app->ask(command::SaveLearned{0});
        h.frame(3);
        EXPECT_FALSE(fs::exists(home));
        EXPECT_FALSE(h.shows("learn.told")) << "nothing is told before it is there";
        EXPECT_EQ(unsaved_learning(h.app->context()), (UnsavedLearning{32, 0}));
    }
    h.settle();
    EXPECT_TRUE(h.shows("learn.told"));
    EXPECT_EQ(unsaved_learning(h.app->context()), UnsavedLearning());
    h.tap("learn.step");
    {
        SlowDisk disk(h);
        h.app->ask(command::SaveLearned{0});
        h.frame(3);
        LearningState choice = state_of(h);
        choose_runs(choice, "skips");
        h.app->ask(command::ChangeLearning{to_json(choice)});
        h.frame(3);
        EXPECT_EQ(unsaved_learning(h.app->context()), (UnsavedLearning{64, 0}));
    }
    h.settle();
    EXPECT_TRUE(fs::exists(home / "learned-a-64"));
    EXPECT_NE(h.app->state().notice.find("learned-a-64"), std::string::npos);
    EXPECT_FALSE(h.shows("learn.told")) << "these runs are others";
    EXPECT_EQ(unsaved_learning(h.app->context()), UnsavedLearning());
    EXPECT_TRUE(h.app->state().saved_runs.empty()) << "nor do they count as saved";
}

TEST(Learning, AWindowWhoseRunsCannotBeSavedStays) {
    const TestFolder own;
    write(own / "taken", "no folder");
    Harness h(learning(own / "taken"));
    h.tap("learn.step");
    EXPECT_FALSE(h.app->may_close());
    h.frame(3);
    h.tap("closing.save");
    EXPECT_FALSE(h.app->wants_to_quit());
    EXPECT_NE(h.app->error().find("taken"), std::string::npos) << h.app->error();
    EXPECT_EQ(unsaved_learning(h.app->context()), (UnsavedLearning{32, 0}));
}

TEST(Learning, WhatAKilledWindowWouldTakeWithItIsKnown) {
    Harness h(learning());
    EXPECT_EQ(unsaved_learning(h.app->context()), UnsavedLearning());
    h.tap("learn.step");
    EXPECT_EQ(unsaved_learning(h.app->context()), (UnsavedLearning{32, 0}));
    put_experiment_there(h);
    EXPECT_EQ(unsaved_learning(h.app->context()), (UnsavedLearning{32, 0})) << "out of sight, too";
}

TEST(Learning, IsReadableInAnyLanguageAndKeepsItsControlsInReach) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const bool two : {false, true}) {
            Opening state = learning();
            state.state.learning.two = two;
            state.state.learning.choices[1] = state.state.learning.choices[0];
            if (two) choose_runs(state.state.learning, "dropout");
            state.state.learning.own = true;
            Harness h(std::move(state), size);
            h.press(Key::period);
            for (const std::string& language : language_codes()) {
                h.change()->settings.language = language;
                h.frame(5);
                h.expect_readable(language + " at " + std::to_string(size.x) + (two ? ", two" : ""));
                EXPECT_TRUE(h.item("learn.minutes.three").visible);
            }
        }
}

TEST(Learning, ChaptersLeadToTheRunsThatShowWhatTheySpeakOf) {
    for (const auto& [step, two] : std::map<std::string, bool>{{"dropout", true},
                                                               {"loss", false},
                                                               {"residual", true},
                                                               {"layer_norm", true},
                                                               {"norm_place", true},
                                                               {"activation", true},
                                                               {"position_embedding", true},
                                                               {"learning", true}}) {
        Harness h;
        h.change().focus().step = step_index(step);
        h.settle();
        const Rect panel = h.app->rect_of("explanation");
        h.input.move(panel.centre().x, panel.y0 + panel.height() / 5);
        h.frame(2);
        for (int turns = 0; turns < 12 && !h.item("learn.watch_it").visible; ++turns) {
            h.input.wheel(0, -1);
            h.frame(2);
        }
        h.tap("learn.watch_it");
        EXPECT_EQ(h.app->state().room, "learn") << step;
        const auto runs = h.app->context().jobs().learning().latest();
        ASSERT_EQ(runs.size(), two ? 2U : 1U) << step;
        if (two) {
            EXPECT_NE(to_json(runs[0].recipe), to_json(runs[1].recipe)) << step;
        }
    }
}

TEST(Learning, RunsOfFewPicturesDrawTwoCurvesThatPart) {
    Opening state = learning();
    LearningChoice& c = state.state.learning.choices[0];
    c.distinct = 64;
    c.pictures = 320;
    Harness h(std::move(state));
    EXPECT_FALSE(h.shows("learn.parting.0"));
    h.press(Key::space);
    h.wait_until([&] { return h.shows("learn.parting.0"); });
    const LearningCurve& curve = *h.app->context().jobs().learning().latest()[0].curve;
    EXPECT_NEAR(h.item("learn.parting.0").value, curve.training.back() - curve.unseen.back(), 0.5);
    EXPECT_NE(h.item("learn.run.0").text.find("64"), std::string::npos);
}

TEST(Learning, TheChapterAboutModelsLeadsToTheStudyOfBothNets) {
    Harness h;
    h.change().focus().step = step_index("models");
    h.settle();
    h.tap("learn.watch_it");
    EXPECT_EQ(h.app->state().room, "learn");
    EXPECT_EQ(h.app->context().jobs().learning().latest().size(), 8U);
    for (const auto& [net, distinct] : {std::pair{Net::vit, 100U}, {Net::cnn, 100U}, {Net::vit, 0U}, {Net::cnn, 0U}})
        EXPECT_EQ(h.item(std::string("learn.study.recorded.") + name_of(net) + "." + std::to_string(distinct)).value,
                  recorded_study().at(net, distinct).mean);
    for (const std::uint64_t distinct : {1'000U, 10'000U, 0U})
        EXPECT_GT(recorded_study().at(Net::cnn, distinct).mean, recorded_study().at(Net::vit, distinct).mean)
            << "step.models.words says that 1,000 pictures are enough";
    EXPECT_LT(recorded_study().at(Net::cnn, 100).mean, recorded_study().at(Net::vit, 100).mean);
    EXPECT_FALSE(h.shows("learn.save.0"));
    h.tap("learn.step");
    EXPECT_EQ(now(h, 7).report.step, 1U);
    h.tap("learn.back_to_own");
    EXPECT_FALSE(state_of(h).study);
    EXPECT_EQ(h.app->context().jobs().learning().latest().size(), 1U);
    EXPECT_TRUE(h.shows("learn.save.0"));
}

TEST(Learning, TheStudyGrowsWhileBothNetsLearn) {
    Opening state = Harness::with_image("cat");
    state.state.room = "learn";
    state.state.learning.study = true;
    Harness h(std::move(state));
    h.press(Key::space);
    h.wait_until([&] { return h.shows("learn.study.live.cnn.100"); });
    EXPECT_GT(h.item("learn.study").value, 0);
    h.press(Key::space);
}

TEST(Learning, TheStudyCutsNoWordsInAnyLanguage) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Opening state = Harness::with_image("cat");
        state.state.room = "learn";
        state.state.learning.study = true;
        Harness h(std::move(state), size);
        for (const std::string& language : language_codes()) {
            h.change()->settings.language = language;
            h.frame(5);
            for (const auto& [id, item] : h.app->probe().items())
                EXPECT_FALSE(id.starts_with("cut.")) << item.text << ", " << language << " at " << size.x;
        }
    }
}

TEST(Learning, TheStepOfGradientsIsAnsweredByChoosingTheSteadiestWiring) {
    Harness h;
    h.change().focus().step = step_index("learning");
    h.settle();
    h.frame(100);
    EXPECT_EQ(h.item("question").value, 0);
    h.tap("gradients.wiring.post_norm");
    EXPECT_EQ(h.focus().dials.wiring, Wiring::post_norm);
    EXPECT_EQ(h.item("question").value, 0);
    h.tap("gradients.wiring.neither");
    EXPECT_EQ(h.item("question").value, 0);
    h.tap("gradients.wiring.no_norm");
    EXPECT_EQ(h.item("question").value, 1);
    EXPECT_LT(h.item("gradients.norms.neither").value, 1e-12);
    const auto& lost = std::ranges::find(*h.result().gradient_flows, Wiring::neither, &GradientFlow::wiring)->norms;
    const double crossing = h.item("gradients.beyond.neither").value;  // where its line leaves the picture
    for (std::size_t level = 0; level < lost.size(); ++level)
        EXPECT_EQ(std::log10(lost[level]) < -16, static_cast<double>(level) < crossing) << level;
    EXPECT_NE(h.item("gradients.beyond.neither").text.find(number_text(std::log10(lost.front()))), std::string::npos);
    EXPECT_FALSE(h.shows("gradients.beyond.no_skips"));
    EXPECT_GT(h.item("gradients.norms.pre_norm").value, 0.1);
}

TEST(Learning, EveryLineOfTheGradientsIsNamedAtItsEndAndToldApart) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            go_to(h, "learning");
            h.frame(100);
            std::vector<Rect> names;
            for (const auto& [wiring, name] : wiring_names) {
                const Probe::Item& end = h.item(std::string("gradients.end.") + name);
                EXPECT_EQ(end.text, h.app->text()(std::string("gradients.wiring.") + name));
                EXPECT_GT(end.rect.x0, h.item("gradients.plot").rect.x1 - 1) << name;
                for (const Rect& other : names)
                    EXPECT_FALSE(end.rect.inset(1.5F).overlaps(other.inset(1.5F))) << name << " at " << size.x;
                names.push_back(end.rect);
            }
            h.expect_readable("the gradients in " + language);
        }
}

TEST(Drawing, AnotherPictureIsOneKeyOrOneChoiceAway) {
    Harness h;
    const auto before = h.result().image;
    h.press(Key::d);
    EXPECT_NE(h.result().image, before);
    EXPECT_TRUE(h.result().image->bundled);
    EXPECT_EQ(h.item("top.image").text, "cat");
    h.press(Key::o);
    h.tap("draw.hard");
    h.tap("draw.size.64");
    h.tap("draw.another");
    EXPECT_EQ(h.result().image->full.width, 64);
    EXPECT_EQ(h.app->state().drawing.difficulty, Difficulty::hard);
    EXPECT_FALSE(h.shows("dialog"));
}

}  // namespace
}  // namespace vitrine
