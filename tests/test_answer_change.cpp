#include <gtest/gtest.h>

#include <cmath>

#include "core/measures/answer_change.h"
#include "core/tensor/ops.h"
#include "core/vit/forward.h"
#include "core/vit/model.h"

namespace vitrine {
namespace {

HeadTrace head_of(const std::vector<float>& logits) {
    HeadTrace head;
    head.logits = tensor2(1, logits.size());
    std::copy(logits.begin(), logits.end(), head.logits.data());
    head.probabilities = softmax(head.logits);
    return head;
}

/// The same readings once more, in double precision and class by class.
ClassReading plain_reading(const std::vector<float>& logits, std::size_t chosen) {
    double all = 0, other = -1e300;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        all += std::exp(static_cast<double>(logits[i]));
        if (i != chosen) other = std::max(other, static_cast<double>(logits[i]));
    }
    const double own = static_cast<double>(logits[chosen]), p = std::exp(own) / all;
    return {p, own, own - other, -std::log(p)};
}

TEST(AnswerChange, ReadsAClassAsAnIndependentComputationDoes) {
    const std::vector<float> logits = {0.5F, -2, 3.25F, 3, -7.5F};
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const ClassReading read = reading_of(head_of(logits), static_cast<int>(i)), plain = plain_reading(logits, i);
        EXPECT_NEAR(read.probability, plain.probability, 1e-6) << i;
        EXPECT_EQ(read.logit, plain.logit) << i;
        EXPECT_NEAR(read.margin, plain.margin, 1e-6) << i;
        EXPECT_NEAR(read.loss, plain.loss, 1e-6) << i;
    }
}

TEST(AnswerChange, OfTheClassThatWasFirstTellsEveryDifference) {
    const std::vector<float> before = {4, 1, 0}, now = {1.5F, 2, 0};
    const AnswerChange change = answer_change(head_of(now), head_of(before));
    const ClassReading a = plain_reading(before, 0), b = plain_reading(now, 0);
    EXPECT_EQ(change.chosen, 0);
    EXPECT_EQ(change.first_now, 1);
    EXPECT_TRUE(change.other_choice());
    EXPECT_NEAR(change.probability(), b.probability - a.probability, 1e-6);
    EXPECT_NEAR(change.logit(), -2.5, 1e-6);
    EXPECT_NEAR(change.margin(), -3.5, 1e-6);
    EXPECT_NEAR(change.loss(), b.loss - a.loss, 1e-6);
    EXPECT_FALSE(answer_change(head_of(before), head_of(before)).other_choice());
    EXPECT_EQ(answer_change(head_of(before), head_of(before)).loss(), 0);
}

TEST(AnswerChange, StillTellsWhereTheProbabilityRoundsToOne) {
    const AnswerChange change = answer_change(head_of({18, 0}), head_of({20, 0}));
    EXPECT_EQ(change.probability(), 0) << "both are 1 in single precision";
    EXPECT_NEAR(change.margin(), -2, 1e-6);
    EXPECT_GT(change.now.loss, change.before.loss);
    EXPECT_NEAR(change.before.loss, std::exp(-20.0), 1e-14);
}

TEST(AnswerChange, OfASingleClassHasItsLogitForAMargin) {
    EXPECT_EQ(reading_of(head_of({3}), 0).margin, 3);
    EXPECT_EQ(reading_of(head_of({3}), 0).loss, 0);
}

}  // namespace
}  // namespace vitrine
