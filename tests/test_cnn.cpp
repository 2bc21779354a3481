#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/random.h"
#include "core/cnn/cnn.h"
#include "core/cnn/windows.h"
#include "core/training/cnn_learner.h"
#include "core/training/recipe.h"
#include "core/training/trainer.h"
#include "tests/golden_files.h"

namespace vitrine {
namespace {

CnnConfig golden_config() {
    CnnConfig c;
    c.image_size = 9;
    c.stages = {{6, 2}, {8, 1}, {5, 2}};
    c.classes = 4;
    return c;
}

/// The golden net and what PyTorch made of its pictures.
struct GoldenCnn {
    GoldenFile file = GoldenFile("values/cnn.safetensors");
    CnnConfig config = golden_config();
    FlatCnnWeights weights = FlatCnnWeights(config);
    Tensor3 pixels = tensor3(2 * 3, 9, 9);
    const std::vector<int> labels = {2, 0};

    GoldenCnn() {
        for (const NamedParameter& p : parameters_of(weights.weights())) {
            const auto expected = file[p.name];
            EXPECT_EQ(expected.size(), p.parameter.size()) << p.name;
            std::copy(expected.begin(), expected.end(), weights.at(p.parameter));
        }
        std::copy_n(file["pixels"].data(), pixels.size(), pixels.data());
    }
};

TEST(Cnn, GivesPyTorchsActivationsLogitsAndLoss) {
    GoldenCnn golden;
    const CnnTrace trace = forward({golden.config, golden.weights.weights()}, golden.pixels);
    for (std::size_t i = 0; i < trace.stages.size(); ++i) {
        const Tensor2& out = trace.stages[i].out;
        const auto expected = golden.file["out." + std::to_string(i)];
        ASSERT_EQ(out.size(), expected.size());
        EXPECT_LT(difference(out.data(), expected.data(), expected.size()), 1e-5) << "stage " << i;
    }
    EXPECT_LT(difference(trace.logits.data(), golden.file["logits"].data(), trace.logits.size()), 1e-5);
    EXPECT_NEAR(cross_entropy(trace.logits, golden.labels, {}).sum, static_cast<double>(golden.file["loss"][0]), 1e-5);
}

TEST(Cnn, GivesPyTorchsGradientOfEveryParameter) {
    GoldenCnn golden;
    const Cnn net{golden.config, golden.weights.weights()};
    const CnnTrace trace = forward(net, golden.pixels);
    FlatCnnWeights gradients(golden.config);
    std::fill(gradients.values().begin(), gradients.values().end(), 7.0F);  // overwritten
    backward(net, trace, cross_entropy(trace.logits, golden.labels, {}).gradient, gradients);
    for (const NamedParameter& p : parameters_of(gradients.weights()))
        EXPECT_LT(difference(p.parameter.data(), golden.file["d_" + p.name].data(), p.parameter.size()), 2e-5)
            << p.name;
}

TEST(Cnn, HasAboutAsManyParametersAsTheStandardVisionTransformer) {
    const Recipe r = standard_recipe();
    const double vit = static_cast<double>(FlatWeights(r.model).values().size());
    const double cnn = static_cast<double>(FlatCnnWeights(standard_cnn(r.model.classes)).values().size());
    EXPECT_NEAR(cnn / vit, 1, 0.01);
}

TEST(Windows, TheirWayBackIsTheTransposeOfTheWayForth) {
    Random random(2);
    for (const int stride : {1, 2})
        for (const int side : {4, 5}) {
            const WindowShape shape{.images = 2, .side = side, .channels = 3, .stride = stride};
            Tensor2 map = tensor2(static_cast<std::size_t>(2 * side * side), 3);
            for (float& x : map) x = random.normal();
            const Tensor2 seen = windows(shape, map);
            Tensor2 y = tensor2(seen.shape()[0], seen.shape()[1]);
            for (float& x : y) x = random.normal();
            const Tensor2 back = windows_back(shape, y);
            double forth = 0, home = 0;
            for (std::size_t i = 0; i < y.size(); ++i) forth += static_cast<double>(seen.data()[i] * y.data()[i]);
            for (std::size_t i = 0; i < map.size(); ++i) home += static_cast<double>(map.data()[i] * back.data()[i]);
            EXPECT_NEAR(forth, home, 1e-4) << "<W x, y> = <x, Wᵀ y>";
        }
}

TEST(Cnn, AThingThatMovesByItsStridesMovesItsMapsAndChangesNoLogitInside) {
    CnnConfig c;
    c.image_size = 32;
    c.stages = {{8, 2}, {8, 2}};
    c.classes = 3;
    FlatCnnWeights weights = untrained_cnn(c, 5);
    Random random(6);
    for (float& x : weights.values()) x += 0.1F * random.normal();
    const auto picture = [](std::size_t at) {  // a bright square on black, far from the edges
        Tensor3 pixels = tensor3(3, 32, 32);
        std::fill(pixels.begin(), pixels.end(), 0.0F);
        for (std::size_t plane = 0; plane < 3; ++plane)
            for (std::size_t y = 0; y < 5; ++y)
                for (std::size_t x = 0; x < 5; ++x) pixels(plane, at + y, at + x) = 1.0F + static_cast<float>(x);
        return pixels;
    };
    const Cnn net{c, weights.weights()};
    const Tensor2 a = forward(net, picture(8)).logits, b = forward(net, picture(12)).logits;
    EXPECT_LT(difference(a.data(), b.data(), a.size()), 1e-5) << "what a Vision Transformer has to learn";
}

TEST(Cnn, LearnsWithTheTrainerOfTheVisionTransformer) {
    Recipe r = standard_recipe();
    r.pictures.difficulty = Difficulty::easy;
    r.promised_examples = 32 * 300;
    CnnConfig c = standard_cnn(r.model.classes);
    c.stages = {{16, 2}, {24, 2}, {32, 2}};
    c.image_size = r.model.image_height = r.model.image_width = 32;
    const auto run = [&] {
        auto trainer = std::make_unique<Trainer<Pictures>>(r, std::make_unique<CnnLearner>(c, r.seed), Crew{2, 0});
        StepReport last;
        double first = 0, late = 0;
        for (int i = 0; i < 300; ++i) {
            last = trainer->step(trainer->progress());
            if (i < 5) first += last.loss / 5;
            if (i >= 280) late += last.loss / 20;
        }
        EXPECT_NEAR(first, std::log(13.0), 0.2) << "it begins by guessing";
        EXPECT_LT(late, first - 0.25);
        return last.loss;
    };
    EXPECT_EQ(run(), run()) << "the same bits with the same threads";
}

}  // namespace
}  // namespace vitrine
