#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/chapters/step.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/ui/widgets/number.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/training/gradient_flow.h"
#include "core/vit/forward.h"
#include "tests/ui/told_answers.h"

// What the chapters after the blocks answer; test_answers.cpp has the blocks.

namespace vitrine {
namespace {

TEST(Answers, PredictionFindsTheHeadThatAddsMostAndSaysWhatIsLeftWithoutIt) {
    for (const char* const sample : {"cat", "house"}) {
        Harness h(Harness::with_image(sample));
        const Model& model = *h.result().model;
        const Trace& run = h.result().baseline;
        const auto block = run.block(4);
        const Parameter projection = model.weights.blocks[3].projection.weight.stored();
        const auto best = static_cast<std::size_t>(first_largest(row(run.head->logits, 0)));
        const Numbers z = row(run.z(4), 0);
        const double mean = [&] {
            double sum = 0;
            for (const double x : z) sum += x;
            return sum / 64;
        }();
        double variance = static_cast<double>(model.config.layer_norm_epsilon);
        for (const double x : z) variance += (x - mean) * (x - mean) / 64;
        Numbers adds;
        for (std::size_t head = 0; head < 4; ++head) {
            Numbers added(64, 0.0);
            for (std::size_t i = 0; i < 64; ++i)
                for (std::size_t j = 0; j < 16; ++j)
                    added[i] += static_cast<double>(projection(i * 64 + head * 16 + j)) *
                                static_cast<double>(block->heads(head, 0, j));
            double own = 0;
            for (const double x : added) own += x / 64;
            double logit = 0;
            for (std::size_t i = 0; i < 64; ++i)
                logit += static_cast<double>(model.weights.norm.gamma(i)) * (added[i] - own) / std::sqrt(variance) *
                         static_cast<double>(model.weights.classifier.weight(best * 64 + i));
            adds.push_back(logit);
        }
        const int head = first_largest(adds);
        EXPECT_EQ(answer_of(h, "prediction").find('%'), std::string::npos) << "nothing was tried yet";
        switch_on(h, {remove_head(4, (head + 1) % 4)});
        EXPECT_FALSE(done(h)) << "another head is no answer";
        switch_on(h, {remove_head(4, head)});
        EXPECT_TRUE(done(h));
        const std::string answer = answer_of(h, "prediction");
        expect_says(answer, "Head " + std::to_string(head + 1));
        expect_says(answer, adds[static_cast<std::size_t>(head)]);
        for (const Trace* const trace : {&h.result().baseline, &h.result().trace}) {
            Numbers logits = row(trace->head->logits, 0);
            const double own = logits[best];
            logits[best] = -1e30;
            expect_says(answer, own - logits[static_cast<std::size_t>(first_largest(logits))]);
            expect_says(answer, probability_text(static_cast<double>(trace->head->probabilities(0, best))));
        }
    }
}

TEST(Answers, LossFindsTheFirstClassThatSurprisesMoreThanAGuessWould) {
    for (const char* const sample : {"cat", "key"}) {
        Harness h(Harness::with_image(sample));
        go_to(h, "loss");
        const Numbers logits = row(h.result().trace.head->logits, 0);
        const double guess = std::log(static_cast<double>(logits.size()));
        double sum = 0;
        for (const double x : logits) sum += std::exp(x);
        Numbers losses;
        for (const double x : logits) losses.push_back(std::log(sum) - x);
        std::size_t first = losses.size();
        for (std::size_t i = 0; i < losses.size(); ++i)
            if (losses[i] > guess && (first == losses.size() || losses[i] < losses[first])) first = i;
        ASSERT_LT(first, losses.size());
        const auto beyond = std::ranges::count_if(losses, [&](double loss) { return loss > guess; });
        const std::string answer = answer_of(h, "loss");
        expect_says(answer, h.result().model->config.label(static_cast<int>(first)));
        expect_says(answer, losses[first]);
        expect_says(answer, guess);
        expect_says(answer, std::to_string(beyond) + " of the " + std::to_string(losses.size()));
        h.change().focus().dials.true_class = first_largest(losses);
        EXPECT_FALSE(done(h)) << "the least probable class";
        h.change().focus().dials.true_class = static_cast<int>(first);
        EXPECT_TRUE(done(h));
    }
}

TEST(Answers, LearningFindsThatSkipConnectionsAloneChangeTheGradientLeastOnEverySample) {
    for (const BundledModel& bundled : bundled_models()) {
        const PictureSet set = pictures_of(*open_model(source_of(bundled)));
        for (const std::string& sample : sample_names(set)) {
            SCOPED_TRACE(sample);
            const auto flows = gradient_flows(*open_image(with_set({sample, {}}, set.scenes))->display);
            const auto lost = [&](Wiring wiring) {
                const auto& norms = std::ranges::find(flows, wiring, &GradientFlow::wiring)->norms;
                return std::log10(norms.back() / norms.front());
            };
            for (const auto& [wiring, name] : wiring_names)
                EXPECT_TRUE(wiring == Wiring::no_norm || std::abs(lost(Wiring::no_norm)) < std::abs(lost(wiring)))
                    << name;
            EXPECT_GT(lost(Wiring::no_skips), 0) << "norms alone lose some of it";
            EXPECT_GT(lost(Wiring::neither), 20) << "and neither nearly all";
        }
    }
    Harness h;
    go_to(h, "learning");
    const std::string answer = answer_of(h, "learning");
    const auto& norms = std::ranges::find(*h.result().gradient_flows, Wiring::no_norm, &GradientFlow::wiring)->norms;
    expect_says(answer, h.app->text()("gradients.wiring.no_norm"));
    expect_says(answer, norms.back());
    expect_says(answer, norms.front());
    h.change().focus().dials.wiring = Wiring::neither;
    EXPECT_FALSE(done(h));
    h.change().focus().dials.wiring = Wiring::no_norm;
    EXPECT_TRUE(done(h));
}

TEST(Answers, WithoutNormsEveryBundledModelNamesOneClassForAllItsSamples) {
    for (const BundledModel& bundled : bundled_models()) {
        SCOPED_TRACE(bundled.name);
        const auto model = open_model(source_of(bundled));
        const PictureSet set = pictures_of(*model);
        std::set<int> named;
        for (const std::string& sample : sample_names(set)) {
            const auto image = open_image(with_set({sample, {}}, set.scenes));
            const std::vector<Intervention> off = {normalise(Norm::none)};
            const Trace run =
                forward(*model, preprocess(image->full, model->preprocessing, model->config).pixels, {}, off);
            named.insert(top_predictions(*run.head, 1).front().index);
        }
        EXPECT_EQ(named.size(), 1U);
    }
}

TEST(Answers, ExplanationTellsTheChangeThatTheBrightestPatchMakes) {
    Harness h;
    go_to(h, "explanation");
    const auto block = h.result().baseline.block(1);
    std::size_t patch = 1;
    for (std::size_t j = 2; j < 65; ++j)
        if (block->attention(0, 0, j) > block->attention(0, 0, patch)) patch = j;
    const float weight = block->attention(0, 0, patch);
    switch_on(h, {remove_token(static_cast<int>(patch))});
    EXPECT_TRUE(done(h));
    const Tensor2 &before = h.result().baseline.head->probabilities, &after = h.result().trace.head->probabilities;
    const auto best = static_cast<std::size_t>(first_largest(row(before, 0)));
    const std::string answer = answer_of(h, "explanation");
    expect_says(answer, "patch " + std::to_string(patch));
    expect_says(answer, percent_text(static_cast<double>(weight)));
    expect_says(answer,
                share_change_text(static_cast<double>(before(0, best)), static_cast<double>(after(0, best)), "pp"));
}

}  // namespace
}  // namespace vitrine
