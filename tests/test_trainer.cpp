#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <numbers>
#include <set>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/team.h"
#include "core/tensor/matmul.h"
#include "core/training/evaluation.h"
#include "core/training/optimiser.h"
#include "core/training/picture_queue.h"
#include "core/training/pixels.h"
#include "core/training/recipe.h"
#include "core/training/runs/run_file.h"
#include "core/training/trainer.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/forward.h"
#include "tests/small_model.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

/// Small and quick: 16 patches, two blocks.
Recipe small_recipe() {
    Recipe r = standard_recipe();
    r.model.image_height = r.model.image_width = 32;
    r.model.embedding_dim = 16;
    r.model.heads = r.model.blocks = 2;
    r.model.mlp_dim = 24;
    r.batch = 8;
    r.promised_examples = 160;
    return r;
}

std::vector<float> values_of(const FlatWeights& w) { return {w.values().begin(), w.values().end()}; }

void take_steps(Trainer<Pictures>& trainer, int steps) {
    for (int i = 0; i < steps; ++i) trainer.step(trainer.progress());
}

class RunFolder : public ::testing::Test {
protected:
    const TestFolder own;
    const fs::path folder = own.path();
};

// ---- optimisers -----------------------------------------------------------------------------------------------------

TEST(Optimiser, OrthogonaliseBringsAllSingularValuesNearOne) {
    Random random(3);
    for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{12, 12}, {20, 8}, {8, 20}}) {
        std::vector<float> x(rows * columns);
        for (float& v : x) v = random.normal();
        orthogonalise(x.data(), rows, columns);
        // The smaller Gram matrix has its eigenvalues, squares of singular values, on average near 1.
        const bool tall = rows > columns;
        const std::size_t n = std::min(rows, columns);
        double trace = 0;
        for (const float v : x) trace += static_cast<double>(v) * static_cast<double>(v);
        EXPECT_NEAR(trace / static_cast<double>(n), 0.9, 0.25);
        std::vector<float> gram(n * n);
        const MatrixView view{x.data(), rows, columns, columns};
        multiply({.a = view,
                  .b = view,
                  .transpose_a = tall ? Transpose::yes : Transpose::no,
                  .transpose_b = tall ? Transpose::no : Transpose::yes},
                 gram.data());
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_LT(std::abs(gram[i * n + j]), 0.35) << "rows stand upright on one another";
    }
}

TEST(Optimiser, TheFirstStepOfAdamWMovesEveryNumberByTheLearningRateAgainstItsGradient) {
    Recipe r = small_recipe();
    FlatWeights weights(r.model), gradients(r.model);
    OptimiserState state(r.model);
    Random random(4);
    for (float& g : gradients.values()) g = random.normal();
    for (const UpdatePart& part : update_parts(weights, Optimiser::adamw)) {
        EXPECT_FALSE(part.muon);
        update(part, {.learning_rate = 0.01, .weight_decay = 0, .gradient_scale = 1, .step = 1}, weights, gradients,
               state);
    }
    for (std::size_t i = 0; i < weights.values().size(); ++i) {
        const float g = gradients.values()[i];
        if (std::abs(g) > 1e-3F) {
            EXPECT_NEAR(weights.values()[i], g > 0 ? -0.01F : 0.01F, 1e-5F);
        }
    }
}

TEST(Optimiser, MuonTakesTheBlocksMatricesAndOnlyMatricesDecay) {
    const FlatWeights weights(small_recipe().model);
    std::size_t muon = 0, covered = 0;
    for (const UpdatePart& part : update_parts(weights, Optimiser::muon)) {
        muon += part.muon ? 1 : 0;
        covered += part.rows * part.columns;
        EXPECT_TRUE(!part.muon || part.decays);
        EXPECT_TRUE(!part.decays || part.columns > 1);
    }
    EXPECT_EQ(muon, 2U * 6);
    EXPECT_EQ(covered, weights.values().size()) << "every number is updated once";
}

TEST(Optimiser, WhatATokenBeginsWithAndWhereItStandsDoNotDecay) {
    const FlatWeights weights(small_recipe().model);
    std::size_t seen = 0;
    for (const UpdatePart& part : update_parts(weights, Optimiser::adamw))
        for (const Parameter* const rows : {&weights.weights().leading, &weights.weights().position})
            if (part.offset == weights.offset_of(*rows)) {
                EXPECT_FALSE(part.decays);
                ++seen;
            }
    EXPECT_EQ(seen, 2U);
}

// ---- recipe ---------------------------------------------------------------------------------------------------------

TEST(Recipe, TheRateRisesStraightAndFallsAlongACosineToOneTwoHundredth) {
    const Recipe r = standard_recipe();
    EXPECT_NEAR(learning_rate_at(r, r.warm_up), r.learning_rate, 1e-12);
    EXPECT_NEAR(learning_rate_at(r, r.warm_up / 2), r.learning_rate / 2, 0.001 * r.learning_rate);
    EXPECT_NEAR(learning_rate_at(r, (1 + r.warm_up) / 2), r.learning_rate * 0.5025, 1e-6);
    EXPECT_NEAR(learning_rate_at(r, 1), r.learning_rate * 0.005, 1e-9);
}

TEST(Recipe, GoesThroughJsonAndRefusesWhatCannotBeTrained) {
    Recipe r = small_recipe();
    r.model.norm = Norm::after;
    r.model.skips = false;
    r.model.activation = Activation::elu;
    r.pictures = {7, Difficulty::hard, true};
    r.model.labels = picture_classes(true);
    r.model.classes = 15;
    r.dropout = 0.1;
    r.distinct_pictures = 64;
    const Recipe back = recipe_from_json(to_json(r), "test");
    EXPECT_EQ(to_json(back), to_json(r));
    EXPECT_EQ(back.model.classes, 15);
    EXPECT_EQ(back.distinct_pictures, 64U);
    for (const char* const text : {"", "[]", "{}", "{\"image_size\": 64}"})
        EXPECT_THROW(recipe_from_json(text, "test"), Error);
    const auto refused = [](auto change) {
        Recipe wrong = small_recipe();
        change(wrong);
        EXPECT_THROW(check(wrong), Error);
    };
    refused([](Recipe& w) { w.model.patch_size = 7; });
    refused([](Recipe& w) { w.model.heads = 3; });
    refused([](Recipe& w) { w.batch = 0; });
    refused([](Recipe& w) { w.dropout = 1; });
    refused([](Recipe& w) { w.distinct_pictures = 0; });
    refused([](Recipe& w) { w.learning_rate = -1; });
}

TEST(Recipe, AnUntrainedModelKnowsNothingAndItsPositionsFormAGrid) {
    const Model model = untrained_model(standard_recipe());
    const DrawnPicture p = draw_picture({{1, Difficulty::normal, false}, 0, 64, {}});
    const Trace trace = forward(model, normalised({p.image.rgb.data()}, model));
    for (const float probability : trace.head->probabilities)
        EXPECT_NEAR(probability, 1.0 / 13, 1e-6) << "a classifier of zeros";
    EXPECT_NE(model.weights.position(1, 0), model.weights.position(2, 0));
}

// ---- trainer --------------------------------------------------------------------------------------------------------

TEST(Trainer, TheSameRecipeAndThreadsGiveTheSameBits) {
    Trainer<Pictures> a(small_recipe(), {2, 0}), b(small_recipe(), {2, 0});
    take_steps(a, 8);
    take_steps(b, 8);
    EXPECT_EQ(values_of(a.parameters()), values_of(b.parameters()));
    Recipe other = small_recipe();
    other.seed = 2;
    Trainer<Pictures> c(other, {2, 0});
    take_steps(c, 8);
    EXPECT_NE(values_of(a.parameters()), values_of(c.parameters()));
}

TEST(Trainer, OneThreadAndThreeAgreeUpToRounding) {
    Trainer<Pictures> one(small_recipe(), {1, 0}), three(small_recipe(), {3, 0});
    const StepReport a = one.step(0.5), b = three.step(0.5);
    EXPECT_NEAR(a.loss, b.loss, 1e-5);
    EXPECT_NEAR(a.gradient_norm, b.gradient_norm, 1e-4 * a.gradient_norm);
    EXPECT_EQ(a.accuracy, b.accuracy);
}

TEST(Trainer, LearnsWithEveryVariantThatIsOffered) {
    std::vector<Recipe> recipes(7, small_recipe());
    recipes[1].model.norm = Norm::after;
    recipes[2].model.positions = Positions::none;
    recipes[3].model.activation = Activation::relu;
    recipes[4].model.activation = Activation::elu;
    recipes[5].dropout = 0.1;
    recipes[6].optimiser = Optimiser::adamw;
    for (Recipe& r : recipes) {
        SCOPED_TRACE(to_json(r));
        r.pictures.difficulty = Difficulty::easy;
        constexpr int steps = 250;
        r.model.embedding_dim = 32;
        r.model.mlp_dim = 64;
        r.batch = 32;
        r.promised_examples = 32 * steps;
        r.learning_rate = r.optimiser == Optimiser::adamw ? 3e-3 : 1e-2;
        Trainer<Pictures> trainer(r, {2, 0});
        double first = 0, last = 0;
        for (int i = 0; i < steps; ++i) {
            const double loss = trainer.step(trainer.progress()).loss;
            if (i < 10) first += loss / 10;
            if (i >= steps - 20) last += loss / 20;
        }
        EXPECT_NEAR(first, std::log(13.0), 0.2) << "it begins by guessing";
        EXPECT_LT(last, first - 0.08) << "who goes on guessing stays within 0.02 of it";
    }
}

/// Gives head 1 of every block the weights of head 0.
void make_heads_equal(FlatWeights& w, const Config& c) {
    const auto dim = static_cast<std::size_t>(c.embedding_dim), d = dim / static_cast<std::size_t>(c.heads);
    for (const BlockWeights& block : w.weights().blocks) {
        for (const LinearWeights* const in : {&block.query, &block.key, &block.value}) {
            float *const weight = w.at(in->weight), *const bias = w.at(in->bias);
            std::copy_n(weight, d * dim, weight + d * dim);  // rows
            std::copy_n(bias, d, bias + d);
        }
        float* const out = w.at(block.projection.weight);
        for (std::size_t row = 0; row < dim; ++row) std::copy_n(out + row * dim, d, out + row * dim + d);  // columns
    }
}

/// The largest difference between the attention weights of heads 0 and 1, in all blocks.
float heads_apart(const Model& model) {
    const DrawnPicture p = draw_picture({{1, Difficulty::normal, false}, 0, model.config.image_width, {}});
    const Trace trace = forward(model, normalised({p.image.rgb.data()}, model));
    float most = 0;
    for (int l = 1; l <= model.config.blocks; ++l) {
        const auto block = trace.block(l);
        for (std::size_t i = 0; i < block->attention.shape(1); ++i)
            for (std::size_t j = 0; j < block->attention.shape(2); ++j)
                most = std::max(most, std::abs(block->attention(0, i, j) - block->attention(1, i, j)));
    }
    return most;
}

// Why heads differ, as the chapter on heads says: nothing but their random initial weights makes them.
TEST(Trainer, HeadsThatBeginEqualGetEqualGradientsAndStayEqual) {
    for (const Optimiser optimiser : {Optimiser::muon, Optimiser::adamw}) {
        Recipe recipe = small_recipe();
        recipe.optimiser = optimiser;
        Trainer<Pictures> random(recipe, {2, 0}), equal(recipe, {2, 0});
        FlatWeights w = equal.parameters();
        make_heads_equal(w, recipe.model);
        equal.restore(w, equal.moments());
        EXPECT_EQ(heads_apart(equal.model()), 0);
        take_steps(random, 12);
        take_steps(equal, 12);
        EXPECT_NE(values_of(equal.parameters()), values_of(w)) << "it learns";
        EXPECT_GT(heads_apart(random.model()), 1e-3F) << name_of(optimiser);
        EXPECT_LT(heads_apart(equal.model()), heads_apart(random.model()) / 100) << name_of(optimiser);
    }
}

TEST(Trainer, WithoutPositionsTheyStayZero) {
    Recipe r = small_recipe();
    r.model.positions = Positions::none;
    Trainer<Pictures> trainer(r, {1, 0});
    take_steps(trainer, 3);
    const Parameter& position = trainer.parameters().weights().position;
    for (std::size_t i = 0; i < position.size(); ++i) EXPECT_EQ(position(i), 0.0F);
}

TEST(Trainer, HasTheWeightsOfAVisionTransformerOnlyWhereOneLearns) {
    Recipe r = small_recipe();
    r.net = Net::cnn;
    Trainer<Pictures> trainer(r, {1, 0});
    take_steps(trainer, 1);
    EXPECT_EQ(trainer.seen(), 8U);
    EXPECT_THROW(trainer.parameters(), Error);
    EXPECT_THROW(trainer.gradients(), Error);
    EXPECT_THROW(trainer.model(), Error);
    EXPECT_THROW(trainer.restore(FlatWeights(r.model), OptimiserState(r.model)), Error);
}

TEST(PictureStream, ShowsEachOfItsPicturesOnceAnEpochAlwaysInAnotherOrder) {
    for (const std::uint64_t count : {1U, 2U, 3U, 64U, 100U, 257U, 1000U}) {
        const PictureStream stream{{.seed = 7}, count};
        std::vector<std::uint64_t> before;
        for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
            std::vector<std::uint64_t> order;
            for (std::uint64_t i = 0; i < count; ++i) order.push_back(stream.picture(epoch * count + i));
            if (count >= 64) {
                EXPECT_NE(order, before);
                EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
            }
            before = order;
            std::sort(order.begin(), order.end());
            for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(order[i], i) << count;
        }
    }
    const PictureStream endless{{.seed = 7}, 0};
    EXPECT_EQ(endless.picture(123'456), 123'456U);
}

/// What a run of few pictures knows of its own and of fresh ones.
struct Gap {
    double training = 0, fresh = 0;
    double size() const { return training - fresh; }
};
Gap gap_of(const Recipe& r) {
    Trainer<Pictures> trainer(r, {2, 0});
    while (trainer.progress() < 1) trainer.step(trainer.progress());
    return {*trainer.training_accuracy(1000), trainer.accuracy(1000)};
}

TEST(Trainer, LearnsFewPicturesByHeartAndDropoutAndWeightDecayCloseSomeOfTheGap) {
    Recipe r = small_recipe();
    r.model.embedding_dim = 32;
    r.model.mlp_dim = 64;
    r.batch = 16;
    r.optimiser = Optimiser::adamw;
    r.learning_rate = 3e-3;
    r.distinct_pictures = 128;
    r.promised_examples = 9'600;
    const Gap plain = gap_of(r);
    EXPECT_GT(plain.training, 0.95) << "known by heart";
    EXPECT_LT(plain.fresh, 0.5) << "and little understood";
    r.dropout = 0.4;
    EXPECT_LT(gap_of(r).size(), plain.size() - 0.05);
    r.dropout = 0;
    r.weight_decay = 8;
    EXPECT_LT(gap_of(r).size(), plain.size() - 0.05);
}

TEST(PictureQueue, HoldsTheStreamInOrderWhoeverDraws) {
    PictureQueue queue({{3, Difficulty::normal, false}}, 16, 5);
    Team team(3);
    for (std::uint64_t batch = 0; batch < 4; ++batch) {
        team.run([&](int) {
            queue.complete(batch);
            queue.draw_ahead(batch + 1, [] { return false; });
        });
        for (int i = 0; i < 5; ++i) {
            std::vector<std::uint8_t> expected(16 * 16 * 3);
            const int label = draw_pixels(
                {{3, Difficulty::normal, false}, batch * 5 + static_cast<std::uint64_t>(i), 16, {}}, expected.data());
            EXPECT_EQ(queue.label(batch, i), label);
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), queue.pixels(batch, i)));
        }
        queue.release(batch);
    }
}

// ---- checkpoints ----------------------------------------------------------------------------------------------------

TEST_F(RunFolder, ARunThatGoesOnGivesTheBitsOfOneThatNeverStopped) {
    Trainer<Pictures> undisturbed(small_recipe(), {2, 0});
    take_steps(undisturbed, 12);
    {
        Trainer<Pictures> first(small_recipe(), {2, 0});
        take_steps(first, 5);
        save_run(folder, first, {.threads = 2, .seconds = 1.5, .running_loss = 2.25});
    }
    ASSERT_TRUE(holds_run(folder));
    const auto resumed = resume_run<Pictures>(folder);
    EXPECT_EQ(resumed.trainer->seen(), 5U * 8);
    EXPECT_EQ(resumed.progress.seconds, 1.5);
    take_steps(*resumed.trainer, 7);
    EXPECT_EQ(values_of(resumed.trainer->parameters()), values_of(undisturbed.parameters()));
}

TEST(RunBytes, ARunThatGoesOnInMemoryGivesTheSameBitsAndOnlyToItsOwnRecipe) {
    Trainer<Pictures> undisturbed(small_recipe(), {2, 0}), first(small_recipe(), {2, 0}),
        second(small_recipe(), {2, 0});
    take_steps(undisturbed, 12);
    take_steps(first, 5);
    const std::string bytes = run_bytes(first, {.threads = 2, .seconds = 1.5, .window = "{}"});
    const RunProgress progress = restore_run(bytes, second);
    EXPECT_EQ(progress.steps, 5U);
    EXPECT_EQ(progress.window, "{}");
    take_steps(second, 7);
    EXPECT_EQ(values_of(second.parameters()), values_of(undisturbed.parameters()));
    Recipe other = small_recipe();
    other.seed += 1;
    Trainer<Pictures> stranger(other, {2, 0});
    EXPECT_THROW(restore_run(bytes, stranger), Error);
    EXPECT_THROW(restore_run(bytes.substr(0, bytes.size() / 2), second), Error);
}

TEST_F(RunFolder, ARunOfFewPicturesGoesOnWithTheSameBits) {
    Recipe few = small_recipe();
    few.distinct_pictures = 13;  // no multiple of the batch
    Trainer<Pictures> undisturbed(few, {2, 0});
    take_steps(undisturbed, 9);
    {
        Trainer<Pictures> first(few, {2, 0});
        take_steps(first, 4);
        save_run(folder, first, {.threads = 2, .seconds = 1, .running_loss = 1});
    }
    const auto resumed = resume_run<Pictures>(folder);
    EXPECT_EQ(resumed.trainer->recipe().distinct_pictures, 13U);
    take_steps(*resumed.trainer, 5);
    EXPECT_EQ(values_of(resumed.trainer->parameters()), values_of(undisturbed.parameters()));
    EXPECT_EQ(resumed.trainer->training_accuracy(100), undisturbed.training_accuracy(100));
    Trainer<Pictures> endless(small_recipe(), {2, 0});
    take_steps(endless, 9);
    EXPECT_NE(values_of(endless.parameters()), values_of(undisturbed.parameters()));
}

TEST_F(RunFolder, ARunThatBeganWithAModelFromElsewhereKeepsAllThatThatIs) {
    Recipe r = small_recipe();
    r.model.layer_norm_epsilon = 1e-12F;
    r.model.query_bias = r.model.key_bias = r.model.value_bias = false;
    for (const Activation activation :
         {Activation::gelu, Activation::gelu_tanh, Activation::quick_gelu, Activation::relu, Activation::elu}) {
        r.model.activation = activation;
        Trainer<Pictures> undisturbed(r, {1, 0}), first(r, {1, 0});
        take_steps(undisturbed, 3);
        take_steps(first, 2);
        save_run(folder, first, {.threads = 1, .seconds = 1, .running_loss = 1});
        const auto resumed = resume_run<Pictures>(folder);
        const TransformerConfig &had = r.model, &has = resumed.trainer->recipe().model;
        EXPECT_TRUE(has == had) << name_of(activation);
        take_steps(*resumed.trainer, 1);
        EXPECT_EQ(values_of(resumed.trainer->parameters()), values_of(undisturbed.parameters()));
    }
}

TEST_F(RunFolder, HostileCheckpointsAreRefusedWithASentence) {
    Trainer<Pictures> trainer(small_recipe(), {1, 0});
    const auto refused = [&](const std::vector<NamedTensor>& rows, const std::map<std::string, std::string>& metadata) {
        write_safetensors(folder / "training.safetensors", rows, {.half = false, .metadata = metadata});
        try {
            resume_run<Pictures>(folder);
            ADD_FAILURE() << "it was taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("training.safetensors"), std::string::npos);
        }
    };
    const float number = 0;
    const std::string recipe = to_json(small_recipe());
    refused({{"parameters", {1}, &number}}, {});
    refused({{"parameters", {1}, &number}}, {{"recipe", "{"}, {"run", "{}"}});
    refused({{"parameters", {1}, &number}}, {{"recipe", recipe}, {"run", "{}"}});
    refused({{"parameters", {1}, &number}},
            {{"recipe", recipe}, {"run", R"({"steps":1,"threads":0,"seconds":1,"running_loss":1})"}});
    refused({{"parameters", {1}, &number}},
            {{"recipe", recipe}, {"run", R"({"steps":1,"threads":1,"seconds":1,"running_loss":1})"}});
}

TEST_F(RunFolder, ASavedModelIsReadBackWithItsVariantAndGivesTheSameNumbers) {
    for (const Norm norm : {Norm::before, Norm::after, Norm::none}) {
        Recipe r = small_recipe();
        r.model.norm = norm;
        r.model.skips = norm == Norm::before;
        r.model.activation = norm == Norm::none ? Activation::relu : Activation::gelu;
        Trainer<Pictures> trainer(r, {1, 0});
        take_steps(trainer, 2);
        const Model model = trainer.model();
        save_model(model, folder / "model", Precision::f32);
        const Model back = load_model(folder / "model");
        EXPECT_EQ(back.config.norm, norm);
        EXPECT_EQ(back.config.skips, r.model.skips);
        EXPECT_EQ(back.config.activation, r.model.activation);
        EXPECT_EQ(back.config.labels, picture_classes(false));
        const DrawnPicture p = draw_picture({{1, Difficulty::normal, false}, 4, 32, {}});
        const Tensor2 a = forward(model, normalised({p.image.rgb.data()}, model)).head->logits;
        const Tensor2 b = forward(back, preprocess(p.image, back.preprocessing, back.config).pixels).head->logits;
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-4);
    }
    Recipe r = small_recipe();
    r.model.positions = Positions::none;
    save_model(untrained_model(r), folder / "half", Precision::f16);
    EXPECT_EQ(load_model(folder / "half").config.positions, Positions::none);
    EXPECT_LT(fs::file_size(folder / "half/model.safetensors"), fs::file_size(folder / "model/model.safetensors"));
}

TEST_F(RunFolder, HalfPrecisionRoundsToTheNearest) {
    const std::vector<float> values = {0,          1,          -1, 0.1F, 65504, 1e-7F, 5.9604645e-8F, 2.9802322e-8F,
                                       1.0009765F, 3.14159265F};
    write_safetensors(folder / "half.safetensors", std::vector<NamedTensor>{{"x", {values.size()}, values.data()}},
                      {.half = true, .metadata = {}});
    const auto back = Safetensors::open(folder / "half.safetensors").floats("x");
    const std::vector<float> expected = {0, 1,          -1,       0.099975586F, 65504, 1.1920929e-7F, 5.9604645e-8F,
                                         0, 1.0009766F, 3.140625F};
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(back.get()[i], expected[i]) << values[i];
}

// ---- evaluation -----------------------------------------------------------------------------------------------------

TEST(Evaluation, TheBundledModelIsAsGoodAsItsLogSays) {
    const Model model = load_model(small_model_folder());
    const Evaluation e = evaluate(model, {.count = 400, .ablated = 60, .seed = 5, .threads = 2, .progress = {}});
    EXPECT_EQ(e.answers.count, 400);
    EXPECT_GE(e.answers.accuracy, 0.97);
    ASSERT_EQ(e.difficulty.size(), 3U);
    EXPECT_EQ(e.difficulty[1].accuracy, e.answers.accuracy);
    EXPECT_GT(e.difficulty[0].accuracy, e.difficulty[2].accuracy) << "easy ones are easier than hard ones";
    EXPECT_GT(e.difficulty[0].median_top_probability, 0.99);
    EXPECT_GT(e.difficulty[2].decisive_heads, e.difficulty[0].decisive_heads) << "what is sure stays sure";
    EXPECT_GE(e.last_block.mass_ratio, 3.2);
    EXPECT_GE(e.rollout.mass_ratio, 2.1);
    EXPECT_GE(e.last_block.object_density, 3.5);
    EXPECT_LE(e.last_block.distractor_density, 0.8);
    EXPECT_GT(e.last_block.pointing, e.untrained_pointing);
    ASSERT_EQ(e.lens.size(), 5U);
    for (std::size_t l = 1; l < e.lens.size(); ++l)
        EXPECT_GT(e.lens[l], e.lens[l - 1] - 0.02) << "the true class emerges";
    EXPECT_GE(e.lens.back(), 0.95);
    int counted = 0, right = 0;
    for (std::size_t i = 0; i < e.confusion.size(); ++i)
        for (std::size_t j = 0; j < e.confusion.size(); ++j)
            counted += e.confusion[i][j], right += i == j ? e.confusion[i][j] : 0;
    EXPECT_EQ(counted, 400);
    EXPECT_NEAR(right / 400.0, e.answers.accuracy, 1e-9);
}

TEST(Evaluation, AnUntrainedNetGuessesAndLooksEverywhere) {
    const Model model = untrained_model(standard_recipe());
    const Evaluation e = evaluate(model, {.count = 150, .ablated = 10, .seed = 1, .threads = 2, .progress = {}});
    EXPECT_LT(e.answers.accuracy, 0.25);
    EXPECT_EQ(e.answers.decisive_heads, 0) << "a classifier of zeros hears no head";
    EXPECT_NEAR(e.answers.median_top_probability, 1.0 / 13, 1e-6);
    EXPECT_NEAR(e.answers.calibration_error, std::abs(e.answers.accuracy - 1.0 / 13), 1e-6) << "all in one bin";
    EXPECT_NEAR(e.last_block.mass_ratio, 1, 0.3);
    EXPECT_NEAR(e.last_block.pointing, e.untrained_pointing, 1e-9);
    for (const double p : e.lens) EXPECT_NEAR(p, 1.0 / 13, 1e-6);
}

TEST(Evaluation, RefusesAModelOfOtherClasses) {
    EXPECT_THROW(evaluate(load_model(fs::path(VITRINE_GOLDEN) / "models/tiny_hf"),
                          {.count = 1, .ablated = 0, .seed = 0, .threads = 1, .progress = {}}),
                 Error);
}

}  // namespace
}  // namespace vitrine
