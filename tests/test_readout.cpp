#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/random.h"
#include "core/measures/analysis.h"
#include "core/measures/attention_measures.h"
#include "core/measures/catalogue.h"
#include "core/measures/head_statistics.h"
#include "core/measures/outliers.h"
#include "core/measures/relevance.h"
#include "core/measures/rollout.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/forward.h"
#include "core/vit/readout.h"
#include "tests/golden_files.h"

namespace vitrine {
namespace {

/// 6 patches, and a class token where it is asked for.
Config small(Readout readout, bool class_token) {
    Config c;
    c.image_height = 16;
    c.image_width = 24;
    c.patch_size = 8;
    c.embedding_dim = 8;
    c.heads = 2;
    c.blocks = 2;
    c.mlp_dim = 12;
    c.classes = 3;
    c.readout = readout;
    if (!class_token) c.leading.clear();
    return c;
}

Tensor2 random_rows(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    Tensor2 x = tensor2(rows, columns);
    Random random(seed);
    for (float& v : x) v = random.normal();
    return x;
}

Trace run_of(const Model& model) {
    Tensor3 image = tensor3(3, 16, 24);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::sin(static_cast<float>(i));
    return forward(model, image);
}

TEST(Tokens, AndPatchesAreTakenIntoOneAnotherWithAndWithoutAClassToken) {
    for (const bool class_token : {true, false}) {
        const Config c = small(Readout::mean, class_token);
        EXPECT_EQ(c.tokens(), c.leading_tokens() + 6);
        EXPECT_EQ(c.is_patch(0), !class_token);
        for (int patch = 0; patch < 6; ++patch) {
            EXPECT_TRUE(c.is_patch(c.token_of(patch)));
            EXPECT_EQ(c.patch_of(c.token_of(patch)), patch);
        }
        const std::vector<float> numbers(static_cast<std::size_t>(c.tokens()), 1.0F);
        EXPECT_EQ(c.patches_of(numbers).size(), 6U);
    }
}

TEST(Tokens, AModelWithoutAClassTokenRunsAndIsMeasuredOnItsPatchesAlone) {
    const Model model = random_model(small(Readout::mean, false), 3);
    const Config& c = model.config;
    const Trace trace = run_of(model);
    EXPECT_EQ(trace.embedding->tokens, trace.embedding->patch_embedding);
    ASSERT_EQ(trace.z(2).shape()[0], 6U);
    EXPECT_EQ(token_labels(c).front(), "patch 1");
    EXPECT_EQ(token_labels(c).size(), 6U);
    const HeadStatistics s = head_statistics(trace, c);
    const std::vector<float> all(6, 1.0F);
    EXPECT_EQ(s.of("class_share")(1, 1), 0.0F);
    EXPECT_NEAR(attention_share(trace, all)(1, 1), 1, 1e-5) << "everything goes to patches";
    EXPECT_NEAR(s.of("distance")(1, 1), mean_attention_distance(*trace.block(2), 1, c), 1e-4);
    const std::vector<float> lengths = row_norms(trace.z(1));
    EXPECT_LE(token_norms(c, trace).levels[1].median, *std::max_element(lengths.begin(), lengths.end()));
}

TEST(Readout, IsTheClassTokenTheMeanOfThePatchesOrTheLastToken) {
    const Config c = small(Readout::class_token, true);
    const Tensor2 x = random_rows(14, 3, 1);  // two images
    const Tensor2 own = read_out(c, x), last = read_out(small(Readout::last, true), x),
                  mean = read_out(small(Readout::mean, true), x);
    ASSERT_EQ(mean.shape()[0], 2U);
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(own(b, i), x(b * 7, i));
            EXPECT_EQ(last(b, i), x(b * 7 + 6, i));
            double sum = 0;
            for (std::size_t patch = 0; patch < 6; ++patch) sum += static_cast<double>(x(b * 7 + 1 + patch, i));
            EXPECT_NEAR(mean(b, i), sum / 6, 1e-6);
        }
}

TEST(Readout, ItsWayBackIsItsAdjoint) {
    for (const Readout readout : {Readout::class_token, Readout::mean, Readout::last}) {
        const Config c = small(readout, true);
        const Tensor2 x = random_rows(14, 5, 2), dy = random_rows(2, 5, 3);
        const Tensor2 y = read_out(c, x), dx = read_out_back(c, dy);
        double forth = 0, back = 0;
        for (std::size_t i = 0; i < y.size(); ++i)
            forth += static_cast<double>(y.data()[i]) * static_cast<double>(dy.data()[i]);
        for (std::size_t i = 0; i < x.size(); ++i)
            back += static_cast<double>(x.data()[i]) * static_cast<double>(dx.data()[i]);
        EXPECT_NEAR(forth, back, 1e-5) << name_of(readout);
    }
}

TEST(Readout, ItsAttentionRowIsTheMeanOfTheQueriesThatAreRead) {
    const Model model = random_model(small(Readout::mean, true), 4);
    const Trace trace = run_of(model);
    const auto block = trace.block(2);
    const std::vector<float> row = readout_row(model.config, *block, 1);
    double sum = 0, third = 0;
    for (const float a : row) sum += static_cast<double>(a);
    for (int query = 1; query <= 6; ++query) third += static_cast<double>(attention_row(*block, 1, query)[3]) / 6;
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_NEAR(row[3], third, 1e-6);
    const Config last = small(Readout::last, true);
    EXPECT_EQ(readout_row(last, *block, 0)[2], attention_row(*block, 0, 6)[2]);
}

TEST(Readout, OfAPoolingByAttentionIsFollowedByItsWeightsAsInPyTorch) {
    const Model model = load_model(golden_folder / "blocks/attention_pooling");
    GoldenFile run("blocks/attention_pooling.safetensors"), expected("blocks/attention_pooling_measures.safetensors");
    Tensor3 image = tensor3(3, 8, 12);
    std::copy_n(run["image"].data(), image.size(), image.data());
    const Trace trace = forward(model, image);
    const auto agrees = [&](const std::vector<float>& got, const char* name) {
        const std::span<const float> want = expected[name];
        ASSERT_EQ(got.size(), want.size());
        EXPECT_LE(difference(got.data(), want.data(), want.size()), 1e-4) << name;
    };
    const std::vector<float> shares = readout_shares(model.config, *trace.head);
    agrees(shares, "shares");
    agrees(mean_readout_row(*trace.block(3), shares), "last");
    const RolloutOptions plain, other{.fusion = HeadFusion::max, .residual = 0.3F, .discard = 0.4F};
    for (const auto& [options, name] : {std::pair(plain, "rollout.mean"), {other, "rollout.max"}})
        agrees(rollout_of_readout(model.config, *trace.head, attention_rollout(trace, options), options), name);
    const RelevanceOf of{model, trace, {}, {2, {}}};
    agrees(relevance_of_readout(of, relevance_by_block(of).back()), "relevance");
    const Table table = measure({.model = model, .trace = trace, .target = 2}, "relevance_readout");
    agrees(table.values, "relevance");
}

TEST(Readout, OfOneTokenIsItsRowOfTheRollout) {
    const Model model = random_model(small(Readout::class_token, true), 4);
    const Trace trace = run_of(model);
    const Tensor2 rollout = attention_rollout(trace);
    const std::vector<float> row = rollout_of_readout(model.config, *trace.head, rollout, {});
    EXPECT_EQ(row, std::vector<float>(rollout.data(), rollout.data() + row.size()));
}

}  // namespace
}  // namespace vitrine
