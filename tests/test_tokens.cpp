#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/error.h"
#include "core/measures/catalogue.h"
#include "core/measures/head_statistics.h"
#include "core/measures/picture_measures.h"
#include "core/training/recipe.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/cost.h"
#include "core/vit/forward.h"
#include "core/vit/readout.h"
#include "core/vit/what_ifs.h"
#include "tests/lively_model.h"
#include "tests/spoilt_checkpoint.h"
#include "tests/token_models.h"

// A class token, a distillation token, registers, and no token but the patches.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST(TokenKinds, AreToldInTheOrderOfTheSequence) {
    const Config c = with_every_kind_of_token();
    EXPECT_EQ(c.tokens(), 10);
    EXPECT_EQ(c.leading_tokens(), 4);
    const TokenKind kinds[] = {TokenKind::class_token,    TokenKind::distillation, TokenKind::register_token,
                               TokenKind::register_token, TokenKind::patch,        TokenKind::patch};
    const int numbers[] = {0, 0, 0, 1, 0, 1};
    for (int token = 0; token < 6; ++token) {
        EXPECT_EQ(c.kind_of(token), kinds[token]) << token;
        EXPECT_EQ(c.number_in_kind(token), numbers[token]) << token;
        EXPECT_EQ(c.is_patch(token), token >= 4);
    }
    EXPECT_EQ(c.first_of(TokenKind::register_token), 2);
    EXPECT_EQ(c.count_of(TokenKind::register_token), 2);
    EXPECT_EQ(c.first_of(TokenKind::patch), 4);
    EXPECT_FALSE(without_class_token().first_of(TokenKind::class_token));
    EXPECT_EQ(without_class_token().first_of(TokenKind::patch), 0);
}

TEST(TokenKinds, OnlyTokensWithAPositionAreRowsOfEpos) {
    const Config c = with_every_kind_of_token();
    EXPECT_EQ(c.position_rows(), 8);
    EXPECT_EQ(c.first_patch_position(), 2);
    const std::optional<int> rows[] = {0, 1, std::nullopt, std::nullopt, 2, 3};
    for (int token = 0; token < 6; ++token) EXPECT_EQ(c.position_row(token), rows[token]) << token;
    EXPECT_EQ(without_class_token().position_row(0), 0);
}

TEST(TokenKinds, TheEmbeddingPutsThemBeforeThePatchesAndAddsPositionsToThoseThatHaveOne) {
    const Model model = random_model(with_every_kind_of_token(), 3);
    const Weights& w = model.weights;
    const Trace trace = forward(model, wavy_picture(model.config));
    ASSERT_EQ(trace.z(0).shape()[0], 10U);
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(trace.z(0)(0, i), w.leading(0, i) + w.position(0, i));
        EXPECT_EQ(trace.z(0)(1, i), w.leading(1, i) + w.position(1, i));
        EXPECT_EQ(trace.z(0)(2, i), w.leading(2, i)) << "a register has no position";
        EXPECT_EQ(trace.z(0)(3, i), w.leading(3, i));
        for (std::size_t patch = 0; patch < 6; ++patch)
            EXPECT_EQ(trace.z(0)(4 + patch, i), trace.embedding->patch_embedding(patch, i) + w.position(2 + patch, i));
    }
}

TEST(TokenKinds, AWhatIfCountsPatches) {
    const Config c = with_every_kind_of_token();
    EXPECT_EQ(parse_intervention("patch:1", c), remove_token(4));
    EXPECT_EQ(parse_intervention("patch:6", c), remove_token(9));
    EXPECT_THROW(parse_intervention("patch:7", c), Error);
    EXPECT_EQ(to_word(remove_token(4), c), "patch:1");
    EXPECT_EQ(parse_intervention("patch:1", without_class_token()), remove_token(0));
    EXPECT_EQ(to_word(remove_token(0), without_class_token()), "patch:1");
}

TEST(TokenKinds, MeasuresKeepToThePatchesAndNameEveryToken) {
    for (const Config& c : {with_every_kind_of_token(), without_class_token()}) {
        const Model model = random_model(c, 4);
        const Trace trace = forward(model, wavy_picture(c));
        const auto n = static_cast<std::size_t>(c.tokens());
        EXPECT_EQ(token_labels(c).size(), n);
        for (const MeasureEntry& entry : measure_catalogue()) {
            const Table t = measure({model, trace}, entry.name);
            const std::size_t cells =
                std::accumulate(t.shape.begin(), t.shape.end(), std::size_t{1}, std::multiplies<>());
            EXPECT_EQ(t.values.size(), cells) << entry.name;
        }
        const Tensor2 share = head_statistics(trace, c).of("class_share");
        const auto block = trace.block(1);
        double to_class = 0;
        if (const std::optional<int> token = c.first_of(TokenKind::class_token))
            for (int query = 0; query < c.tokens(); ++query)
                to_class += static_cast<double>(attention_row(*block, 2, query)[static_cast<std::size_t>(*token)]);
        EXPECT_NEAR(share(0, 2), to_class / c.tokens(), 1e-6) << "the class token's alone";
        const PictureMeasures measures = picture_measures(c, trace);
        const Tensor2 read = read_out(c, trace.z(2));
        double likeness = 0;
        for (int patch = 0; patch < c.patches(); ++patch) {
            const auto token = static_cast<std::size_t>(c.token_of(patch));
            likeness +=
                static_cast<double>(cosine({read.data(), read.size()}, {&trace.z(2)(token, 0), read.size()})) / 6;
        }
        EXPECT_NEAR(measures.stream[2]->likeness, likeness, 1e-6);
    }
    const std::vector<std::string> labels = token_labels(with_every_kind_of_token());
    EXPECT_EQ((std::vector<std::string>{labels.begin(), labels.begin() + 5}),
              (std::vector<std::string>{"class token", "distillation token", "register 1", "register 2", "patch 1"}));
}

TEST(TokenKinds, CostCountsThemAndTheirPositions) {
    std::vector<Config> all = {with_every_kind_of_token(), without_class_token()};
    for (const Readout readout : {Readout::class_and_mean, Readout::class_and_distillation}) {
        all.push_back(with_every_kind_of_token());
        all.back().readout = readout;
    }
    all.back().embedding_norm = true;
    all.back().patch_bias = false;
    all.back().features = 9;
    for (const Config& c : all) {
        const Model model = random_model(c, 1);
        const Cost cost = cost_of(c);
        EXPECT_EQ(cost.parameters, static_cast<double>(model.weights.parameter_count()));
        EXPECT_EQ(cost.attention_bytes, 4.0 * c.blocks * c.heads * c.tokens() * c.tokens());
    }
}

class SavedTokens : public ::testing::Test {
protected:
    TestFolder own;
    fs::path folder = own.path() / "model";

    void expect_the_same_bits(const Config& c) {
        const Model model = random_model(c, 8);
        save_model(model, folder, Precision::f32);
        const Model opened = load_model(folder);
        EXPECT_EQ(opened.config.leading, c.leading);
        EXPECT_EQ(opened.config.readout, c.readout);
        EXPECT_EQ(opened.config.norm_before_mean, c.norm_before_mean);
        EXPECT_EQ(std::tie(opened.config.embedding_norm, opened.config.patch_bias, opened.config.features),
                  std::tie(c.embedding_norm, c.patch_bias, c.features));
        EXPECT_EQ(opened.config.positions, c.positions);
        EXPECT_EQ(std::tie(opened.config.query_bias, opened.config.key_bias, opened.config.value_bias),
                  std::tie(c.query_bias, c.key_bias, c.value_bias));
        EXPECT_EQ(opened.weights.parameter_count(), model.weights.parameter_count());
        Model same = model;  // laid out for the matrix library as the opened one is
        prepare(same);
        const Trace before = forward(same, wavy_picture(c)), after = forward(opened, wavy_picture(c));
        EXPECT_EQ(after.z(0), before.z(0));
        EXPECT_EQ(after.head->logits, before.head->logits);
        EXPECT_EQ(after.head->features, before.head->features);
    }
};

TEST_F(SavedTokens, EveryLayoutOfTokensAndEveryReadoutComesBackBitForBit) {
    for (const std::vector<LeadingTokens>& leading : {with_every_kind_of_token().leading,
                                                      std::vector<LeadingTokens>{},
                                                      {{TokenKind::class_token}},
                                                      {{TokenKind::class_token, 1, false}},
                                                      {{TokenKind::register_token, 3}, {TokenKind::class_token}}})
        for (const auto& [readout, name] : readout_names) {
            Config c = with_every_kind_of_token();
            c.leading = leading;
            c.readout = readout;
            c.pooling_dim = c.pools() ? 10 : 0;
            if ((readout == Readout::class_token || c.reads_two()) && !c.first_of(TokenKind::class_token)) continue;
            if (readout == Readout::class_and_distillation && !c.first_of(TokenKind::distillation)) continue;
            SCOPED_TRACE(std::to_string(c.leading_tokens()) + " before the patches, reads " + name);
            expect_the_same_bits(c);
        }
}

TEST_F(SavedTokens, SoDoANormBeforeTheBlocksAProjectionAndTheOrderOfNormAndMean) {
    Config c = with_every_kind_of_token();
    c.embedding_norm = true;
    c.patch_bias = false;
    c.features = 6;
    expect_the_same_bits(c);
    c.classes = 0;
    c.ending = HeadKind::features;
    expect_the_same_bits(c);
    c = without_class_token();
    c.norm_before_mean = true;
    expect_the_same_bits(c);
}

TEST_F(SavedTokens, SoDoPositionsOfEveryKindAndEachOfTheThreeBiases) {
    const Config usual = with_every_kind_of_token();
    for (const auto& [positions, name] : positions_table) {
        Config c = usual;
        c.positions = positions;
        expect_the_same_bits(c);
    }
    for (bool Config::*const bias : {&Config::query_bias, &Config::key_bias, &Config::value_bias}) {
        Config c = usual;
        c.*bias = false;
        expect_the_same_bits(c);
        c.query_bias = c.key_bias = c.value_bias = false;
        c.*bias = true;
        expect_the_same_bits(c);
    }
}

TEST_F(SavedTokens, OfTheUsualKindAreSavedAsEver) {
    Config c = with_every_kind_of_token();
    c.leading = Config().leading;
    save_model(random_model(c, 8), folder, Precision::f32);
    const auto json = nlohmann::json::parse(std::ifstream(folder / "config.json"));
    for (const auto& [key, value] : json.items()) EXPECT_FALSE(key.starts_with("vitrine_")) << key;
    EXPECT_EQ(json.at("qkv_bias"), true);
}

TEST_F(SavedTokens, AWrongListOfTokensIsRefusedInASentence) {
    save_model(random_model(with_every_kind_of_token(), 8), folder, Precision::f32);
    const auto json = nlohmann::json::parse(std::ifstream(folder / "config.json"));
    const auto expect_refused = [&](const char* key, const nlohmann::json& value, const char* words) {
        nlohmann::json wrong = json;
        wrong[key] = value;
        std::ofstream(folder / "config.json") << wrong;
        try {
            load_model(folder);
            ADD_FAILURE() << value << " was taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    using Json = nlohmann::json;
    const Json one = {{"kind", "class"}};
    expect_refused("vitrine_tokens", "class", "vitrine_tokens");
    expect_refused("vitrine_tokens", {Json{{"kind", "patch"}}}, "vitrine_tokens");
    expect_refused("vitrine_tokens", Json::array({one, one}), "at most once");
    expect_refused("vitrine_tokens", Json::array({Json{{"kind", "register"}, {"count", 0}}}), "count");
    expect_refused(
        "vitrine_tokens",
        Json::array({Json{{"kind", "distillation"}}, Json{{"kind", "register"}, {"count", 2}, {"position", false}}}),
        "vitrine_readout");
    expect_refused("vitrine_tokens", Json::array({one}), "needs 7 positions but the file has 8");
    expect_refused("vitrine_readout", "first", "vitrine_readout");
    expect_refused("vitrine_biases", {"output"}, "vitrine_biases");
    expect_refused("vitrine_positions", "somewhere", "vitrine_positions");
}

TEST(RecipesOfEarlierVersions, SayBiasesOfAllThreeAndWhetherThereArePositions) {
    Recipe r = standard_recipe();
    r.model.key_bias = false;
    EXPECT_EQ(to_json(recipe_from_json(to_json(r), "recipe")), to_json(r)) << "each bias on its own";
    auto json = nlohmann::json::parse(to_json(standard_recipe()));
    json["qkv_bias"] = false;
    json["positions"] = false;
    const Config c = recipe_from_json(json.dump(), "recipe").model;
    EXPECT_FALSE(c.query_bias || c.key_bias || c.value_bias);
    EXPECT_EQ(c.positions, Positions::none);
    json["positions"] = true;
    EXPECT_EQ(recipe_from_json(json.dump(), "recipe").model.positions, Positions::learned);
}

}  // namespace
}  // namespace vitrine
