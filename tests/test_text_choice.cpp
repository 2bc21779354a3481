#include <gtest/gtest.h>

#include <set>

#include "app/rooms/learning/learning_state.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/training/presets.h"
#include "core/training/text/text_recipe.h"
#include "core/training/trainer.h"

// What can be chosen of a text Transformer that learns, its experiments, and how both are kept in words.

namespace vitrine {
namespace {

TEST(TextChoice, OfATaskIsItsMeasuredRecipe) {
    for (const auto& [task, name] : text_task_names) {
        const TextRecipe usual = standard_text_recipe(task, TextLanguage::japanese);
        TextRecipe chosen = recipe_of(usual_choice(task));
        EXPECT_NEAR(chosen.learning_rate, usual.learning_rate, 1e-8);
        chosen.learning_rate = usual.learning_rate;
        chosen.promised_examples = usual.promised_examples;
        EXPECT_EQ(to_json(chosen), to_json(usual)) << name;
    }
}

TEST(TextChoice, IsKeptInWordsAndOtherWordsAreRefused) {
    TextChoice c = usual_choice(TextTask::translate, TextLanguage::english);
    c.norm = Norm::before;
    c.positions = Positions::learned;
    c.scaled = c.causal = c.names_it = false;
    c.heads = 8;
    c.blocks = 3;
    c.optimiser = Optimiser::adamw;
    c.learning_rate = 0.003F;
    c.sentences = 640;
    EXPECT_EQ(text_choice_from_json(to_json(c)), c);
    EXPECT_EQ(text_choice_from_json(R"({"task": "story"})"), usual_choice(TextTask::story)) << "the rest is as usual";
    for (const char* const words :
         {"", "[]", "3", R"({"task": "dance"})", R"({"heads": 3})", R"({"heads": 0})", R"({"blocks": 99})",
          R"({"learning_rate": 2})", R"({"sentences": 0})", R"({"norm": 1})", R"({"positions": "none at all"})"})
        EXPECT_THROW(text_choice_from_json(words), Error) << words;
}

TEST(TextChoice, ARateSetByHandOutlastsItsWordsAndAnotherOptimiser) {
    LearningState state;
    state.choices[0].learning_rate = ChosenRate(0.02F, true);
    state.text.choices[0].learning_rate = ChosenRate(0.02F, true);
    state.text.keep_own();
    LearningState again = parse_learning(to_json(state));
    ASSERT_TRUE(again.text.kept);
    for (const ChosenRate& rate : {again.choices[0].learning_rate, again.text.choices[0].learning_rate,
                                   again.text.kept->choices[0].learning_rate}) {
        EXPECT_EQ(rate.value, 0.02F);
        EXPECT_TRUE(rate.by_user);
    }
    EXPECT_FALSE(again.choices[1].learning_rate.by_user) << "nobody has set that one";
    EXPECT_FALSE(again.text.choices[1].learning_rate.by_user);
    for (const Optimiser optimiser : {Optimiser::adamw, Optimiser::muon}) {
        choose_optimiser(again.choices[0], optimiser);
        choose_optimiser(again.text.choices[0], optimiser);
        EXPECT_EQ(again.choices[0].learning_rate.value, 0.02F);
        EXPECT_EQ(again.text.choices[0].learning_rate.value, 0.02F);
    }
    choose_optimiser(again.choices[1], Optimiser::adamw);
    choose_optimiser(again.text.choices[1], Optimiser::adamw);
    EXPECT_EQ(again.choices[1].learning_rate.value, 0.002F);
    EXPECT_EQ(again.text.choices[1].learning_rate.value, 0.003F);
}

TEST(TextPresets, DifferInWhatTheyAreAboutAndCanAllBeLearned) {
    std::set<std::string> ids;
    for (const Preset<Texts>& preset : presets<Texts>()) {
        EXPECT_TRUE(ids.insert(preset.id).second);
        EXPECT_EQ(preset_named<Pictures>(preset.id), nullptr) << "an experiment of pictures has this name";
        EXPECT_EQ(preset.a.task, preset.b.task);
        EXPECT_EQ(preset.a.sentences, preset.b.sentences) << "both end together";
        EXPECT_EQ(preset_named<Texts>(preset.id), &preset);
        const auto recipes = recipes_of(preset, 3);
        EXPECT_NE(to_json(recipes[0]), to_json(recipes[1])) << preset.id;
        for (const TextRecipe& r : recipes) {
            EXPECT_NO_THROW(check(r)) << preset.id;
            EXPECT_EQ(r.seed, 3U);
            EXPECT_TRUE(r.promised_examples);
        }
    }
    EXPECT_EQ(preset_named<Texts>("none"), nullptr);
}

TEST(TextLearningState, KeepsTextsBesidePicturesInWords) {
    LearningState state;
    choose_runs(state, "skips");
    state.choose_subject(TextTask::sentiment);
    state.text.type("the hotel was not bad");
    state.text.pace = 40;
    state.text.two = true;
    state.text.choices[1].heads = 1;
    const LearningState again = parse_learning(to_json(state));
    EXPECT_EQ(again, state);
    EXPECT_TRUE(again.texts);
    EXPECT_EQ(again.choices[1].skips, false) << "the runs of pictures stay chosen";
}

TEST(TextLearningState, WordsFromBeforeThereWereTextsAreOfPictures) {
    LearningState state;
    std::string words = to_json(state);
    const std::size_t at = words.find(",\"texts\"");
    ASSERT_NE(at, std::string::npos);
    words = words.substr(0, at) + "}";
    EXPECT_EQ(parse_learning(words), state);
}

TEST(TextLearningState, ANameSetsUpATaskOrAnExperiment) {
    for (const std::string& name : runs_to_choose()) {
        LearningState state;
        choose_runs(state, name);
        const bool text = preset_named<Texts>(name) != nullptr || value_in(text_task_names, name).has_value();
        EXPECT_EQ(state.texts, text) << name;
        EXPECT_EQ(experiment_of(state.text), preset_named<Texts>(name)) << name;
        EXPECT_EQ(experiment_of(state), preset_named<Pictures>(name)) << name;
    }
    LearningState state;
    choose_runs(state, "mask");
    choose_runs(state, "plain");
    EXPECT_FALSE(state.texts);
}

TEST(TextLearningState, AnotherTaskForgetsWhatWasTypedTheSameKeepsItsRuns) {
    LearningState state;
    state.choose_subject(TextTask::translate);
    state.text.choices[0].scaled = false;
    state.text.type("the cat");
    state.choose_subject({});
    EXPECT_FALSE(state.texts);
    state.choose_subject(TextTask::translate);
    EXPECT_FALSE(state.text.choices[0].scaled);
    EXPECT_EQ(state.text.typed, "the cat");
    state.choose_subject(TextTask::story);
    EXPECT_TRUE(state.text.typed.empty());
    EXPECT_EQ(state.text.choices[0], usual_choice(TextTask::story));
}

TEST(TextLearningState, TypedWordsAreCutAtWholeLetters) {
    for (std::string words : {"", "a"}) {  // one of both would be cut within a letter
        while (words.size() <= most_typed) words += "\u00e9";
        TextLearningState state;
        state.type(words);
        EXPECT_GE(state.typed.size() + 1, most_typed);
        EXPECT_LE(state.typed.size(), most_typed);
        EXPECT_EQ(as_utf8(state.typed), state.typed);
    }
}

TEST(TextLearningState, SamplesThatAreNotThereAreNotChosen) {
    TextLearningState state;
    state.sample = 999;
    EXPECT_LT(text_learning_from_json(to_json(state)).sample, 999);
    state.typed = std::string(10'000, 'a');
    EXPECT_EQ(text_learning_from_json(to_json(state)).typed.size(), most_typed);
    EXPECT_THROW(text_learning_from_json("[]"), Error);
    EXPECT_THROW(text_learning_from_json(R"({"choices": [{"task": "story"}, {}], "two": true})"), Error);
}

}  // namespace
}  // namespace vitrine
