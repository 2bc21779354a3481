#include <filesystem>
#include <map>

#include "app/jobs/learning.h"
#include "app/library/claim_figures.h"
#include "app/rooms/learning/text_learning_view.h"
#include "app/ui/languages.h"
#include "core/text/text_checkpoint.h"
#include "core/training/presets.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

// The learning room while text Transformers learn.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

Opening texts(const char* runs = "sentiment") {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    choose_runs(opening.state.learning, runs);
    opening.state.learning.text.pace = 0;
    return opening;
}

const LearningState& text_learning_of(const Harness& h) { return h.app->state().learning; }
const TextLearningState& text_state_of(const Harness& h) { return text_learning_of(h).text; }
std::vector<RunView<Texts>> text_runs_now(Harness& h) { return h.app->context().jobs().text_learning().latest(); }
const RunMoment<Texts>& moment_of(Harness& h, std::size_t run = 0) { return *text_runs_now(h)[run].now; }

TEST(TextLearning, TheCurvesHeadingsAreWholeInASmallWindow) {
    for (const std::string& language : language_codes())
        for (const char* const runs : {"translate", "sentiment", "story"}) {
            Opening opening = texts(runs);
            opening.state.settings.language = language;
            Harness h(std::move(opening), {1280, 720});
            for (const bool lecture : {false, true}) {
                if (lecture) h.press(Key::l);
                h.frame(40);
                for (const char* const id : {"learn.loss.heading", "learn.accuracy.heading"})
                    EXPECT_FALSE(h.item(id).text.ends_with("…")) << h.item(id).text << (lecture ? " in a lecture" : "");
            }
        }
}

TEST(TextLearning, RunsAreThereAgainAsTheyStoodAfterAnotherTaskAndAnExperiment) {
    const TestFolder own;
    Opening opening = texts("sentiment");
    opening.state.settings.model_folder = (own / "models").string();
    Harness h(std::move(opening));
    h.press(Key::period);
    h.wait_until([&] { return !text_runs_now(h).empty() && moment_of(h).report.seen > 0; });
    h.settle();
    const auto sentences = moment_of(h).report.seen;
    const double loss = moment_of(h).loss;
    const auto are_back = [&] {
        h.settle();
        ASSERT_EQ(text_runs_now(h).size(), 1U);
        EXPECT_EQ(moment_of(h).report.seen, sentences);
        EXPECT_EQ(moment_of(h).loss, loss);
    };
    h.app->ask(command::Do{"learn.story"});
    h.settle();
    EXPECT_EQ(moment_of(h).report.seen, 0U);
    EXPECT_FALSE(h.app->may_close()) << "what is out of sight would be lost";
    h.press(Key::escape);
    h.app->ask(command::Do{"learn.sentiment"});
    are_back();
    LearningState choice = text_learning_of(h);
    choose_runs(choice, "review_positions");
    h.app->ask(command::ChangeLearning{to_json(choice)});
    h.settle();
    EXPECT_EQ(text_runs_now(h).size(), 2U);
    LearningState again = text_learning_of(h);
    go_back_to_own(again);
    h.app->ask(command::ChangeLearning{to_json(again)});
    are_back();
    EXPECT_FALSE(h.app->may_close());
    h.frame(3);
    h.tap("closing.save");
    EXPECT_TRUE(fs::exists(own / "models" / ("sentiment-a-" + std::to_string(sentences))));
}

TEST(TextLearning, MoreRunsThatNobodySavedThanThereIsRoomForAreKept) {
    Harness h(texts("translate"));
    const char* const others[] = {"mask", "scale", "heads", "text_norms", "text_positions"};
    ASSERT_EQ(std::size(others), Learning<Texts>::most_aside + 1);
    for (const char* const runs : others) {  // what begins gives way to the next
        h.press(Key::period);
        h.wait_until([&] { return moment_of(h).report.seen > 0; });
        h.settle();
        h.app->ask(command::WatchLearning{runs});
        h.settle();
        EXPECT_EQ(moment_of(h).report.seen, 0U) << runs;
    }
    h.app->ask(command::WatchLearning{"translate"});
    h.settle();
    EXPECT_GT(moment_of(h).report.seen, 0U) << "the first of them";
    h.app->ask(command::WatchLearning{"mask"});
    h.settle();
    EXPECT_GT(moment_of(h).report.seen, 0U);
    EXPECT_FALSE(h.app->may_close());
}

TEST(TextLearning, ChangedRunsOfATaskAreThereAgainAfterItsUsualOnes) {
    Harness h(texts("sentiment"));
    h.tap("learn.text.positions.none");
    const TextChoice own = text_state_of(h).choices[0];
    ASSERT_FALSE(own == usual_choice(TextTask::sentiment));
    h.press(Key::period);
    h.wait_until([&] { return moment_of(h).report.seen > 0; });
    h.settle();
    const double loss = moment_of(h).loss;
    h.app->ask(command::WatchLearning{"sentiment"});
    h.settle();
    EXPECT_EQ(text_state_of(h).choices[0], usual_choice(TextTask::sentiment));
    EXPECT_EQ(moment_of(h).report.seen, 0U);
    EXPECT_FALSE(h.app->may_close()) << "what is out of sight would be lost";
    h.press(Key::escape);
    h.app->ask(command::WatchLearning{"review_positions"});
    h.settle();
    h.app->ask(command::Do{"learn.story"});
    h.settle();
    h.app->ask(command::Do{"learn.sentiment"});
    h.settle();
    LearningState again = text_learning_of(h);
    ASSERT_TRUE(has_kept(again)) << "neither the usual runs nor an experiment's push them out";
    go_back_to_own(again);
    h.app->ask(command::ChangeLearning{to_json(again)});
    h.settle();
    EXPECT_EQ(text_state_of(h).choices[0], own);
    EXPECT_GT(moment_of(h).report.seen, 0U);
    EXPECT_EQ(moment_of(h).loss, loss);
}

TEST(TextLearning, ChangedRunsAreThereAgainAfterTheOtherDirection) {
    Harness h(texts("translate"));
    h.tap("learn.text.positions.none");
    const TextChoice own = text_state_of(h).choices[0];
    h.tap("learn.text.to.ja");
    EXPECT_EQ(text_state_of(h).choices[0], own) << "that is its direction already";
    h.press(Key::period);
    h.wait_until([&] { return moment_of(h).report.seen > 0; });
    h.settle();
    const double loss = moment_of(h).loss;
    h.tap("learn.text.to.en");
    EXPECT_EQ(moment_of(h).report.seen, 0U);
    EXPECT_FALSE(h.app->may_close()) << "what is out of sight would be lost";
    h.press(Key::escape);
    LearningState again = text_learning_of(h);
    ASSERT_TRUE(has_kept(again));
    go_back_to_own(again);
    h.app->ask(command::ChangeLearning{to_json(again)});
    h.settle();
    EXPECT_EQ(text_state_of(h).choices[0], own);
    EXPECT_GT(moment_of(h).report.seen, 0U);
    EXPECT_EQ(moment_of(h).loss, loss);
}

TEST(TextLearning, UsualRunsAreThereAgainInEachDirectionAndPushNoChoicesOut) {
    Harness h(texts("translate"));
    std::map<std::string, double> losses;
    for (const std::string to : {"ja", "en"}) {
        h.tap("learn.text.to." + to);
        h.press(Key::period);
        h.wait_until([&] { return moment_of(h).report.seen > 0; });
        h.settle();
        losses[to] = moment_of(h).loss;
    }
    for (const auto& [to, loss] : losses) {
        h.tap("learn.text.to." + (to == "ja" ? std::string("en") : std::string("ja")));
        h.tap("learn.text.to." + to);
        EXPECT_EQ(moment_of(h).loss, loss) << to;
    }
    EXPECT_FALSE(text_state_of(h).kept) << "there are no choices of one's own to go back to";
}

TEST(TextLearning, AChoiceLeadsFromPicturesToEachTaskAndBack) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    opening.state.learning.choices[0].size = LearningSize::tiny;
    Harness h(std::move(opening));
    EXPECT_TRUE(h.shows("learn.examples.0"));
    h.press(Key::period);
    for (const auto& [task, name] : text_task_names) {
        h.tap(std::string("learn.subject.") + name);
        EXPECT_TRUE(text_learning_of(h).texts);
        EXPECT_EQ(text_state_of(h).task(), task);
        EXPECT_TRUE(h.shows("learn.said.0.text")) << name;
        EXPECT_TRUE(h.shows("learn.loss"));
        EXPECT_FALSE(h.shows("learn.examples.0"));
        EXPECT_EQ(moment_of(h).said.size(), text_samples(task, TextLanguage::japanese).size());
    }
    h.tap("learn.subject.pictures");
    EXPECT_TRUE(h.shows("learn.examples.0"));
    EXPECT_EQ(h.app->context().jobs().learning().latest()[0].now->report.step, 1U) << "pictures wait where they were";
}

TEST(TextLearning, StepsStartsPausesAndBeginsAnew) {
    Harness h(texts());
    EXPECT_EQ(moment_of(h).report.step, 0U);
    h.tap("learn.step");
    EXPECT_EQ(moment_of(h).report.step, 1U);
    h.press(Key::period);
    EXPECT_EQ(moment_of(h).report.step, 2U);
    EXPECT_EQ(h.item("learn.run.0").value, moment_of(h).held_out);
    h.press(Key::space);
    EXPECT_TRUE(h.app->context().jobs().text_learning().running());
    h.wait_until([&] { return moment_of(h).report.step >= 6; });
    h.tap("learn.start");
    EXPECT_FALSE(h.app->context().jobs().text_learning().running());
    EXPECT_GT(h.item("learn.progress").value, 0);
    h.tap("learn.reset");
    EXPECT_EQ(moment_of(h).report.step, 0U);
}

TEST(TextLearning, CountsExamplesAloneAndSaysOnceHowManyAStepHas) {
    Harness h(texts("sentiment"));
    h.hover("learn.step");
    h.frame(40);
    EXPECT_EQ(h.item("tooltip").text.substr(0, 24), "One batch of 64 reviews:");
    h.press(Key::period);
    h.wait_until([&] { return moment_of(h).report.seen > 0; });
    h.settle();
    EXPECT_NE(h.item("learn.run.0").text.find("64 reviews"), std::string::npos) << h.item("learn.run.0").text;
    const std::string state = h.item("learn.stage.0").text;
    EXPECT_EQ(state.find("step"), std::string::npos) << state;
    EXPECT_TRUE(state.ends_with(" reviews/s")) << state;
}

TEST(TextLearning, LeavingForPicturesPausesAndTheRunWaits) {
    Harness h(texts());
    h.press(Key::space);
    h.wait_until([&] { return moment_of(h).report.step >= 3; });
    h.tap("learn.subject.pictures");
    EXPECT_FALSE(h.app->context().jobs().text_learning().running());
    const std::uint64_t step = moment_of(h).report.step;
    h.tap("learn.subject.sentiment");
    EXPECT_GE(moment_of(h).report.step, step);
    EXPECT_EQ(text_runs_now(h)[0].stage, RunStage::paused);
}

TEST(TextLearning, EveryChoiceChangesTheRecipeAndBeginsAnew) {
    Harness h(texts("translate"));
    const auto recipe = [&] { return text_runs_now(h)[0].recipe; };
    h.tap("learn.step");
    h.tap("learn.norm.before");
    EXPECT_EQ(recipe().model.norm, Norm::before);
    EXPECT_EQ(moment_of(h).report.step, 0U);
    h.tap("learn.text.positions.none");
    EXPECT_EQ(recipe().model.positions, Positions::none);
    h.tap("learn.text.scaled");
    EXPECT_FALSE(recipe().model.scaled);
    h.tap("learn.text.mask");
    EXPECT_FALSE(recipe().model.causal);
    h.tap("learn.text.names_it");
    EXPECT_FALSE(recipe().model.names_it);
    h.tap("learn.text.heads.1");
    EXPECT_EQ(recipe().model.heads, 1);
    h.tap("learn.optimiser.adamw");
    EXPECT_EQ(recipe().optimiser, Optimiser::adamw);
    EXPECT_NEAR(recipe().learning_rate, 0.003, 1e-6) << "at its own rate";
    h.tap("learn.optimiser.muon");
    EXPECT_NEAR(recipe().learning_rate, static_cast<double>(usual_choice(TextTask::translate).learning_rate.value),
                1e-6);
    h.tap("learn.text.sentences.short");
    EXPECT_EQ(recipe().promised_examples, 12'800U);
    const double rate = recipe().learning_rate;
    h.tap("learn.rate");
    EXPECT_NE(recipe().learning_rate, rate);
    const double chosen = recipe().learning_rate;
    h.change()->learning = parse_learning(to_json(h.app->state().learning));
    h.tap("learn.optimiser.adamw");
    EXPECT_EQ(recipe().learning_rate, chosen) << "which the user has set";
    h.tap("learn.text.to.en");
    EXPECT_EQ(recipe().sentences.to, TextLanguage::english);
    EXPECT_FALSE(h.shows("learn.text.names_it")) << "Japanese has no it";
    EXPECT_EQ(recipe().model.norm, Norm::after) << "another direction is another model, as usual";
}

TEST(TextLearning, TwoRunsStandSideBySideWithChoicesOfTheirOwn) {
    Harness h(texts());
    h.tap("learn.two");
    ASSERT_EQ(text_runs_now(h).size(), 2U);
    EXPECT_TRUE(h.shows("learn.said.1"));
    h.tap("learn.text.positions.none");
    EXPECT_EQ(text_runs_now(h)[0].recipe.model.positions, Positions::sines);
    EXPECT_EQ(text_runs_now(h)[1].recipe.model.positions, Positions::none);
    h.tap("learn.step");
    EXPECT_EQ(moment_of(h, 0).report.step, 1U);
    EXPECT_EQ(moment_of(h, 1).report.step, 1U);
    EXPECT_NE(h.item("learn.run.1").text, h.item("learn.run.0").text);
}

TEST(TextLearning, ChoosingAnExperimentSetsBothRunsUpAndSaysWhatWasMeasured) {
    for (const auto& [task, name] : text_task_names) {
        Harness h(texts(name));
        h.tap("learn.tab.experiments");
        for (const Preset<Texts>& preset : presets<Texts>()) {
            const std::string id = "learn.experiment." + std::string(preset.id);
            EXPECT_EQ(h.shows(id), preset.a.task == task) << id;
            if (preset.a.task != task) continue;
            h.tap(id);
            EXPECT_EQ(experiment_of(text_state_of(h)), &preset);
            ASSERT_EQ(text_runs_now(h).size(), 2U);
            for (std::size_t i = 0; i < 2; ++i)
                EXPECT_EQ(to_json(text_runs_now(h)[i].recipe), to_json(recipes_of(preset, 1)[i])) << preset.id;
            const std::string words = h.item("learn.experiment.words").text;
            const long percent = std::lround(100 * claim_log().figure(std::string(preset.id) + ".b").value);
            EXPECT_NE(words.find(std::to_string(percent) + " %"), std::string::npos) << words;
        }
    }
}

TEST(TextLearning, APaceIsChosenByChipOrKey) {
    Harness h(texts());
    h.tap("learn.text.pace.2");
    EXPECT_EQ(text_state_of(h).pace, 2);
    h.press(Key::plus);
    EXPECT_EQ(text_state_of(h).pace, 10);
    h.press(Key::minus);
    EXPECT_EQ(text_state_of(h).pace, 2);
    h.press(Key::minus);
    EXPECT_EQ(text_state_of(h).pace, 2) << "there is none slower";
    h.tap("learn.text.pace.all");
    EXPECT_EQ(text_state_of(h).pace, 0);
    EXPECT_EQ(text_runs_now(h)[0].stage, RunStage::ready) << "a pace begins nothing";
}

TEST(TextLearning, ATextOfOnesOwnIsTypedAndUnknownWordsAreMarked) {
    Harness h(texts());
    h.tap("learn.text.typed");
    h.type("the zebra was bad");
    h.settle();
    EXPECT_EQ(text_state_of(h).typed, "the zebra was bad");
    EXPECT_NE(h.item("learn.text.unknown").text.find("zebra"), std::string::npos);
    ASSERT_EQ(moment_of(h).said.size(), text_samples(TextTask::sentiment, TextLanguage::japanese).size() + 1);
    EXPECT_EQ(text_state_of(h).sample, static_cast<int>(moment_of(h).said.size()) - 1);
    EXPECT_TRUE(h.shows("learn.said.0.key.2")) << "its words are drawn";
    EXPECT_EQ(moment_of(h).report.step, 0U) << "letters are no commands";
}

TEST(TextLearning, ATextThatIsTooLongIsShownFromTheStartOfAWord) {
    Harness h(texts("translate"));
    int shortened = 0;
    for (const TextSample& sample : text_samples(TextTask::translate, TextLanguage::japanese)) {
        const std::string shown = h.item("learn.text.sample." + sample.name).text;
        if (shown == sample.source) continue;
        ASSERT_TRUE(shown.starts_with("… ")) << shown;
        EXPECT_TRUE(sample.source.ends_with(shown.substr(std::string("…").size()))) << shown;
        ++shortened;
    }
    EXPECT_GT(shortened, 0);
}

TEST(TextLearning, InANarrowLectureTheTitleIsNotCoveredByTheSubjects) {
    for (const float width : {1920.0F, 860.0F}) {
        Harness h(texts("translate"), {width, 720});
        begin_lecture(h);
        EXPECT_EQ(h.shows("learn.subject.pictures"), width > 1000) << width;
        EXPECT_TRUE(h.shows("stage.heading"));
    }
}

TEST(TextLearning, AClickOnATextLooksAtItClosely) {
    Harness h(texts("translate"));
    ASSERT_TRUE(h.shows("learn.text.0.0"));
    h.tap("learn.text.0.0");
    EXPECT_EQ(text_state_of(h).sample, 0);
    EXPECT_TRUE(h.shows("learn.said.0.key.4"));
    EXPECT_FALSE(h.shows("learn.said.0.key.9")) << "This is a pen . and the end";
    h.tap("learn.text.sample.tired");
    EXPECT_TRUE(h.shows("learn.said.0.key.9"));
}

TEST(TextLearning, ScrubsBackThroughKeptMoments) {
    Harness h(texts());
    for (int i = 0; i < 5; ++i) h.press(Key::period);
    h.press(Key::left);
    ASSERT_TRUE(text_learning_of(h).scrub);
    h.change()->learning.scrub = 0.0F;
    h.frame(3);
    EXPECT_EQ(text_runs_now(h)[0].at(text_learning_of(h).scrub)->report.step, 0U);
    h.press(Key::end);
    EXPECT_FALSE(text_learning_of(h).scrub);
    EXPECT_EQ(text_runs_now(h)[0].at({})->report.step, 5U);
}

TEST(TextLearning, ReviewsComeRightAndTheFigureSaysSo) {
    Harness h(texts());
    h.press(Key::space);
    h.wait_until([&] { return text_runs_now(h)[0].stage == RunStage::done; });
    h.frame(3);
    EXPECT_GT(moment_of(h).held_out, 0.9);
    EXPECT_GT(h.item("learn.held_out.0").value, 0.9);
    EXPECT_GT(h.item("learn.aligned.0").value, 0.1) << "[CLS] looks at what decides";
    int right = 0;
    for (const SaidText& said : moment_of(h).said) right += said.right ? 1 : 0;
    EXPECT_GE(right, 8);
}

TEST(TextLearning, ARunIsSavedAsAFolderThatOpensAgain) {
    const TestFolder own;
    const fs::path home = own / "models";
    Opening opening = texts("story");
    opening.state.settings.model_folder = home.string();
    Harness h(std::move(opening));
    h.tap("learn.step");
    h.hover("learn.text.words");
    h.input.wheel(0, -100);  // to the panel's end, where the button is
    h.frame(5);
    h.tap("learn.save.0");
    EXPECT_NE(h.item("learn.told").text.find(home.string()), std::string::npos);
    const TextModel model = load_text_model(home / "story-a-64");
    EXPECT_EQ(model.task, TextTask::story);
    EXPECT_EQ(model.weights.generator.weight(0), moment_of(h).model->weights.generator.weight(0));
}

TEST(TextLearning, IsFoundByTyping) {
    Harness h;
    h.press(Key::k, Key::ctrl);
    h.type("experiment: mask");
    h.press(Key::enter);
    EXPECT_EQ(h.app->state().room, "learn");
    EXPECT_EQ(experiment_of(text_state_of(h)), preset_named<Texts>("mask"));
}

TEST(TextLearning, IsReadableInAnyLanguageAndKeepsItsControlsInReach) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening opening = texts("translate");
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            for (const char* const runs : {"translate", "sentiment", "story", "mask", "review_positions"}) {
                h.app->ask(command::WatchLearning{runs});
                h.settle();
                h.press(Key::period);
                h.frame(5);
                h.expect_readable(language + ", " + runs + " at " + std::to_string(size.x));
                EXPECT_TRUE(h.item("learn.subject.story").visible);
                EXPECT_TRUE(h.item("learn.said.0").visible);
            }
        }
}

}  // namespace
}  // namespace vitrine
