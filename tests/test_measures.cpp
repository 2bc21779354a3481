#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/measures/attention_measures.h"
#include "core/measures/components.h"
#include "core/measures/head_similarity.h"
#include "core/measures/head_statistics.h"
#include "core/measures/ledger.h"
#include "core/measures/lens.h"
#include "core/measures/outliers.h"
#include "core/measures/relevance.h"
#include "core/measures/rollout.h"
#include "core/tensor/entropy.h"
#include "core/vit/forward.h"
#include "tests/golden_run.h"
#include "tests/lively_model.h"

namespace vitrine {
namespace {

void expect_golden(const Tensor2& got, std::span<const float> want, const char* name) {
    ASSERT_EQ(got.size(), want.size()) << name;
    EXPECT_LE(difference(got.data(), want.data(), want.size()), 2e-5) << name;
}

TEST(Measures, AgreeWithPyTorchOnAGoldenModel) {
    const GoldenRun run = golden_measures("models/tiny_hf");
    GoldenFile golden("values/measures.safetensors");
    expect_golden(attention_rollout(run.trace), golden["rollout"], "rollout");
    expect_golden(attention_rollout(run.trace, {HeadFusion::max, 0.2F, 0.3F, 1, 0}),
                  golden["rollout.max.discard.0.3.residual.0.2"], "strict rollout");
    expect_golden(relevance_by_block({run.model, run.trace, {}, {3, {}}}).back(), golden["relevance"], "relevance");
    const HeadStatistics s = head_statistics(run.trace, run.model.config);
    expect_golden(s.of("entropy"), golden["entropy"], "entropy");
    expect_golden(s.of("effective_tokens"), golden["effective"], "effective");
    expect_golden(s.of("distance"), golden["distance"], "distance");
    expect_golden(s.of("confidence"), golden["confidence"], "confidence");
    expect_golden(s.of("class_share"), golden["class_share"], "class_share");
    expect_golden(head_divergences(run.trace), golden["similarity"], "similarity");
    expect_golden(logit_lens(run.model, run.trace), golden["lens"], "lens");
    expect_golden(token_lens(run.model, run.trace, 3).probability, golden["lens.tokens"], "lens of tokens");
    expect_golden(logit_ledger(run.model, run.trace).contributions, golden["ledger"], "ledger");
}

TEST(HeadStatistics, AreTheMeasuresOfOneHeadAtATime) {
    const Model model = lively_model(small_measured(), 3);
    const Trace trace = forward(model, wavy_picture(model.config));
    const HeadStatistics s = head_statistics(trace, model.config);
    for (std::size_t l = 0; l < 3; ++l)
        for (int head = 0; head < 2; ++head) {
            const auto h = static_cast<std::size_t>(head);
            const auto block = trace.block(static_cast<int>(l) + 1);
            EXPECT_NEAR(s.of("entropy")(l, h), mean_attention_entropy(*block, head), 1e-5);
            EXPECT_NEAR(s.of("distance")(l, h), mean_attention_distance(*block, head, model.config), 1e-4);
            EXPECT_NEAR(s.of("effective_tokens")(l, h), mean_effective_tokens(*block, head), 1e-4);
            EXPECT_GE(s.of("effective_tokens")(l, h), 1.0F);
            EXPECT_LE(s.of("effective_tokens")(l, h), 10.0F);
        }
    const Tensor2 all = attention_share(trace, std::vector<float>(9, 1.0F));
    EXPECT_NEAR(all(1, 1), 1 - s.of("class_share")(1, 1), 1e-5)
        << "what does not go to the class token goes to patches";
}

TEST(HeadStatistics, StayWithinWhatTheirRowsSay) {
    const Model model = lively_model(small_measured(), 3);
    const HeadStatistics s = head_statistics(forward(model, wavy_picture(model.config)), model.config);
    ASSERT_EQ(s.columns.size(), head_statistics_table().size());
    for (const HeadStatistic& row : head_statistics_table()) {
        EXPECT_EQ(head_statistic_named(row.name), &row) << row.name << " stands there twice";
        for (const float v : s.of(row.name)) {
            EXPECT_GE(v, 0.0F) << row.name;
            EXPECT_LE(static_cast<double>(v), row.most(model.config) * (1 + 1e-6)) << row.name;
        }
    }
}

TEST(Entropy, AgreesWithItsDefinitionForEveryLength) {
    for (std::size_t n = 1; n < 70; n += 3) {
        std::vector<float> p(n), q(n);
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += p[i] = static_cast<float>(1 + (i * 7) % 11);
        for (float& x : p) x = static_cast<float>(static_cast<double>(x) / sum);
        q[n / 2] = 1.0F;
        double expected = 0, middle = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double x = static_cast<double>(p[i]), m = (x + static_cast<double>(q[i])) / 2;
            expected -= x * std::log(x);
            middle -= m * std::log(m);
        }
        EXPECT_NEAR(entropy(p), expected, 1e-5) << n;
        EXPECT_NEAR(entropy_of_mean(p, q), middle, 1e-5) << n;
        EXPECT_EQ(entropy(q), 0.0F) << n;
        EXPECT_LE(entropy(p), std::log(static_cast<float>(n)) + 1e-5F);
    }
}

TEST(HeadSimilarity, IsADistanceAndEqualHeadsHaveNone) {
    const Model model = lively_model(small_measured(), 11);
    const Trace run = forward(model, wavy_picture(model.config));
    Trace trace;
    for (const int l : {1, 2, 2}) trace.add_block(run.block(l));  // the last is the second's twin
    const Tensor2 d = head_divergences(trace);
    ASSERT_EQ(d.shape()[0], 6U);
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) {
            EXPECT_EQ(d(i, j), d(j, i));
            EXPECT_GE(d(i, j), 0.0F);
            EXPECT_LE(d(i, j), std::log(2.0F) + 1e-5F);
        }
    EXPECT_LE(d(2, 4), 1e-6F);
    EXPECT_GT(d(0, 1), 1e-4F);
    double expected = 0;
    for (int i = 0; i < 10; ++i)
        expected += jensen_shannon(attention_row(*trace.block(1), 0, i), attention_row(*trace.block(2), 1, i)) / 10;
    EXPECT_NEAR(d(0, 3), expected, 1e-6);
}

TEST(ClusterOrder, PutsLikeBesideLikeAndDoesNotDependOnTheOrderOfTheHeads) {
    const GoldenRun run = golden_measures("models/tiny_hf");
    const Tensor2 d = head_divergences(run.trace);
    const std::size_t n = d.shape()[0];
    const std::vector<int> order = cluster_order(d);
    std::vector<int> turned(n);  // heads in another order: new index -> old
    for (std::size_t i = 0; i < n; ++i) turned[i] = static_cast<int>((i * 5 + 3) % n);
    Tensor2 other = tensor2(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            other(i, j) = d(static_cast<std::size_t>(turned[i]), static_cast<std::size_t>(turned[j]));
    std::vector<int> back;
    for (const int i : cluster_order(other)) back.push_back(turned[static_cast<std::size_t>(i)]);
    EXPECT_EQ(back, order);

    std::vector<int> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(sorted[i], static_cast<int>(i));
    const auto nearest = [&] {
        std::size_t a = 0, b = 1;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i + 1; j < n; ++j)
                if (d(i, j) < d(a, b)) a = i, b = j;
        return std::pair(static_cast<int>(a), static_cast<int>(b));
    }();
    const auto place = [&](int head) { return std::find(order.begin(), order.end(), head) - order.begin(); };
    EXPECT_EQ(std::abs(place(nearest.first) - place(nearest.second)), 1) << "the two nearest heads stand together";

    const std::vector<int> branch = cluster_branches(d, 3);
    EXPECT_EQ(*std::max_element(branch.begin(), branch.end()), 2);
    for (std::size_t i = 1; i < n; ++i)
        EXPECT_GE(branch[static_cast<std::size_t>(order[i])], branch[static_cast<std::size_t>(order[i - 1])]);
}

TEST(Components, AreOrthonormalExplainEverythingTogetherAndGiveTheRowsBack) {
    Tensor2 rows = tensor2(7, 5);
    for (std::size_t i = 0; i < rows.size(); ++i) rows.data()[i] = std::sin(static_cast<float>(i * i));
    for (const bool wide : {false, true}) {
        Tensor2 x = rows;
        if (wide) {
            x = tensor2(5, 7);
            for (std::size_t i = 0; i < 5; ++i)
                for (std::size_t j = 0; j < 7; ++j) x(i, j) = rows(j, i);
        }
        const std::size_t n = x.shape()[0], d = x.shape()[1];
        const Components c = principal_components(x, 10);
        const std::size_t k = c.explained.size();
        EXPECT_EQ(k, std::min(n - 1, d));
        EXPECT_NEAR(std::accumulate(c.explained.begin(), c.explained.end(), 0.0), 1, 1e-5);
        EXPECT_TRUE(std::is_sorted(c.explained.rbegin(), c.explained.rend()));
        for (std::size_t a = 0; a < k; ++a)
            for (std::size_t b = 0; b < k; ++b) {
                double dot = 0;
                for (std::size_t j = 0; j < d; ++j)
                    dot += static_cast<double>(c.directions(a, j)) * static_cast<double>(c.directions(b, j));
                EXPECT_NEAR(dot, a == b ? 1 : 0, 1e-5);
            }
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < d; ++j) {
                double value = 0;
                for (std::size_t r = 0; r < n; ++r) value += static_cast<double>(x(r, j)) / static_cast<double>(n);
                for (std::size_t a = 0; a < k; ++a)
                    value += static_cast<double>(c.scores(i, a)) * static_cast<double>(c.directions(a, j));
                EXPECT_NEAR(x(i, j), value, 1e-5);
            }
    }
}

/// A trace of one level whose tokens have these lengths.
Trace trace_of_lengths(const std::vector<float>& lengths) {
    auto embedding = std::make_shared<EmbeddingTrace>();
    embedding->z = tensor2(lengths.size(), 4);
    std::fill(embedding->z.begin(), embedding->z.end(), 0.0F);
    for (std::size_t i = 0; i < lengths.size(); ++i) embedding->z(i, i % 4) = lengths[i];
    Trace trace;
    trace.embedding = embedding;
    return trace;
}

TEST(TokenNorms, MarkWhatStandsFarAboveTheMedianAndNothingElse) {
    const TokenNorms t = token_norms(Config{}, trace_of_lengths({50, 1.0F, 1.1F, 0.9F, 1.2F, 9.0F, 1.0F, 0.8F}));
    ASSERT_EQ(t.levels.size(), 1U);
    EXPECT_FLOAT_EQ(t.levels[0].median, 1.0F);
    EXPECT_EQ(t.levels[0].outliers, std::vector<int>{5}) << "the class token is no patch";
    EXPECT_TRUE(token_norms(Config{}, trace_of_lengths({1, 2, 2, 2, 2})).levels[0].outliers.empty());
}

TEST(MassiveActivations, NeedBothAMagnitudeAndADistanceFromTheMedian) {
    std::vector<float> lengths(12, 0.05F);
    Trace trace = trace_of_lengths(lengths);
    EXPECT_TRUE(massive_activations(trace).empty());
    auto changed = std::make_shared<EmbeddingTrace>(*trace.embedding);
    for (float& x : changed->z) x = 0.05F;
    changed->z(3, 2) = -140.0F;
    changed->z(5, 1) = 120.0F;
    changed->z(6, 1) = 99.0F;
    trace.embedding = changed;
    const std::vector<MassiveActivation> found = massive_activations(trace);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].token, 3);
    EXPECT_EQ(found[0].feature, 2);
    EXPECT_FLOAT_EQ(found[0].times_median, 2800.0F);
    EXPECT_EQ(found[1].token, 5);
}

}  // namespace
}  // namespace vitrine
