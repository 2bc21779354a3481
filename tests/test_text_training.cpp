#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/denormals.h"
#include "core/base/error.h"
#include "core/base/team.h"
#include "core/text/decoding.h"
#include "core/text/text_checkpoint.h"
#include "core/text/text_forward.h"
#include "core/training/head_tally.h"
#include "core/training/runs/run_file.h"
#include "core/training/text/text_evaluation.h"
#include "core/training/text/text_score.h"
#include "core/vit/flat_weights.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/text_runs.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

constexpr TextTask learned_tasks[] = {TextTask::translate, TextTask::sentiment, TextTask::story};

TextModel bundled(const char* name) { return load_text_model(fs::path(VITRINE_SOURCE) / "assets/text_models" / name); }

// ---- denormal numbers -----------------------------------------------------------------------------------------------

/// Half of the smallest normal number, computed where the compiler cannot.
float half_of_the_smallest() {
    volatile float smallest = std::numeric_limits<float>::min();
    volatile float half = smallest / 2;
    return half;
}

TEST(Denormals, AreZeroWhileTheyAreFlushed) {
    EXPECT_NE(half_of_the_smallest(), 0.0F);
    {
        const FlushDenormals flush;
        EXPECT_EQ(half_of_the_smallest(), 0.0F);
    }
    EXPECT_NE(half_of_the_smallest(), 0.0F);
}

// ---- recipe ---------------------------------------------------------------------------------------------------------

TEST(TextRecipe, TheRateRisesStraightAndFallsAlongACosineToOneHundredth) {
    const TextRecipe r = standard_text_recipe(TextTask::translate, TextLanguage::japanese);
    EXPECT_NEAR(learning_rate_at(r, r.warm_up), r.learning_rate, 1e-12);
    EXPECT_NEAR(learning_rate_at(r, r.warm_up / 2), r.learning_rate / 2, 0.001 * r.learning_rate);
    EXPECT_NEAR(learning_rate_at(r, 1), r.learning_rate * 0.01, 1e-9);
}

TEST(TextRecipe, GoesThroughJsonAndRefusesWhatCannotBeLearned) {
    for (const TextTask task : learned_tasks) {
        TextRecipe r = small_text_recipe(task, TextLanguage::english);
        r.sentences.seed = 7;
        r.optimiser = Optimiser::adamw;
        r.label_smoothing = 0.1;
        r.promised_seconds = 12;
        const TextRecipe back = text_recipe_from_json(to_json(r), "test");
        EXPECT_EQ(to_json(back), to_json(r));
        EXPECT_TRUE(is_text_recipe(to_json(r)));
    }
    for (const char* const text : {"", "[]", "{}", "{\"task\": \"translate\"}", "{\"task\": 3}"})
        EXPECT_THROW(text_recipe_from_json(text, "test"), Error) << text;
    EXPECT_THROW(text_recipe_from_json(std::string(100'000, '['), "test"), Error);
    EXPECT_FALSE(is_text_recipe(R"({"scenes": "pictograms"})"));
    const auto refused = [](auto change) {
        TextRecipe wrong = small_text_recipe(TextTask::translate);
        change(wrong);
        EXPECT_THROW(check(wrong), Error);
    };
    refused([](TextRecipe& w) { w.model.heads = 3; });
    refused([](TextRecipe& w) { w.model.decoder_blocks = 0; });
    refused([](TextRecipe& w) { w.model.longest = 4; });
    refused([](TextRecipe& w) { w.sentences.task = TextTask::story; });
    refused([](TextRecipe& w) { w.batch = 0; });
    refused([](TextRecipe& w) { w.learning_rate = -1; });
    refused([](TextRecipe& w) { w.label_smoothing = 1; });
    refused([](TextRecipe& w) { w.it_weight = -1; });
    refused([](TextRecipe& w) { w.promised_examples = 0; });
}

// ---- trainer --------------------------------------------------------------------------------------------------------

TEST(TextTrainer, TheSameRecipeAndThreadsGiveTheSameBits) {
    for (const TextTask task : learned_tasks)
        for (const int threads : {1, 2, 3}) {
            Trainer<Texts> a(small_text_recipe(task), {threads, 0}), b(small_text_recipe(task), {threads, 0});
            take_steps(a, 6);
            take_steps(b, 6);
            EXPECT_EQ(values_of(a.parameters()), values_of(b.parameters())) << name_of(task);
        }
}

TEST(TextTrainer, AnyNumberOfThreadsSeesTheSameGradientButForRounding) {
    for (const TextTask task : learned_tasks) {
        Trainer<Texts> one(small_text_recipe(task), {1, 0}), three(small_text_recipe(task), {3, 0});
        take_steps(one, 1);
        take_steps(three, 1);
        const std::vector<float> a = values_of(one.gradients()), b = values_of(three.gradients());
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5) << name_of(task);
    }
}

TEST(TextTrainer, TheLossIsThatOfChanceAtFirstAndFalls) {
    for (const TextTask task : learned_tasks) {
        TextRecipe r = small_text_recipe(task);
        r.batch = 32;
        r.promised_examples = 32 * 60;
        Trainer<Texts> trainer(r, {2, 0});
        const StepReport first = trainer.step(trainer.progress());
        EXPECT_NEAR(first.loss, std::log(trainer.model().config.outputs()), 1e-4) << "the generator begins with zeros";
        EXPECT_EQ(first.seen, 32U);
        StepReport last;
        while (trainer.progress() < 1) last = trainer.step(trainer.progress());
        if (task != TextTask::sentiment) {  // which stays at chance for longer
            EXPECT_LT(last.loss, 0.75 * first.loss) << name_of(task);
        }
        EXPECT_GT(last.gradient_norm, 0);
    }
}

TEST(TextTrainer, TheAuxiliaryHeadLearnsOnlyWhereItIsAskedFor) {
    TextRecipe r = small_text_recipe(TextTask::translate);
    r.batch = 32;
    Trainer<Texts> asked(r, {1, 0});
    EXPECT_GT(asked.step(0.5).it_loss, 0);
    r.model.names_it = false;
    Trainer<Texts> unasked(r, {1, 0});
    EXPECT_EQ(unasked.step(0.5).it_loss, 0);
}

TEST(TextTrainer, WhatItHandsOutStaysAsItWas) {
    Trainer<Texts> trainer(small_text_recipe(TextTask::story), {1, 0});
    take_steps(trainer, 1);
    const TextModel before = trainer.model();
    const float number = *parameters_of(before.weights).front().parameter.data();
    take_steps(trainer, 3);
    EXPECT_EQ(*parameters_of(before.weights).front().parameter.data(), number);
    EXPECT_NE(*parameters_of(trainer.model().weights).front().parameter.data(), number);
}

class TextRunFolder : public ::testing::Test {
protected:
    const TestFolder own;
    const fs::path folder = own.path();
};

TEST_F(TextRunFolder, AStoppedRunGoesOnWithTheSameBits) {
    for (const TextTask task : learned_tasks) {
        Trainer<Texts> undisturbed(small_text_recipe(task), {2, 0});
        take_steps(undisturbed, 9);
        {
            Trainer<Texts> first(small_text_recipe(task), {2, 0});
            take_steps(first, 4);
            save_run(folder, first, {.threads = 2, .seconds = 1.5, .running_loss = 2.25});
        }
        ASSERT_TRUE(holds_text_run(folder));
        const auto resumed = resume_run<Texts>(folder);
        EXPECT_EQ(resumed.progress.steps, 4U);
        EXPECT_EQ(resumed.progress.seconds, 1.5);
        EXPECT_EQ(resumed.trainer->seen(), 4U * 8);
        take_steps(*resumed.trainer, 5);
        EXPECT_EQ(values_of(resumed.trainer->parameters()), values_of(undisturbed.parameters())) << name_of(task);
    }
}

TEST_F(TextRunFolder, HostileCheckpointsAreRefusedWithASentence) {
    const auto refused = [&](const std::map<std::string, std::string>& metadata) {
        const float number = 0;
        write_safetensors(folder / "training.safetensors", std::vector<NamedTensor>{{"parameters", {1}, &number}},
                          {.half = false, .metadata = metadata});
        try {
            resume_run<Texts>(folder);
            ADD_FAILURE() << "it was taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("training.safetensors"), std::string::npos) << error.what();
        }
    };
    const std::string recipe = to_json(small_text_recipe(TextTask::sentiment));
    const char* const progress = R"({"steps":1,"threads":1,"seconds":1,"running_loss":1})";
    refused({});
    refused({{"recipe", "{"}, {"run", progress}});
    refused({{"recipe", recipe}, {"run", "{}"}});
    refused({{"recipe", recipe}, {"run", std::string(100'000, '[')}});
    refused({{"recipe", recipe}, {"run", R"({"steps":1,"threads":0,"seconds":1,"running_loss":1})"}});
    refused({{"recipe", recipe}, {"run", progress}});
}

// ---- scores ---------------------------------------------------------------------------------------------------------

TEST(TextScore, AMaskedTranslationIsRightUnderTeacherForcingExactlyWhereGreedyDecodingGivesIt) {
    TextRecipe r = small_text_recipe(TextTask::translate);
    r.model.embedding_dim = 32;
    r.batch = 32;
    r.promised_examples = 32 * 150;
    Trainer<Texts> trainer(r, {2, 0});
    while (trainer.progress() < 1) trainer.step(trainer.progress());
    const TextModel model = trainer.model();
    const std::vector<TextExample> examples = draw_examples({r.sentences, TextStream::held_out, 0}, 0, 60);
    TextBatch begun = text_batch(model, examples);
    begun.target = {};
    for (std::size_t i = 0; i < examples.size(); ++i) begun.target.add(std::vector{bos_id});
    const std::vector<std::vector<int>> said = decode_greedily(model, std::move(begun));
    const std::vector<TextScore> scores = scores_of(model, examples);
    for (std::size_t i = 0; i < examples.size(); ++i)
        EXPECT_EQ(scores[i].right == 1, said[i] == model.target.ids(examples[i].target)) << i;
}

TEST(TextScore, NoNumberOfThreadsChangesIt) {
    const TextModel model = untrained_text_model(small_text_recipe(TextTask::sentiment));
    Team one(1), three(3);
    const ScoredStream stream{{TextTask::sentiment, TextLanguage::english, 4}, TextStream::fresh, 100};
    const TextScore a = score(model, stream, one), b = score(model, stream, three);
    EXPECT_EQ(a.asked, 100);
    EXPECT_EQ(a.right, b.right);
}

TEST(HeadTally, FindsTheHeadThatLooksWhereItShould) {
    HeadTally tally;
    Tensor3 attention = tensor3(4, 2, 3);  // two sentences of two heads
    const float rows[4][3] = {{0.8F, 0.1F, 0.1F}, {0.1F, 0.2F, 0.7F}, {0.5F, 0.3F, 0.2F}, {0.2F, 0.2F, 0.6F}};
    for (std::size_t h = 0; h < 4; ++h) std::copy_n(rows[h], 3, &attention(h, 1, 0));
    const int key = 2;
    for (const std::size_t sentence : {0U, 1U}) tally.add(1, attention, 2, {sentence, 1, {&key, 1}});
    const TalliedHead found = tally.best();
    EXPECT_EQ(found.block, 1);
    EXPECT_EQ(found.head, 1);
    EXPECT_EQ(found.count, 2);
    EXPECT_EQ(found.share, 1);
    EXPECT_NEAR(found.mass, 0.65, 1e-6);
    EXPECT_NEAR(tally.mass(1, 0), 0.15, 1e-6);
    EXPECT_EQ(HeadTally().best().count, 0);
}

// ---- evaluation -----------------------------------------------------------------------------------------------------

TEST(TextEvaluation, NoNumberOfThreadsChangesAFigure) {
    for (const TextTask task : learned_tasks) {
        const TextModel model = untrained_text_model(small_text_recipe(task));
        const TextEvaluation a = evaluate(model, {.count = 100, .seed = 2, .threads = 1});
        const TextEvaluation b = evaluate(model, {.count = 100, .seed = 2, .threads = 3});
        EXPECT_EQ(a.held_out.right, b.held_out.right);
        EXPECT_EQ(a.perplexity, b.perplexity);
        EXPECT_EQ(a.it ? a.it->head.mass : 0, b.it ? b.it->head.mass : 0);
        EXPECT_EQ(a.class_token ? a.class_token->deciding.mass : 0, b.class_token ? b.class_token->deciding.mass : 0);
    }
}

TEST(TextEvaluation, AsksAboutItInTwoFifthsOfTheSentencesAtLeast) {
    const TextModel model = untrained_text_model(small_text_recipe(TextTask::translate));
    const TextEvaluation e = evaluate(model, {.count = 100});
    ASSERT_TRUE(e.it);
    EXPECT_GE(e.it->head.count, 40);
    EXPECT_EQ(e.held_out.asked, 100) << "those that are added for it count nowhere else";
    EXPECT_FALSE(
        evaluate(untrained_text_model(small_text_recipe(TextTask::translate, TextLanguage::english)), {.count = 50}).it)
        << "Japanese says no \"it\"";
}

/// A mask is what makes the loss of a decoder mean something.
TEST(TextEvaluation, WithoutAMaskTheLossFallsAndNothingComesOutRight) {
    TextRecipe r = small_text_recipe(TextTask::translate);
    r.model.embedding_dim = 32;
    r.model.causal = false;
    r.batch = 32;
    r.promised_examples = 32 * 150;
    Trainer<Texts> trainer(r, {2, 0});
    StepReport last;
    while (trainer.progress() < 1) last = trainer.step(trainer.progress());
    EXPECT_LT(last.loss, 0.8);
    EXPECT_LT(trainer.accuracy(100), 0.05);
}

// ---- the bundled models ---------------------------------------------------------------------------------------------

constexpr const char* bundled_names[] = {"translate-en-ja", "translate-ja-en", "sentiment", "story"};

TEST(TextModels, AreAsGoodOnOtherExamplesAsTheirEvaluationsSay) {
    for (const char* const name : bundled_names) {
        const TextModel model = bundled(name);
        const TextEvaluation e = evaluate(model, {.count = 600, .seed = 77, .threads = 2});
        EXPECT_GE(e.held_out.share(), 0.985) << name;
        EXPECT_GE(e.fresh.share(), 0.985) << name;
        if (e.alignment) {
            EXPECT_GE(e.alignment->nouns.share(), 0.985) << name;
            EXPECT_GE(e.alignment->content_words.share(), 0.94) << name;
        }
        if (e.it) {
            EXPECT_GE(e.it->head.share, 0.72) << name;
            EXPECT_GT(e.it->head.mass, 2 * e.it->other_mass) << name;
        }
        if (e.class_token) {
            EXPECT_GT(e.class_token->deciding.mass, 2 * e.class_token->idle_mass);
            EXPECT_LT(*e.bag_of_words, 0.65) << "words without their order tell little";
        }
        if (model.task == TextTask::story) {
            EXPECT_GE(e.far.at(FarKind::object).head.share, 0.98);
        }
    }
}

TEST(TextModels, TheirEvaluationsReachWhatIsPromised) {
    const auto evaluation = [](const char* name) {
        const nlohmann::json j =
            nlohmann::json::parse(read(fs::path(VITRINE_SOURCE) / "assets/text_models" / name / "evaluation.json"));
        EXPECT_GE(j.at("count"), 5000) << name;
        EXPECT_GE(j.at("accuracy"), 0.99) << name;
        EXPECT_GE(j.at("fresh"), 0.99) << name;
        return j;
    };
    for (const char* const name : {"translate-en-ja", "translate-ja-en"}) {
        EXPECT_GE(evaluation(name).at("nouns"), 0.99) << name;
        EXPECT_GE(evaluation(name).at("content_words"), 0.95) << name;
    }
    const nlohmann::json it = evaluation("translate-en-ja").at("it");
    EXPECT_GE(it.at("count"), 2000);
    EXPECT_GE(it.at("accuracy"), 0.75);
    evaluation("sentiment");
    EXPECT_GE(evaluation("story").at("induction").at("accuracy"), 0.99);
}

}  // namespace
}  // namespace vitrine
