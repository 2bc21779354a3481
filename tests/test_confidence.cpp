#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/base/random.h"
#include "core/training/confidence.h"
#include "core/training/recipe.h"
#include "core/vit/flat_weights.h"
#include "core/vit/forward.h"

namespace vitrine {
namespace {

TEST(Confidence, TheCalibrationErrorIsTheWeightedGapOfFifteenBins) {
    // By hand: 0.62 and 0.65 share the bin (0.6, 0.667], 0.95 and 1 the last one.
    const std::vector<Answer> answers = {{0.62, true}, {0.65, false}, {0.95, true}, {1.0, true}, {0.1, false}};
    const double gap_low = std::abs(1.0 / 2 - (0.62 + 0.65) / 2), gap_high = std::abs(1.0 - 0.975), gap_least = 0.1;
    EXPECT_NEAR(calibration_error(answers), (2 * gap_low + 2 * gap_high + gap_least) / 5, 1e-12);
    EXPECT_EQ(calibration_error({}), 0);
}

TEST(Confidence, ItAgreesWithAnIndependentComputation) {
    Random random(8);
    std::vector<Answer> answers;
    for (int i = 0; i < 4000; ++i) {
        const double top = 0.05 + 0.95 * static_cast<double>(random.next() >> 40) / (1 << 24);
        answers.push_back({top, static_cast<double>(random.next() >> 40) / (1 << 24) < top * top});
    }
    std::map<int, std::vector<Answer>> bins;  // by the last edge below
    for (const Answer& a : answers)
        for (int m = 0; m < 15; ++m)
            if (a.top > m / 15.0 && a.top <= (m + 1) / 15.0) bins[m].push_back(a);
    double error = 0;
    for (const auto& [m, bin] : bins) {
        double right = 0, top = 0;
        for (const Answer& a : bin) right += a.right, top += a.top;
        error += static_cast<double>(bin.size()) / 4000 *
                 std::abs(right / static_cast<double>(bin.size()) - top / static_cast<double>(bin.size()));
    }
    EXPECT_NEAR(calibration_error(answers), error, 1e-12);
    EXPECT_GT(error, 0.1) << "p² is right less often than p";
}

TEST(Confidence, TheMedianIsTheMiddleOrTheMeanOfTheMiddleTwo) {
    EXPECT_EQ(median_top_probability(std::vector<Answer>{{0.9, true}, {0.2, false}, {0.5, true}}), 0.5);
    EXPECT_DOUBLE_EQ(median_top_probability(std::vector<Answer>{{0.9, true}, {0.2, false}, {0.5, true}, {0.7, true}}),
                     0.6);
    EXPECT_EQ(median_top_probability({}), 0);
}

/// A small model with a classifier that says something. Of W_O only the columns of one head are kept, or none.
Model model_with_head(std::optional<int> kept_block, int kept_head) {
    Recipe recipe = standard_recipe();
    Config& c = recipe.model;
    c.image_height = c.image_width = 32;
    c.blocks = c.heads = 3;
    c.embedding_dim = 24;
    c.mlp_dim = 32;
    recipe.seed = 3;
    Model model = untrained_model(recipe);
    FlatWeights flat(model.config);
    std::size_t at = 0;
    Random random(5);
    int block = 0;
    for (const NamedParameter& p : parameters_of(model.weights)) {
        float* const numbers = flat.values().data() + at;
        std::copy_n(p.parameter.data(), p.parameter.size(), numbers);
        at += p.parameter.size();
        if (p.name == "classifier.weight")
            for (std::size_t i = 0; i < p.parameter.size(); ++i) numbers[i] = random.normal();
        if (!p.name.ends_with("attention.output.dense.weight")) continue;
        ++block;
        const std::size_t dim = static_cast<std::size_t>(c.embedding_dim), depth = dim / 3;
        for (std::size_t row = 0; row < dim; ++row)
            for (std::size_t column = 0; column < dim; ++column) {
                const bool kept = kept_block == block && static_cast<int>(column / depth) == kept_head;
                numbers[row * dim + column] = kept ? 3 * random.normal() : 0.0F;
            }
    }
    EXPECT_EQ(block, 3);
    model.weights = flat.weights();
    return model;
}

Tensor3 noisy_image() {
    Tensor3 image = tensor3(3, 32, 32);
    Random random(6);
    for (float& v : image) v = random.normal();
    return image;
}

TEST(Confidence, AHeadMattersWhereItsWorkIsReadAndNotWhereItIsThrownAway) {
    const Model deaf = model_with_head({}, 0), hearing = model_with_head(2, 1);
    EXPECT_EQ(change_by_one_head(deaf, forward(deaf, noisy_image())), 0);
    const Trace trace = forward(hearing, noisy_image());
    const double change = change_by_one_head(hearing, trace);
    EXPECT_GT(change, decisive_change);
    // The same by whole passes; no other head changes anything.
    const auto& before = trace.head->probabilities;
    const auto top = static_cast<std::size_t>(std::max_element(before.begin(), before.end()) - before.begin());
    for (int block = 1; block <= 3; ++block)
        for (int head = 0; head < 3; ++head) {
            const Intervention away[] = {remove_head(block, head)};
            const Trace without = forward(hearing, noisy_image(), {}, away);
            const double moved =
                std::abs(static_cast<double>(without.head->probabilities.data()[top] - before.data()[top]));
            EXPECT_NEAR(moved, block == 2 && head == 1 ? change : 0, 1e-6) << block << "." << head;
        }
}

TEST(Confidence, TheDecisiveHeadIsTheOneWhoseWorkIsRead) {
    for (const auto& [block, head] : {std::pair(2, 1), std::pair(3, 0), std::pair(1, 2)}) {
        const Model hearing = model_with_head(block, head);
        const Trace trace = forward(hearing, noisy_image());
        const DecisiveHead found = decisive_head(hearing, trace);
        EXPECT_EQ(found.block, block);
        EXPECT_EQ(found.head, head);
        // Its change is that of the lead, by a whole pass.
        const auto lead = [](const Trace& t, int label) {
            float other = -1e30F;
            for (int i = 0; i < static_cast<int>(t.head->logits.size()); ++i)
                if (i != label) other = std::max(other, t.head->logits.data()[i]);
            return static_cast<double>(t.head->logits.data()[label] - other);
        };
        const auto& logits = trace.head->logits;
        const int top = static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
        const Intervention away[] = {remove_head(block, head)};
        EXPECT_NEAR(found.change, lead(forward(hearing, noisy_image(), {}, away), top) - lead(trace, top), 1e-4);
    }
    const Model deaf = model_with_head({}, 0);
    EXPECT_EQ(decisive_head(deaf, forward(deaf, noisy_image())).change, 0);
}

TEST(Confidence, TryingHeadsEndsAtTheFirstThatChangesEnough) {
    const Model hearing = model_with_head(3, 0);
    const Trace trace = forward(hearing, noisy_image());
    EXPECT_GE(change_by_one_head(hearing, trace, decisive_change), decisive_change);
    EXPECT_EQ(change_by_one_head(hearing, trace, 0), 0) << "nothing needs to be tried";
}

}  // namespace
}  // namespace vitrine
