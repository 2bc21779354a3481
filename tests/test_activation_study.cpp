#include <gtest/gtest.h>

#include <cmath>

#include "core/studies/activation_study.h"
#include "core/tensor/ops.h"

namespace vitrine {
namespace {

TEST(ActivationStudy, AnActivationNowhereDiffersFromItselfAndTheDistanceIsSymmetric) {
    EXPECT_EQ(largest_difference(Activation::gelu, Activation::gelu, -4, 4).amount, 0);
    const Difference one = largest_difference(Activation::gelu, Activation::relu, -4, 4),
                     other = largest_difference(Activation::relu, Activation::gelu, -4, 4);
    EXPECT_EQ(one.amount, other.amount);
    EXPECT_NEAR(one.amount, 0.16997, 1e-4);
    EXPECT_NEAR(std::abs(one.at), 0.7518, 2e-3);
}

TEST(ActivationStudy, TheTanhApproximationIsCloseButNotTheSame) {
    const Difference d = largest_difference(Activation::gelu, Activation::gelu_tanh, -4, 4);
    EXPECT_GT(d.amount, 1e-4);
    EXPECT_LT(d.amount, 1e-3);
}

TEST(ActivationStudy, FindsTheMinimumOfGeluWhereTheSyllabusSaysAndNoneOfItsNeighboursIsLower) {
    const FlatPoint least = flat_point(Activation::gelu, -2, 0);
    EXPECT_NEAR(least.at, -0.7518, 5e-5);
    EXPECT_NEAR(least.value, -0.16997, 5e-6);
    EXPECT_NEAR(activation_slope(Activation::gelu, static_cast<float>(least.at)), 0, 1e-6);
    for (const double away : {-0.3, -0.01, 0.01, 0.3})
        EXPECT_LT(least.value, activate(Activation::gelu, static_cast<float>(least.at + away)));
}

TEST(ActivationStudy, ExactValuesAreThoseOfTheModelButFarLeftWhereItsOwnAreRounding) {
    for (const Activation a : {Activation::gelu, Activation::gelu_tanh, Activation::quick_gelu, Activation::relu,
                               Activation::elu, Activation::silu})
        for (const double x : {-3.0, -0.75, 0.0, 0.5, 3.0})
            EXPECT_NEAR(exact_activation(a, x), static_cast<double>(activate(a, static_cast<float>(x))), 1e-6) << x;
    EXPECT_NEAR(exact_activation(Activation::gelu, -5) / -1.4332578e-6, 1, 1e-6) << "−5 Φ(−5)";
}

TEST(SampledGate, AveragesToPhiAndTimesXToGelu) {
    constexpr int samples = 40000;
    for (const double x : {-2.0, -0.7518, 0.0, 0.5, 1.5}) {
        const double gate = sampled_gate(x, samples, 1), phi = normal_cdf(x);
        EXPECT_NEAR(gate, phi, 4 * std::sqrt(phi * (1 - phi) / samples));
        EXPECT_NEAR(gate * x, static_cast<double>(activate(Activation::gelu, static_cast<float>(x))), 0.03);
    }
    EXPECT_EQ(sampled_gate(0.3, 10, 5), sampled_gate(0.3, 10, 5));
}

}  // namespace
}  // namespace vitrine
