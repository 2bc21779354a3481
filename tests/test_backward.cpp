#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/files/image.h"
#include "core/training/loss.h"
#include "core/transformer/edits.h"
#include "core/vit/backward.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/forward.h"
#include "core/vit/what_ifs.h"
#include "tests/example_edits.h"
#include "tests/golden_files.h"
#include "tests/reference_model.h"
#include "tests/token_models.h"

namespace vitrine {
namespace {

constexpr int images = 2;
const std::vector<int> labels = {2, 0};

Config small_learner() {
    Config c;
    c.image_height = c.image_width = 8;
    c.patch_size = 4;
    c.embedding_dim = 8;
    c.heads = 2;
    c.blocks = 2;
    c.mlp_dim = 12;
    c.classes = 3;
    return c;
}

/// A variant with weights large enough that every gradient shows.
struct Case {
    Config config;
    FlatWeights weights;
    Model model;
    Tensor3 pixels = tensor3(images * 3, 8, 8);
    std::vector<Intervention> interventions;

    explicit Case(const Config& c, std::vector<Intervention> edits = {})
        : config(c), weights(c), interventions(std::move(edits)) {
        Random random(11);
        for (const NamedParameter& p : parameters_of(weights.weights())) {
            const bool gamma =
                (p.name.find("layernorm") != std::string::npos || p.name.find("norm_pre") != std::string::npos) &&
                p.name.ends_with("weight");
            float* const values = weights.at(p.parameter);
            if (c.positions == Positions::none && p.name.ends_with("position_embeddings")) continue;
            for (std::size_t i = 0; i < p.parameter.size(); ++i)
                values[i] = 0.4F * random.normal() + (gamma ? 1.0F : 0.0F);
        }
        for (float& x : pixels) x = random.normal();
        model.config = config;
        model.weights = weights.weights();
    }

    double loss() const {
        const Trace trace = forward(model, pixels, {}, interventions);
        return cross_entropy(trace.head->logits, labels, {}).sum;
    }

    Trace go_back(FlatWeights& gradients, Keep keep = Keep::parameters) const {
        const Trace trace = forward(model, pixels, {}, interventions);
        const Loss l = cross_entropy(trace.head->logits, labels, {});
        return backward({model, trace, interventions, keep}, l.gradient, gradients);
    }
};

/// Every parameter tensor against central differences of the double-precision reference.
void expect_exact(const Config& c, const std::vector<Intervention>& drops = {}) {
    const Case it(c, drops);
    FlatWeights gradients(c);
    it.go_back(gradients);

    ReferenceModel reference(c, images, drops);
    std::vector<double> values(it.weights.values().begin(), it.weights.values().end());
    ASSERT_NEAR(reference.loss(values, it.weights, it.pixels, labels), it.loss(), 1e-4);
    double largest_of_all = 0;
    for (const float g : gradients.values())
        largest_of_all = std::max(largest_of_all, std::abs(static_cast<double>(g)));
    ASSERT_GT(largest_of_all, 0.1);

    constexpr double step = 1e-5;
    for (const NamedParameter& p : parameters_of(it.weights.weights())) {
        SCOPED_TRACE(p.name);
        const std::size_t offset = it.weights.offset_of(p.parameter);
        double worst = 0, largest = 0;
        for (std::size_t i = offset; i < offset + p.parameter.size(); ++i) {
            const double before = values[i];
            values[i] = before + step;
            const double above = reference.loss(values, it.weights, it.pixels, labels);
            values[i] = before - step;
            const double below = reference.loss(values, it.weights, it.pixels, labels);
            values[i] = before;
            const double numeric = (above - below) / (2 * step);
            worst = std::max(worst, std::abs(numeric - static_cast<double>(gradients.values()[i])));
            largest = std::max(largest, std::abs(numeric));
        }
        // A key's bias moves all scores of a row alike, so its gradient is 0 but for rounding.
        EXPECT_LE(worst, 2e-5 * std::max(largest, 0.05 * largest_of_all));
    }
}

TEST(Backward, EveryParameterOfThePreNormEncoderAgreesWithCentralDifferences) { expect_exact(small_learner()); }

TEST(Backward, SoDoThePostNormEncoderAndTheOneWithoutNorms) {
    Config c = small_learner();
    c.norm = Norm::after;
    expect_exact(c);
    c.norm = Norm::none;
    expect_exact(c);
}

TEST(Backward, SoDoEncodersWithoutSkipsPositionsOrQkvBias) {
    Config c = small_learner();
    c.skips = false;
    expect_exact(c);
    c.norm = Norm::after;
    expect_exact(c);
    c = small_learner();
    c.positions = Positions::none;
    expect_exact(c);
    c = small_learner();
    c.query_bias = c.key_bias = c.value_bias = false;
    expect_exact(c);
}

TEST(Backward, SoDoTheOtherReadoutsWithAndWithoutAClassToken) {
    for (const Readout readout : {Readout::mean, Readout::last})
        for (const bool class_token : {true, false})
            for (const Norm norm : {Norm::before, Norm::after}) {
                Config c = small_learner();
                c.readout = readout;
                if (!class_token) c.leading.clear();
                c.norm = norm;
                SCOPED_TRACE(std::string(name_of(readout)) + (class_token ? "" : ", no class token"));
                expect_exact(c);
            }
}

TEST(Backward, SoDoEveryKindOfTokenAndEachOfTheThreeBiases) {
    Config c = small_learner();
    c.leading = with_every_kind_of_token().leading;
    expect_exact(c);
    c.readout = Readout::mean;
    expect_exact(c);
    for (bool Config::*const bias : {&Config::query_bias, &Config::key_bias, &Config::value_bias}) {
        c = small_learner();
        c.*bias = false;
        expect_exact(c);
    }
}

TEST(Backward, SoDoHeadsThatNormEachTokenAndNormsBeforeTheBlocks) {
    for (const Readout readout : {Readout::mean, Readout::class_and_mean, Readout::class_and_distillation}) {
        Config c = small_learner();
        c.leading = with_every_kind_of_token().leading;
        c.readout = readout;
        c.norm_before_mean = readout == Readout::mean;
        SCOPED_TRACE(name_of(readout));
        expect_exact(c);
    }
    Config c = small_learner();
    c.embedding_norm = true;
    c.patch_bias = false;
    expect_exact(c);
}

TEST(Backward, SoDoReluAndElu) {
    Config c = small_learner();
    c.activation = Activation::relu;
    expect_exact(c);
    c.activation = Activation::elu;
    expect_exact(c);
}

TEST(Backward, SoDoesDropoutWithItsZerosWhereTheyFell) {
    expect_exact(small_learner(), dropout(0.3F, 5));
    Config c = small_learner();
    c.norm = Norm::after;
    expect_exact(c, dropout(0.2F, 6));
}

/// f(θ + ε v) − f(θ − ε v) over 2 ε, in float, for interventions that the reference does not know.
TEST(Backward, FollowsEveryWhatIfAndMistakeOfTheWindow) {
    std::vector<std::vector<Intervention>> lists = {{remove_head(1, 1)},
                                                    {remove_token(2)},
                                                    {remove_mlp(2)},
                                                    {remove_positions()},
                                                    {shuffle_tokens(3)},
                                                    {without_scaling()},
                                                    {temperature(2, 1)},
                                                    {key_is_query(2)},
                                                    {value_is_query()},
                                                    {without_skips(1)},
                                                    {normalise(Norm::after)},
                                                    {normalise(Norm::none, 2)},
                                                    {activate_with(Activation::elu)},
                                                    {slice_without_transpose(2)},
                                                    {softmax_over_queries()},
                                                    {carry_normed()},
                                                    {key_is_query(), temperature(3), remove_head(2, 0)}};
    for (const Intervention& one : example_edits()) lists.push_back({one});
    for (const std::vector<Intervention>& list : lists) {
        SCOPED_TRACE(describe(list[0]));
        Case it(small_learner(), list);
        FlatWeights gradients(it.config);
        it.go_back(gradients);
        Random random(5);
        for (int direction = 0; direction < 3; ++direction) {
            constexpr double step = 5e-4;
            std::vector<float> along(gradients.values().size()),
                before(it.weights.values().begin(), it.weights.values().end());
            double expected = 0;
            for (std::size_t i = 0; i < along.size(); ++i) {
                along[i] = random.normal();
                expected += static_cast<double>(along[i]) * static_cast<double>(gradients.values()[i]);
            }
            const auto loss_at = [&](double t) {
                for (std::size_t i = 0; i < along.size(); ++i)
                    it.weights.values()[i] =
                        static_cast<float>(static_cast<double>(before[i]) + t * static_cast<double>(along[i]));
                return it.loss();
            };
            const double numeric = (loss_at(step) - loss_at(-step)) / (2 * step);
            loss_at(0);
            EXPECT_NEAR(numeric, expected, 0.01 * (1 + std::abs(expected)));
        }
    }
}

TEST(Backward, AgreesWithPyTorchsAutograd) {
    const Model model = load_model(golden_folder / "models/tiny_hf");
    const Image image = load_image(golden_folder / "images/golden.png");
    const Trace trace = forward(model, preprocess(image, model.preprocessing, model.config).pixels);
    const Loss loss = cross_entropy(trace.head->logits, std::vector<int>{3}, {});
    FlatWeights gradients(model.config);
    const Trace activations = backward({model, trace, {}, Keep::activations}, loss.gradient, gradients);

    GoldenFile golden("values/gradients.safetensors");
    EXPECT_NEAR(loss.sum, golden["loss"][0], 1e-5);
    std::size_t compared = 0;
    double largest_bias = 0;
    for (const NamedParameter& p : parameters_of(gradients.weights()))
        if (p.name.ends_with("query.bias"))
            for (std::size_t i = 0; i < p.parameter.size(); ++i)
                largest_bias = std::max(largest_bias, std::abs(static_cast<double>(p.parameter(i))));
    for (const NamedParameter& p : parameters_of(gradients.weights())) {
        const bool leading = p.parameter.data() == gradients.weights().leading.data();  // the class token alone
        const std::span<const float> want = golden[leading ? "vit.embeddings.cls_token" : p.name];
        ASSERT_EQ(want.size(), p.parameter.size()) << p.name;
        ++compared;
        if (p.name.ends_with("key.bias")) {  // 0 but for rounding
            for (std::size_t i = 0; i < want.size(); ++i)
                EXPECT_NEAR(static_cast<double>(p.parameter(i)), static_cast<double>(want[i]), 1e-5 * largest_bias);
            continue;
        }
        EXPECT_LE(difference(p.parameter.data(), want.data(), want.size()), 2e-5) << p.name;
    }
    for (int block = 1; block <= trace.blocks(); ++block, ++compared) {
        const std::string name = "block." + std::to_string(block) + ".attention";
        EXPECT_LE(difference(activations.block(block)->attention.data(), golden[name].data(), golden[name].size()),
                  2e-5)
            << name;
    }
    EXPECT_EQ(compared + 1, golden.file().entries().size());
}

TEST(Backward, TheShortWayThroughTheLastBlockGivesTheSameNumbers) {
    for (const Norm norm : {Norm::before, Norm::none})
        for (const bool skips : {true, false})
            for (const Readout readout : {Readout::class_token, Readout::last}) {
                Config c = small_learner();
                c.norm = norm;
                c.skips = skips;
                c.readout = readout;
                const Case it(c);
                FlatWeights shorter(c), whole(c);
                it.go_back(shorter);
                it.go_back(whole, Keep::activations);  // takes the long way
                EXPECT_LE(difference(shorter.values().data(), whole.values().data(), whole.values().size()), 1e-6);
            }
}

TEST(Backward, GradientsOfAnImageAloneAddUpToThoseOfTheBatch) {
    const Case both(small_learner());
    FlatWeights sum(both.config), part(both.config);
    both.go_back(sum);
    std::vector<double> added(sum.values().size(), 0);
    for (std::size_t image = 0; image < images; ++image) {
        Tensor3 one = tensor3(3, 8, 8);
        std::copy_n(both.pixels.data() + image * one.size(), one.size(), one.data());
        const Trace trace = forward(both.model, one);
        backward({both.model, trace}, cross_entropy(trace.head->logits, std::vector<int>{labels[image]}, {}).gradient,
                 part);
        for (std::size_t i = 0; i < added.size(); ++i) added[i] += static_cast<double>(part.values()[i]);
    }
    for (std::size_t i = 0; i < added.size(); ++i) EXPECT_NEAR(static_cast<double>(sum.values()[i]), added[i], 2e-5);
}

TEST(Loss, ItsGradientSumsToZeroForEachImageAndSmoothingRaisesTheLossOfAPerfectAnswer) {
    Tensor2 logits = tensor2(2, 3);
    const float values[] = {9, -2, 1, 0.5F, 0.25F, -3};
    std::copy_n(values, 6, logits.data());
    const Loss plain = cross_entropy(logits, std::vector<int>{0, 1}, {});
    for (std::size_t b = 0; b < 2; ++b)
        EXPECT_NEAR(plain.gradient(b, 0) + plain.gradient(b, 1) + plain.gradient(b, 2), 0, 1e-6);
    EXPECT_EQ(plain.correct, 1);
    EXPECT_GT(cross_entropy(logits, std::vector<int>{0, 1}, {.label_smoothing = 0.1}).sum, plain.sum);
}

}  // namespace
}  // namespace vitrine
