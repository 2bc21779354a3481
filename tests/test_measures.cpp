#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/measures/attention_measures.h"
#include "core/measures/components.h"
#include "core/measures/head_similarity.h"
#include "core/measures/head_statistics.h"
#include "core/measures/ledger.h"
#include "core/measures/lens.h"
#include "core/measures/occlusion.h"
#include "core/measures/outliers.h"
#include "core/measures/relevance.h"
#include "core/measures/rollout.h"
#include "core/tensor/entropy.h"
#include "core/vit/backward.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/forward.h"
#include "tests/golden_files.h"

namespace vitrine {
namespace {

Config small_measured() {
    Config c;
    c.image_height = c.image_width = 12;
    c.patch_size = 4;
    c.embedding_dim = 8;
    c.heads = 2;
    c.blocks = 3;
    c.mlp_dim = 12;
    c.classes = 4;
    return c;
}

Tensor3 wavy_picture(const Config& c) {
    Tensor3 image = tensor3(static_cast<std::size_t>(c.channels), static_cast<std::size_t>(c.image_height),
                            static_cast<std::size_t>(c.image_width));
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::sin(static_cast<float>(i) * 0.37F);
    return image;
}

template <class F>
void change(Parameter& parameter, F f) {
    const auto changed = std::shared_ptr<float[]>(new float[parameter.size()]);
    for (std::size_t i = 0; i < parameter.size(); ++i) changed[i] = f(parameter(i), i);
    parameter = Parameter(std::shared_ptr<const float>(changed, changed.get()), parameter.shape());
}

/// Random small models have attention that is nearly even and no biases; this one has larger weights and some of each.
Model lively_model(const Config& c, std::uint64_t seed) {
    Model model = random_model(c, seed);
    const auto shift = [](Parameter& p) {
        change(p, [](float x, std::size_t i) { return x + 0.3F * std::sin(static_cast<float>(i)); });
    };
    for (BlockWeights& b : model.weights.blocks) {
        for (LinearWeights* w : {&b.query, &b.key, &b.value, &b.projection, &b.mlp_in, &b.mlp_out}) {
            change(w->weight, [](float x, std::size_t) { return 30 * x; });
            shift(w->bias);
            w->packed.reset();
        }
        for (LayerNormWeights* w : {&b.ln1, &b.ln2}) {
            shift(w->gamma);
            shift(w->beta);
        }
    }
    shift(model.weights.norm.beta);
    shift(model.weights.classifier.bias);
    model.weights.classifier.packed.reset();
    return model;
}

struct GoldenRun {
    Model model;
    Trace trace;
};

GoldenRun golden_measures(const std::string& name, std::optional<int> heads = {}) {
    LoadOptions options;
    options.heads = heads;
    Model model = load_model(golden_folder / name, options);
    const Image image = load_image(golden_folder / "images/golden.png");
    Trace trace = forward(model, preprocess(image, model.preprocessing, model.config).pixels);
    return {std::move(model), std::move(trace)};
}

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
    ASSERT_EQ(s.values.size(), head_statistics_table().size());
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

TEST(Rollout, RowsSumToOneWhateverIsChosen) {
    const Model model = lively_model(small_measured(), 4);
    const Trace trace = forward(model, wavy_picture(model.config));
    for (const HeadFusion fusion : {HeadFusion::mean, HeadFusion::max, HeadFusion::min})
        for (const float residual : {0.0F, 0.5F, 1.0F})
            for (const float discard : {0.0F, 0.45F, 1.0F}) {
                const std::vector<Tensor2> rollouts = rollout_by_block(trace, {fusion, residual, discard, 2, 3});
                ASSERT_EQ(rollouts.size(), 2U);
                for (const Tensor2& r : rollouts)
                    for (std::size_t i = 0; i < 10; ++i) {
                        const double sum = std::accumulate(&r(i, 0), &r(i, 0) + 10, 0.0);
                        EXPECT_NEAR(sum, 1, 1e-5) << residual << " " << discard;
                    }
                const bool alone = residual == 1.0F || discard == 1.0F;
                EXPECT_EQ(alone, std::abs(rollouts.back()(4, 4) - 1) < 1e-6F);
            }
}

TEST(Rollout, OfARangeIsTheProductOfItsSteps) {
    const Model model = lively_model(small_measured(), 5);
    const Trace trace = forward(model, wavy_picture(model.config));
    const Tensor2 low = attention_rollout(trace, {.last_block = 1}),
                  high = attention_rollout(trace, {.first_block = 2}), all = attention_rollout(trace);
    for (std::size_t i = 0; i < 10; ++i)
        for (std::size_t j = 0; j < 10; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 10; ++k)
                sum += static_cast<double>(high(i, k)) * static_cast<double>(low(k, j));
            EXPECT_NEAR(all(i, j), sum, 1e-5);
        }
}

TEST(BlockRange, StaysInsideTheModel) {
    EXPECT_EQ(block_range(1, 0, 12).last, 12);
    EXPECT_EQ(block_range(9, 4, 12).first, 4);
    EXPECT_EQ(block_range(3, 99, 12).last, 12);
}

TEST(Relevance, ItsGradientsAgreeWithCentralDifferences) {
    // ∂ logit / ∂ attention by nudging one weight of one head, the softmax left aside: an edit on the attention.
    const Model model = lively_model(small_measured(), 6);
    const Trace trace = forward(model, wavy_picture(model.config));
    Tensor2 target = tensor2(1, 4);
    std::fill(target.begin(), target.end(), 0.0F);
    target(0, 2) = 1.0F;
    FlatWeights none(model.config, FlatWeights::Room::nothing);
    const Trace gradients = backward({model, trace, {}, Keep::activations}, target, none);
    for (const int query : {0, 4}) {
        const auto logit = [&](float factor) {
            const Intervention nudge{Site::attention, {2, 1, query}, Scale{factor}};
            return static_cast<double>(what_if(model, trace, std::vector{nudge}).head->logits(0, 2));
        };
        const double measured = (logit(1.02F) - logit(0.98F)) / 0.04;
        double expected = 0;  // along the row: Σ A_ij ∂f/∂A_ij
        for (std::size_t j = 0; j < 10; ++j)
            expected += static_cast<double>(trace.block(2)->attention(1, static_cast<std::size_t>(query), j)) *
                        static_cast<double>(gradients.block(2)->attention(1, static_cast<std::size_t>(query), j));
        EXPECT_NEAR(measured, expected, 2e-3 * std::max(0.05, std::abs(expected))) << query;
    }
}

TEST(Relevance, WithoutRoomForWeightsTheActivationsGradientsAreTheSame) {
    for (const Norm norm : {Norm::before, Norm::after, Norm::none}) {
        Config c = small_measured();
        c.norm = norm;
        const Model model = lively_model(c, 7);
        const Trace trace = forward(model, wavy_picture(c));
        Tensor2 target = tensor2(1, 4);
        std::fill(target.begin(), target.end(), 0.25F);
        FlatWeights all(c), none(c, FlatWeights::Room::nothing);
        const Trace a = backward({model, trace, {}, Keep::activations}, target, all);
        const Trace b = backward({model, trace, {}, Keep::activations}, target, none);
        for (int l = 1; l <= 3; ++l) EXPECT_EQ(a.block(l)->attention, b.block(l)->attention);
        EXPECT_EQ(a.embedding->z, b.embedding->z);
    }
}

TEST(Relevance, StopsWhereverItIsToldToAndKeepsTheGradientsOfOneBlockAtATime) {
    Config c = small_measured();
    c.image_height = c.image_width = 64;  // 257 tokens: attention outweighs all else
    c.heads = 4;
    c.blocks = 6;
    const Model model = lively_model(c, 9);
    const Trace trace = forward(model, wavy_picture(c));
    const auto whole = relevance_by_block({model, trace, {}, {1, {}}});
    std::size_t reports = 0;
    double before = 0;
    memory_pool::reset_peak();
    const std::size_t in_use = memory_pool::bytes_in_use();
    relevance_by_block({model, trace, {}, {1, {}}}, [&](double fraction) {
        EXPECT_GE(fraction, before);
        before = fraction;
        ++reports;
    });
    const std::size_t map = 257 * 257 * sizeof(float), kept = memory_pool::peak_bytes_in_use() - in_use;
    EXPECT_GE(reports, 11U) << "each block on the way back, and on the way forth";
    EXPECT_LT(kept, map * (6 + 4 * 4)) << "six maps, and one block's gradients of four heads";
    for (std::size_t stop = 1; stop <= reports; ++stop) {
        std::size_t left = stop;
        const Progress cancel = [&](double) {
            if (--left == 0) throw Cancelled();
        };
        EXPECT_THROW(relevance_by_block({model, trace, {}, {1, {}}}, cancel), Cancelled);
    }
    const auto last = relevance_by_block({model, trace, {}, {1, {}}, 5, 6});
    ASSERT_EQ(last.size(), 2U);
    const auto first = relevance_by_block({model, trace, {}, {1, {}}, 1, 2});
    EXPECT_EQ(first[1], whole[1]) << "a range that ends early is the beginning of the whole";
}

TEST(Relevance, OfAClassAgainstAnotherIsItsOwnWithSignsTurned) {
    const Model model = lively_model(small_measured(), 8);
    const Trace trace = forward(model, wavy_picture(model.config));
    const Tensor2 alone = relevance_by_block({model, trace, {}, {1, {}}}).back();
    const Tensor2 same = relevance_by_block({model, trace, {}, {1, 1}}).back();
    EXPECT_GT(alone(0, 3), 0.0F);
    for (std::size_t i = 0; i < 10; ++i)
        for (std::size_t j = 0; j < 10; ++j)
            EXPECT_NEAR(same(i, j), i == j ? 1 : 0, 1e-6) << "a class has no lead over itself";
}

TEST(Lens, AtTheLastLevelItIsTheLogitsAndRanksCountFromTheBest) {
    const GoldenRun run = golden_measures("models/tiny_hf");
    const Tensor2 lens = logit_lens(run.model, run.trace);
    for (std::size_t c = 0; c < 10; ++c) EXPECT_NEAR(lens(3, c), run.trace.head->logits(0, c), 1e-5);
    const int best = top_predictions(*run.trace.head, 1).front().index;
    EXPECT_EQ(rank_through_depth(lens, best).back(), 1);
    const TokenLens tokens = token_lens(run.model, run.trace, best);
    EXPECT_EQ(tokens.best.back()[0], best);
    EXPECT_NEAR(tokens.probability(3, 0), run.trace.head->probabilities(0, static_cast<std::size_t>(best)), 1e-6);
    EXPECT_GE(tokens.best_probability(1, 5), tokens.probability(1, 5));
}

void expect_sum(const Ledger& ledger, const Trace& trace, const std::string& what) {
    const std::size_t classes = trace.head->logits.shape()[1];
    float largest = 0;
    for (const float x : trace.head->logits) largest = std::max(largest, std::abs(x));
    for (std::size_t c = 0; c < classes; ++c) {
        double sum = 0;
        for (std::size_t e = 0; e < ledger.entries.size(); ++e) sum += static_cast<double>(ledger.contributions(e, c));
        EXPECT_NEAR(sum, trace.head->logits(0, c), 1e-4 * static_cast<double>(largest)) << what << ", class " << c;
    }
}

bool has(const Ledger& ledger, LedgerEntry::Part part) {
    return std::any_of(ledger.entries.begin(), ledger.entries.end(),
                       [&](const LedgerEntry& e) { return e.part == part; });
}

TEST(Ledger, SumsToTheLogitsOnEveryGoldenModel) {
    std::ifstream in(golden_folder / "index.json");
    int checked = 0;
    for (const auto& row : nlohmann::json::parse(in)) {
        const std::string name = row.at("model");
        const GoldenRun run =
            golden_measures(name, row.contains("heads") ? std::optional(row.at("heads").get<int>()) : std::nullopt);
        if (run.model.config.classes == 0) continue;
        const Ledger ledger = logit_ledger(run.model, run.trace);
        expect_sum(ledger, run.trace, name);
        EXPECT_FALSE(has(ledger, LedgerEntry::Part::rest)) << name;
        ++checked;
    }
    EXPECT_GE(checked, 8);
}

TEST(Ledger, SumsToTheLogitsInEveryWiringAndUnderWhatIfs) {
    for (const Norm norm : {Norm::before, Norm::after, Norm::none})
        for (const bool skips : {true, false}) {
            Config c = small_measured();
            c.norm = norm;
            c.skips = skips;
            const Model model = lively_model(c, 9);
            const Trace trace = forward(model, wavy_picture(c));
            const std::string wiring = std::string(name_of(norm)) + (skips ? "" : ", no skips");
            const Ledger plain = logit_ledger(model, trace);
            expect_sum(plain, trace, wiring);
            EXPECT_EQ(plain.entries.size(), 1U + 3 * (2 + 1 + 1) + 2) << wiring;
            const std::vector<float> last = last_heads(model, trace, 1);
            for (std::size_t i = 0; i < plain.entries.size(); ++i) {
                const LedgerEntry& e = plain.entries[i];
                if (e.part != LedgerEntry::Part::head || e.block != c.blocks) continue;
                EXPECT_NEAR(last[static_cast<std::size_t>(e.head)], plain.contribution(i, 1), 1e-5) << wiring;
            }
            for (const std::vector<Intervention>& what_ifs :
                 {std::vector{remove_head(2, 1)}, std::vector{remove_mlp(3), remove_token(4)},
                  std::vector{without_skips(2)}, std::vector{normalise(Norm::after)}, dropout(0.2F, 5)}) {
                const Trace changed = what_if(model, trace, what_ifs);
                expect_sum(logit_ledger(model, changed, what_ifs), changed, wiring + ", what-ifs");
            }
        }
}

TEST(Ledger, SumsToTheLogitsForEveryReadout) {
    for (const Norm norm : {Norm::before, Norm::after})
        for (const Readout readout : {Readout::mean, Readout::last})
            for (const bool class_token : {true, false}) {
                Config c = small_measured();
                c.norm = norm;
                c.readout = readout;
                c.class_token = class_token;
                const Model model = lively_model(c, 9);
                const Trace trace = forward(model, wavy_picture(c));
                const std::string name = std::string(name_of(norm)) + ", " + name_of(readout);
                const Ledger plain = logit_ledger(model, trace);
                expect_sum(plain, trace, name);
                EXPECT_FALSE(has(plain, LedgerEntry::Part::rest)) << name;
                const std::vector<Intervention> what_ifs = {without_skips(2), remove_head(1, 1)};
                const Trace changed = what_if(model, trace, what_ifs);
                expect_sum(logit_ledger(model, changed, what_ifs), changed, name + ", what-ifs");
            }
}

TEST(Lens, EndsInTheLogitsForEveryReadout) {
    for (const Readout readout : {Readout::class_token, Readout::mean, Readout::last}) {
        Config c = small_measured();
        c.readout = readout;
        const Model model = lively_model(c, 9);
        const Trace trace = forward(model, wavy_picture(c));
        const Tensor2 lens = logit_lens(model, trace);
        for (std::size_t i = 0; i < trace.head->logits.size(); ++i)
            EXPECT_NEAR(lens(3, i), trace.head->logits(0, i), 1e-4F) << name_of(readout);
    }
}

TEST(Ledger, ARemovedHeadAddsNothingAndNamesAreUnique) {
    const Model model = lively_model(small_measured(), 10);
    const std::vector<Intervention> what_ifs = {remove_head(2, 1)};
    const Trace trace = what_if(model, forward(model, wavy_picture(model.config)), what_ifs);
    const Ledger ledger = logit_ledger(model, trace, what_ifs);
    EXPECT_FALSE(has(ledger, LedgerEntry::Part::rest)) << "the head itself holds the change";
    std::vector<std::string> names;
    for (std::size_t e = 0; e < ledger.entries.size(); ++e) {
        names.push_back(name_of(ledger.entries[e]));
        if (ledger.entries[e].part == LedgerEntry::Part::head) {
            EXPECT_EQ(ledger.contribution(e, 0) == 0.0F, names.back() == "block.2.head.1") << names.back();
        }
        EXPECT_FLOAT_EQ(ledger.contribution(e, 0, 1), -ledger.contribution(e, 1, 0)) << "differences are antisymmetric";
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
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

TEST(Occlusion, ACoverThatChangesNothingDropsNothingAndEveryPatchIsCounted) {
    const Model model = lively_model(small_measured(), 12);
    Tensor3 flat = tensor3(3, 12, 12);
    std::fill(flat.begin(), flat.end(), 0.25F);
    for (const Cover cover : {Cover::mean, Cover::blur}) {
        const OcclusionMap map = occlusion({model, flat, {}, {2, cover, 1}});
        EXPECT_EQ(map.done, 4);
        EXPECT_EQ(map.total, 4);
        EXPECT_EQ(map.counts, (std::vector<int>{1, 2, 1, 2, 4, 2, 1, 2, 1}));
        for (const float drop : map.drop) EXPECT_NEAR(drop, 0, 1e-6);
    }
}

TEST(Occlusion, OfOnePatchIsTheDifferenceOfTwoRuns) {
    const Model model = lively_model(small_measured(), 13);
    const Tensor3 image = wavy_picture(model.config);
    const Trace plain = forward(model, image);
    const OcclusionMap tokens = occlusion({model, image, {}, {1, Cover::token, 2}});
    const float without = what_if(model, plain, std::vector{remove_token(6)}).head->probabilities(0, 2);
    EXPECT_NEAR(tokens.drop(1, 2), plain.head->probabilities(0, 2) - without, 1e-6);

    Tensor3 grey = image;
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t y = 4; y < 8; ++y) std::fill_n(&grey(c, y, 8), 4, 0.0F);
    const OcclusionMap pixels = occlusion({model, image, {}, {1, Cover::grey, 2}});
    EXPECT_NEAR(pixels.drop(1, 2), plain.head->probabilities(0, 2) - forward(model, grey).head->probabilities(0, 2),
                1e-6);
    EXPECT_NE(pixels.drop(1, 2), 0.0F);
}

TEST(Occlusion, UnderAShuffleTheMapFollowsTheTokens) {
    const Model model = lively_model(small_measured(), 15);
    const Tensor3 image = wavy_picture(model.config);
    const std::vector<Intervention> what_ifs = {shuffle_tokens(2)};
    const std::vector<int> order = shuffled_order(9, 2);
    const OcclusionMap map = occlusion({model, image, what_ifs, {1, Cover::grey, 2}});
    const std::size_t token = 4, patch = static_cast<std::size_t>(order[token]), top = patch / 3 * 4,
                      left = patch % 3 * 4;
    Tensor3 grey = image;
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t y = top; y < top + 4; ++y) std::fill_n(&grey(c, y, left), 4, 0.0F);
    const auto p = [&](const Tensor3& x) { return forward(model, x, {}, what_ifs).head->probabilities(0, 2); };
    EXPECT_NEAR(map.drop.data()[token], p(image) - p(grey), 1e-6);
}

TEST(Occlusion, TellsHowFarItIsAndStopsWhenAsked) {
    const Model model = lively_model(small_measured(), 14);
    int changes = 0;
    const OcclusionMap whole =
        occlusion({model, wavy_picture(model.config), {}, {1, Cover::mean, 0}}, [&](const OcclusionMap& map) {
            ++changes;
            EXPECT_EQ(std::accumulate(map.counts.begin(), map.counts.end(), 0), map.done);
        });
    EXPECT_GE(changes, 1);
    EXPECT_EQ(whole.done, 9);
    int calls = 0;
    EXPECT_THROW(occlusion({model, wavy_picture(model.config), {}, {1, Cover::mean, 0}}, {},
                           [&](double) {
                               if (++calls == 4) throw Cancelled();
                           }),
                 Cancelled);
    EXPECT_EQ(calls, 4);
}

}  // namespace
}  // namespace vitrine
