#include <numeric>

#include "core/base/team.h"
#include "core/tensor/matmul.h"
#include "core/tensor/ops.h"
#include "core/vit/embedding.h"
#include "tests/golden_files.h"

namespace vitrine {
namespace {

Tensor2 wave(std::size_t rows, std::size_t columns) {
    Tensor2 x = tensor2(rows, columns);
    for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = 3.0F * std::sin(0.71F * static_cast<float>(i)) + 0.5F;
    return x;
}

Parameter parameter(std::span<const float> values, std::vector<std::size_t> shape) {
    const std::shared_ptr<float[]> copy(new float[values.size()]);
    std::copy(values.begin(), values.end(), copy.get());
    return {std::shared_ptr<const float>(copy, copy.get()), std::move(shape)};
}

TEST(Softmax, RowsSumToOneEvenForScoresOfPlusOrMinusAThousand) {
    Tensor2 scores = wave(7, 33);
    scores(0, 3) = 1000;
    scores(1, 4) = -1000;
    std::fill(&scores(2, 0), &scores(2, 0) + 33, 1000.0F);
    const Tensor2 p = softmax(scores);
    for (std::size_t r = 0; r < 7; ++r) {
        EXPECT_NEAR(std::accumulate(&p(r, 0), &p(r, 0) + 33, 0.0), 1.0, 1e-6);
        for (std::size_t i = 0; i < 33; ++i) EXPECT_GE(p(r, i), 0.0F);
    }
    EXPECT_NEAR(p(0, 3), 1.0, 1e-6);
    EXPECT_NEAR(p(2, 20), 1.0 / 33, 1e-7) << "equal scores are uniform, however large";
}

TEST(Softmax, DoesNotChangeWhenEveryScoreIsShifted) {
    Tensor2 scores = wave(2, 19), shifted = scores;
    for (float& s : shifted) s += 7.0F;
    const Tensor2 a = softmax(scores), b = softmax(shifted);
    EXPECT_LE(difference(b.data(), a.data(), a.size()), 1e-5);
}

TEST(LayerNorm, HasMeanZeroAndTheVarianceThatEpsilonLeavesBeforeGammaAndBeta) {
    const Tensor2 x = wave(5, 37);
    const std::vector<float> ones(37, 1.0F), zeros(37, 0.0F);
    const float epsilon = 0.5F;
    const LayerNormTrace t = layer_norm({parameter(ones, {37}), parameter(zeros, {37})}, x, epsilon);
    for (std::size_t r = 0; r < 5; ++r) {
        double mean = 0, square = 0;
        for (std::size_t i = 0; i < 37; ++i) {
            mean += t.out(r, i) / 37.0;
            square += t.out(r, i) * t.out(r, i) / 37.0;
        }
        EXPECT_NEAR(mean, 0.0, 1e-6);
        EXPECT_NEAR(square, t.var(r) / (t.var(r) + epsilon), 1e-5);
    }
}

TEST(Operations, AgreeWithPyTorch) {
    GoldenFile golden("values/ops.safetensors");
    const std::span<const float> x = golden["x"];
    Tensor2 row = tensor2(1, x.size());
    std::copy(x.begin(), x.end(), row.data());
    const auto expect_activation = [&](Activation activation, const char* name) {
        const std::span<const float> want = golden[name];
        EXPECT_LE(difference(activate(activation, row).data(), want.data(), want.size()), 1e-6) << name;
        EXPECT_EQ(activate(activation, x[700]), activate(activation, row)(0, 700))
            << "one number goes the same way as many";
        std::vector<float> slopes;
        for (const float at : x) slopes.push_back(activation_slope(activation, at));
        const std::span<const float> slope = golden[std::string(name) + "_slope"];
        EXPECT_LE(difference(slopes.data(), slope.data(), slope.size()), 1e-6) << name << "'s derivative";
    };
    expect_activation(Activation::gelu, "gelu");
    expect_activation(Activation::gelu_tanh, "gelu_tanh");
    expect_activation(Activation::quick_gelu, "quick_gelu");
    expect_activation(Activation::relu, "relu");
    expect_activation(Activation::elu, "elu");

    Tensor2 a = tensor2(5, 37);
    std::copy(golden["a"].begin(), golden["a"].end(), a.data());
    const LayerNormTrace norm =
        layer_norm({parameter(golden["gamma"], {37}), parameter(golden["beta"], {37})}, a, 1e-6F);
    EXPECT_LE(difference(norm.out.data(), golden["layer_norm"].data(), a.size()), 1e-6);

    LinearWeights w{parameter(golden["w"], {11, 37}), parameter(golden["b"], {11}), {}};
    EXPECT_LE(difference(linear(w, a).data(), golden["linear"].data(), 55), 1e-6);
    w.packed = std::make_shared<PackedLinear>(w);
    EXPECT_LE(difference(linear(w, a).data(), golden["linear"].data(), 55), 1e-6) << "packed weights give the same";

    Tensor3 scores = tensor3(3, 4, 19);
    std::copy(golden["scores"].begin(), golden["scores"].end(), scores.data());
    EXPECT_LE(difference(softmax(scores).data(), golden["softmax"].data(), scores.size()), 1e-6);
}

TEST(Gelu, HasItsMinimumWhereTheSyllabusSays) {
    EXPECT_NEAR(activate(Activation::gelu, -0.7518F), -0.16997, 1e-5);
    EXPECT_LT(activate(Activation::gelu, -0.7518F), activate(Activation::gelu, -0.80F));
    EXPECT_LT(activate(Activation::gelu, -0.7518F), activate(Activation::gelu, -0.70F));
}

TEST(Heads, MergingUndoesSplittingForEveryImageOfABatch) {
    const Batch batch{3, 5};
    const Tensor2 x = wave(15, 12);
    const Tensor3 heads = split_heads(x, batch, 4);
    EXPECT_EQ(heads.shape()[0], 12U);
    EXPECT_EQ(heads(4 + 1, 2, 0), x(5 + 2, 3)) << "image 1, head 1, token 2";
    EXPECT_EQ(merge_heads(heads, batch), x);
}

TEST(Attention, ScoresAreTheScaledProductsAndTheMixIsTheWeightedSum) {
    const Batch batch{1, 9};
    const Tensor3 q = split_heads(wave(9, 6), batch, 2), k = split_heads(add(wave(9, 6), wave(9, 6)), batch, 2);
    const Tensor3 s = attention_scores(q, k), p = softmax(s), mixed = weighted_values(p, k);
    double product = 0, sum = 0;
    for (std::size_t i = 0; i < 3; ++i) product += q(1, 4, i) * k(1, 7, i);
    for (std::size_t j = 0; j < 9; ++j) sum += p(1, 4, j) * k(1, j, 2);
    EXPECT_NEAR(s(1, 4, 7), product / std::sqrt(3.0), 1e-4);
    EXPECT_NEAR(mixed(1, 4, 2), sum, 1e-5);
}

TEST(Patches, AreCutRowByRowAndFlattenedByChannelFirst) {
    Tensor3 image = tensor3(2, 4, 6);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = static_cast<float>(i);
    const Tensor2 rows = patches_as_rows(image, 2, 2);
    EXPECT_EQ(rows.shape()[0], 6U);
    EXPECT_EQ(rows.shape()[1], 8U);
    EXPECT_EQ(rows(4, 0), image(0, 2, 2));
    EXPECT_EQ(rows(4, 3), image(0, 3, 3));
    EXPECT_EQ(rows(4, 4), image(1, 2, 2));
}

TEST(PackedLinear, WeightsOfOneSizeInTwoLayoutsAreMultipliedEachByItsOwn) {
    constexpr std::size_t inputs = 96, outputs = 80, rows = 7;
    std::vector<float> weights(outputs * inputs);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = std::sin(static_cast<float>(i) * 0.37F);
    const LinearWeights w{parameter(weights, {outputs, inputs}), {}, {}};
    const Tensor2 x = wave(rows, inputs);
    std::vector<float> expected(rows * outputs);
    multiply({.a = {x.data(), rows, inputs, inputs},
              .b = {weights.data(), outputs, inputs, inputs},
              .transpose_b = Transpose::yes},
             expected.data());
    // The library lays weights out by the rows that it expects and by the threads of whoever packs them.
    for (const int threads : {1, 8})
        for (const std::size_t typical_rows : {1U, 5U, 197U}) {
            const ThreadCount count(threads);
            const PackedLinear packed(w, typical_rows);
            std::vector<float> y(rows * outputs);
            packed.apply(x.data(), rows, y.data());
            EXPECT_LE(difference(y.data(), expected.data(), y.size()), 1e-5)
                << "packed for " << typical_rows << " rows by " << threads << " threads";
        }
}

}  // namespace
}  // namespace vitrine
