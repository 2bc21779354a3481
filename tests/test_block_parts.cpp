#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "core/base/random.h"
#include "core/files/safetensors.h"
#include "core/measures/ledger.h"
#include "core/training/loss.h"
#include "core/transformer/attention_places.h"
#include "core/transformer/edits.h"
#include "core/vit/backward.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/cost.h"
#include "core/vit/forward.h"
#include "core/vit/image_size.h"
#include "core/vit/provenance.h"
#include "core/vit/token_places.h"
#include "core/vit/weight_parts.h"
#include "tests/block_models.h"
#include "tests/edited_cells.h"
#include "tests/example_edits.h"
#include "tests/golden_files.h"
#include "tests/test_folder.h"

// Parts that not every block has: layer scale, a gated MLP, a norm inside the MLP, rotary positions, normalised queries
// and keys, a table of relative positions.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

constexpr int part_images = 2;
const std::vector<int> part_labels = {2, 0};

/// A model whose numbers are large enough that every part shows.
struct LivelyParts {
    FlatWeights weights;
    Model model;
    Tensor3 pixels;

    explicit LivelyParts(const Config& c)
        : weights(c),
          pixels(tensor3(part_images * 3, static_cast<std::size_t>(c.image_height),
                         static_cast<std::size_t>(c.image_width))) {
        Random random(11);
        for (const NamedParameter& p : parameters_of(weights.weights())) {
            const bool gain = p.parameter.shape().size() == 1 && !p.name.ends_with("bias");
            float* const values = weights.at(p.parameter);
            for (std::size_t i = 0; i < p.parameter.size(); ++i)
                values[i] = 0.3F * random.normal() + (gain ? 1.0F : 0.0F);
        }
        for (float& x : pixels) x = random.normal();
        model = random_model(c, 1);
        model.weights = weights.weights();
    }

    double loss(const std::vector<Intervention>& what_ifs) const {
        return cross_entropy(forward(model, pixels, {}, what_ifs).head->logits, part_labels, {}).sum;
    }
    void go_back(FlatWeights& gradients, const std::vector<Intervention>& what_ifs = {},
                 Keep keep = Keep::parameters) const {
        const Trace trace = forward(model, pixels, {}, what_ifs);
        backward({model, trace, what_ifs, keep}, cross_entropy(trace.head->logits, part_labels, {}).gradient,
                 gradients);
    }
    /// The first image's run.
    Trace run(const std::vector<Intervention>& what_ifs = {}) const {
        Tensor3 one = tensor3(3, pixels.shape()[1], pixels.shape()[2]);
        std::copy_n(pixels.data(), one.size(), one.data());
        return what_if(model, forward(model, one), what_ifs);
    }
};

/// Every kind of edit, and each part of a block switched off.
std::vector<std::vector<Intervention>> part_what_ifs() {
    std::vector<std::vector<Intervention>> lists = {{}};
    for (const Intervention& one : example_edits()) lists.push_back({one});
    for (const Intervention& one :
         {remove_head(1, 1), remove_token(2), remove_mlp(2), remove_positions(), value_is_query(1), without_skips(1),
          normalise(Norm::none), normalise(Norm::after, 2), activate_with(Activation::relu, 1)})
        lists.push_back({one});
    lists.push_back({key_is_query(), temperature(3), remove_head(2, 0)});
    return lists;
}

std::string part_words(const std::vector<Intervention>& what_ifs) {
    return what_ifs.empty() ? "no what-if" : describe(what_ifs.front());
}

/// The scripts' own name of a parameter: "1.norm1.weight" of block 2.
std::string part_golden_name(std::string name) {
    static const std::pair<const char*, const char*> pieces[] = {
        {"vitrine_pooling.query", "pool_q"},
        {"vitrine_pooling.key", "pool_k"},
        {"vitrine_pooling.value", "pool_v"},
        {"vitrine_pooling.output", "pool_o"},
        {"vitrine_pooling.layernorm", "pool_ln"},
        {"vitrine_pooling.intermediate", "pool_in"},
        {"vitrine_pooling.mlp_output", "pool_out"},
        {"vitrine_pooling.", ""},
        {"vit.encoder.layer.", ""},
        {"vit.embeddings.patch_embeddings.projection", "patch"},
        {"vit.embeddings.leading_tokens", "class"},
        {"vit.embeddings.position_embeddings", "position"},
        {"vit.layernorm", "norm"},
        {"classifier", "head"},
        {"layernorm_before", "norm1"},
        {"attention.attention.vitrine_query_norm", "q_norm"},
        {"attention.attention.vitrine_key_norm", "k_norm"},
        {"attention.attention.relative_position_bias.relative_position_bias_table", "table"},
        {"layernorm_after", "norm2"},
        {"attention.attention.query", "q"},
        {"attention.attention.key", "k"},
        {"attention.attention.value", "v"},
        {"attention.output.dense", "proj"},
        {"intermediate.dense", "fc1"},
        {"intermediate.vitrine_value", "value"},
        {"intermediate.vitrine_norm", "mlp_norm"},
        {"output.dense", "fc2"},
        {"layer_scale1.lambda1", "gamma1"},
        {"layer_scale2.lambda1", "gamma2"},
    };
    for (const auto& [ours, theirs] : pieces)
        if (const std::size_t at = name.find(ours); at != std::string::npos)
            name.replace(at, std::string_view(ours).size(), theirs);
    return "gradient." + name;
}

const std::vector<std::string> part_models = {"layer_scale",
                                              "layer_scale_timm",
                                              "swiglu",
                                              "swiglu_norm",
                                              "rotary",
                                              "rotary_eva",
                                              "qk_norm",
                                              "relative_bias",
                                              "rotary_eva_small",
                                              "rotary_timm",
                                              "relative_bias_timm",
                                              "relative_bias_shared",
                                              "attention_pooling",
                                              "rotary_registers",
                                              "rope_vit",
                                              "rope_vit_table"};

TEST(BlockParts, EveryTensorOfEveryFamilyAgreesWithPyTorch) {
    for (const std::string& name : part_models) {
        SCOPED_TRACE(name);
        const Model model = load_model(golden_folder / "blocks" / name);
        GoldenFile expected("blocks/" + name + ".safetensors");
        Tensor3 image = tensor3(3, 8, 12);
        std::copy_n(expected["image"].data(), image.size(), image.data());
        const Trace trace = forward(model, image);
        std::size_t compared = 0, gradients = 0;
        for (const NamedTensor& got : named_tensors(trace)) {
            ASSERT_TRUE(expected.file().entries().contains(got.name)) << got.name;
            EXPECT_EQ(got.shape, expected.file().entries().at(got.name).shape) << got.name;
            const std::span<const float> want = expected[got.name];
            EXPECT_LE(difference(got.data, want.data(), want.size()), 1e-4) << got.name;
            ++compared;
        }
        for (const auto& [tensor, entry] : expected.file().entries()) gradients += tensor.starts_with("gradient.");
        EXPECT_EQ(compared + gradients, expected.file().entries().size()) << "every expected tensor is in the dump";
    }
}

TEST(BlockParts, GradientsOfEveryFamilyAgreeWithPyTorchsAutograd) {
    for (const std::string& name : part_models) {
        SCOPED_TRACE(name);
        const Model model = load_model(golden_folder / "blocks" / name);
        GoldenFile expected("blocks/" + name + ".safetensors");
        Tensor3 image = tensor3(3, 8, 12);
        std::copy_n(expected["image"].data(), image.size(), image.data());
        const Trace trace = forward(model, image);
        for (const Keep keep : {Keep::parameters, Keep::activations}) {
            FlatWeights gradients(model.config);
            backward({model, trace, {}, keep}, cross_entropy(trace.head->logits, std::vector<int>{2}, {}).gradient,
                     gradients);
            std::size_t compared = 0;
            for (const NamedParameter& p : parameters_of(gradients.weights())) {
                if (p.name.find("layer.0.") != std::string::npos || p.name.find("layer.2.") != std::string::npos)
                    continue;  // the file has block 2's alone
                std::string wanted = part_golden_name(p.name);
                if (wanted == "gradient.class" && !model.config.first_of(TokenKind::class_token))
                    wanted = "gradient.registers";
                if (name == "relative_bias_shared" && wanted.ends_with("table")) continue;    // one of several views
                if (model.config.leading.size() > 1 && wanted == "gradient.class") continue;  // one row of several
                ASSERT_TRUE(expected.file().entries().contains(wanted)) << wanted;
                const std::span<const float> want = expected[wanted];
                ASSERT_EQ(want.size(), p.parameter.size()) << wanted;
                ++compared;
                if (p.name.ends_with("key.bias") || p.name.ends_with("key_norm.bias")) continue;  // 0 but for rounding
                EXPECT_LE(difference(p.parameter.data(), want.data(), want.size()), 1e-4) << wanted;
            }
            std::size_t gradients_expected = 0;
            for (const auto& [tensor, entry] : expected.file().entries())
                gradients_expected += tensor.starts_with("gradient.");
            if (model.config.leading.size() > 1) gradients_expected -= 2;  // class and registers
            EXPECT_EQ(compared, gradients_expected);
        }
    }
}

TEST(BlockParts, EveryNumberIsRecomputedFromItsSourcesUnderEveryWhatIf) {
    for (const auto& [name, config] : with_every_block_part()) {
        const LivelyParts lively(config);
        std::set<Quantity> seen;
        for (const std::vector<Intervention>& what_ifs : part_what_ifs()) {
            const Trace trace = lively.run(what_ifs);
            const Record record{lively.model, trace, what_ifs};
            Random random(3);
            for (int q = 0; q < static_cast<int>(Quantity::count); ++q)
                for (int block = 0; block <= config.blocks; ++block) {
                    const auto quantity = static_cast<Quantity>(q);
                    const int head = random.below(config.heads);
                    if (!exists(record, {quantity, block, head, 0, 0})) continue;
                    seen.insert(quantity);
                    const CellMatrix m = matrix_of(record, quantity, block, head);
                    for (int i = 0; i < 8; ++i) {
                        const Cell cell{quantity, block, head, random.below(m.rows), random.below(m.columns)};
                        const Derivation d = derive(record, cell);
                        if (acts_on(what_ifs, cell) || !std::isfinite(d.value)) continue;
                        EXPECT_NEAR(d.result, d.value, 1e-4 * std::max(1.0, std::abs(d.result)))
                            << name << ", " << name_of(quantity, block) << " with " << part_words(what_ifs);
                    }
                }
        }
        for (const Quantity q : {Quantity::msa_scaled, Quantity::mlp_scaled, Quantity::layer_scale_1})
            EXPECT_EQ(seen.contains(q), config.layer_scale) << name;
        for (const Quantity q : {Quantity::mlp_value, Quantity::mlp_gated, Quantity::mlp_value_weight})
            EXPECT_EQ(seen.contains(q), config.gated_mlp) << name;
        EXPECT_EQ(seen.contains(Quantity::mlp_norm), config.mlp_norm) << name;
        for (const Quantity q : {Quantity::rotation, Quantity::q_turned, Quantity::k_turned})
            EXPECT_EQ(seen.contains(q), config.positions == Positions::rotary) << name;
        for (const Quantity q : {Quantity::q_normed, Quantity::k_normed, Quantity::key_norm_beta})
            EXPECT_EQ(seen.contains(q), config.qk_norm) << name;
        EXPECT_EQ(seen.contains(Quantity::position_bias), config.position_bias > 0) << name;
        EXPECT_EQ(seen.contains(Quantity::position), config.position_table) << name;
    }
}

/// f(θ + ε v) − f(θ − ε v) over 2 ε.
TEST(BlockParts, GradientsFollowEveryWhatIf) {
    for (const auto& [name, config] : with_every_block_part())
        for (const std::vector<Intervention>& what_ifs : part_what_ifs()) {
            SCOPED_TRACE(name + ", " + part_words(what_ifs));
            LivelyParts it(config);
            FlatWeights gradients(config);
            it.go_back(gradients, what_ifs);
            constexpr double step = 2e-4;
            Random random(5);
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
                return it.loss(what_ifs);
            };
            const double numeric = (loss_at(step) - loss_at(-step)) / (2 * step);
            EXPECT_NEAR(numeric, expected, 0.02 * (1 + std::abs(expected)));
        }
}

TEST(BlockParts, TheShortWayThroughTheLastBlockGivesTheSameGradients) {
    for (const auto& [name, config] : with_every_block_part()) {
        const LivelyParts it(config);
        FlatWeights shorter(config), whole(config);
        it.go_back(shorter);
        it.go_back(whole, {}, Keep::activations);
        EXPECT_LE(difference(shorter.values().data(), whole.values().data(), whole.values().size()), 1e-5) << name;
    }
}

TEST(BlockParts, TheLedgerAddsUpToTheLogitsUnderEveryWhatIf) {
    for (const auto& [name, config] : with_every_block_part()) {
        const LivelyParts lively(config);
        for (const std::vector<Intervention>& what_ifs : part_what_ifs()) {
            const Trace trace = lively.run(what_ifs);
            const Ledger ledger = logit_ledger(lively.model, trace, what_ifs);
            for (std::size_t c = 0; c < static_cast<std::size_t>(config.classes); ++c) {
                double sum = 0;
                for (std::size_t e = 0; e < ledger.entries.size(); ++e)
                    sum += static_cast<double>(ledger.contributions(e, c));
                EXPECT_NEAR(sum, trace.head->logits(0, c), 1e-3 * (1 + std::abs(sum)))
                    << name << " with " << part_words(what_ifs);
            }
        }
    }
}

TEST(BlockParts, WithoutPositionsNothingIsTurned) {
    for (const auto& [name, config] : with_every_block_part()) {
        if (config.positions != Positions::rotary) continue;
        const LivelyParts lively(config);
        const Trace trace = lively.run({remove_positions()}), plain = lively.run();
        const auto block = trace.block(1);
        EXPECT_EQ(block->turned_q, block->normed_q.size() > 0 ? block->normed_q : block->q) << name;
        EXPECT_NE(plain.block(1)->turned_q, plain.block(1)->q) << name;
        const auto token = static_cast<std::size_t>(*config.first_of(TokenKind::class_token));
        EXPECT_EQ(plain.block(1)->queries()(0, token, 3),
                  config.qk_norm ? plain.block(1)->normed_q(0, token, 3) : plain.block(1)->q(0, token, 3))
            << "tokens before the patches are not turned";
    }
}

/// Turned queries and keys depend on the difference of their places alone.
TEST(BlockParts, ScoresOfTurnedVectorsDependOnTheDistanceAlone) {
    Config c = plain_blocks();
    c.positions = Positions::rotary;
    const Tensor2 angles = rotation_angles(c);
    const TokenPlaces places = token_places(c, angles);
    const Editor edit;
    const Layer layer{c, 1, {1, c.tokens()}, edit, &places};
    AttentionTrace t;
    t.q = t.k = tensor3(1, static_cast<std::size_t>(c.tokens()), 8);
    for (std::size_t token = 0; token < t.q.shape()[1]; ++token)  // the same vectors everywhere
        for (std::size_t i = 0; i < 8; ++i) {
            t.q(0, token, i) = std::sin(static_cast<float>(i));
            t.k(0, token, i) = std::cos(static_cast<float>(3 * i));
        }
    place_queries_and_keys(layer, {}, t);
    const auto score = [&](int query, int key) {
        double sum = 0;
        for (std::size_t i = 0; i < 8; ++i)
            sum += static_cast<double>(t.turned_q(0, static_cast<std::size_t>(c.token_of(query)), i)) *
                   static_cast<double>(t.turned_k(0, static_cast<std::size_t>(c.token_of(key)), i));
        return sum;
    };
    EXPECT_NEAR(score(0, 1), score(1, 2), 1e-4);
    EXPECT_NEAR(score(0, 3), score(2, 5), 1e-4);
    EXPECT_GT(std::abs(score(0, 1) - score(1, 0)), 1e-2) << "a direction has two ends";
}

TEST(BlockParts, CountAsTheyAre) {
    for (const auto& [name, config] : with_every_block_part()) {
        const LivelyParts lively(config);
        const std::size_t count = lively.model.weights.parameter_count();
        EXPECT_EQ(lively.weights.values().size(), count) << name;
        EXPECT_EQ(cost_of(config).parameters, static_cast<double>(count)) << name;
        const auto parts = weights_by_part(lively.model.weights);
        EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), 0.0), static_cast<double>(count)) << name;
        EXPECT_EQ(weight_sizes(config).by_part, parts) << name;
        double bytes = 0;
        const Trace trace = lively.run();
        for (const NamedTensor& t : named_tensors(trace)) {
            const double numbers = std::accumulate(t.shape.begin(), t.shape.end(), 1.0, std::multiplies<>());
            bytes += t.name.starts_with("block.") || t.name.starts_with("z.") ? 4 * numbers : 0;
        }
        bytes -= 4.0 * config.tokens() * config.embedding_dim;  // z.0 is no block's
        EXPECT_EQ(trace.embedding->rotation.size() > 0, config.positions == Positions::rotary) << name;
        EXPECT_EQ(cost_of(config).block_bytes * config.blocks, bytes) << name;
    }
}

TEST(BlockParts, AreReadFromTheNamesOfEachFamily) {
    const auto opened = [](const char* name) { return load_model(golden_folder / "blocks" / name); };
    const Model eva = opened("rotary_eva_small"), dinov3 = opened("rotary_timm"), beit = opened("relative_bias_timm");
    EXPECT_EQ(eva.config.rotary, (Rotary{10000, true, 16}));
    EXPECT_TRUE(eva.config.gated_mlp && eva.config.query_bias && !eva.config.key_bias && eva.config.value_bias);
    EXPECT_EQ(dinov3.provenance.layout, "timm (DINOv3)");
    EXPECT_EQ(dinov3.config.rotary, (Rotary{100, false, 0}));
    EXPECT_EQ(dinov3.config.layer_norm_epsilon, 1e-5F);
    EXPECT_FALSE(dinov3.config.query_bias || dinov3.config.value_bias);
    EXPECT_EQ(dinov3.config.count_of(TokenKind::register_token), 2);
    EXPECT_EQ(beit.config.readout, Readout::mean);
    const Model registers = opened("rotary_registers");
    EXPECT_EQ(registers.provenance.layout, "timm (rotary)");
    EXPECT_EQ(registers.config.rotary, (Rotary{10000, true, 16}));
    EXPECT_EQ(registers.config.layer_norm_epsilon, 1e-6F);
    for (const char* const name : {"rope_vit", "rope_vit_table"})
        EXPECT_EQ(opened(name).config.rotary, (Rotary{100, true, Rotary::own_grid, true})) << name;
    // At another image size the places are counted on, not squeezed into the grid of the training.
    const auto usual = std::make_shared<Model>(opened("rope_vit"));
    const Tensor2 before = rotation_angles(usual->config), after = rotation_angles(at_size(usual, {16, 12})->config);
    for (std::size_t pair = 0; pair < before.shape()[1]; ++pair) EXPECT_EQ(after(6, pair), before(6, pair));
    const Model shared = opened("relative_bias_shared");
    EXPECT_EQ(shared.weights.blocks[0].position_bias.data(), shared.weights.blocks[2].position_bias.data());
    const auto notes = [](const Model& model, const char* words) {
        return std::ranges::any_of(model.provenance.notes,
                                   [&](const auto& note) { return note.find(words) != std::string::npos; });
    };
    EXPECT_TRUE(notes(shared, "share one table"));
    // Without timm's configuration, EVA-02 is known by its parts.
    const TestFolder own;
    fs::copy_file(golden_folder / "blocks/rotary_eva_small/model.safetensors", own.path() / "model.safetensors");
    std::ofstream(own.path() / "config.json") << R"({"image_size": [8, 12], "num_attention_heads": 4})";
    const Model unnamed = load_model(own.path());
    EXPECT_EQ(unnamed.config.positions, Positions::rotary);
    EXPECT_EQ(unnamed.config.rotary, eva.config.rotary);
    EXPECT_TRUE(notes(unnamed, "EVA-02"));
}

/// A table of relative positions for a wider grid: its corners, which clamping keeps, and the entries of the class
/// token stay; the run agrees with one whose table was interpolated by hand.
TEST(BlockParts, ATableOfRelativePositionsIsInterpolatedForAnotherImageSize) {
    const auto usual = std::make_shared<Model>(load_model(golden_folder / "blocks/relative_bias"));
    const std::shared_ptr<const Model> wide = at_size(usual, {16, 12});
    EXPECT_EQ(wide->config.position_bias, (2 * 4 - 1) * (2 * 3 - 1) + 3);
    const Parameter &before = usual->weights.blocks[1].position_bias, &after = wide->weights.blocks[1].position_bias;
    ASSERT_EQ(after.shape()[0], static_cast<std::size_t>(wide->config.position_bias));
    for (std::size_t head = 0; head < before.shape()[1]; ++head) {
        EXPECT_EQ(after(0, head), before(0, head));
        for (std::size_t last = 1; last <= 3; ++last)
            EXPECT_EQ(after(after.shape()[0] - last, head), before(before.shape()[0] - last, head));
        // Three rows of offsets become seven; the middle one stays in the middle.
        EXPECT_NEAR(after(3 * 5 + 2, head), before(1 * 5 + 2, head), 1e-6);
    }
    Tensor3 pixels = tensor3(3, 16, 12);
    std::fill(pixels.begin(), pixels.end(), 0.3F);
    EXPECT_EQ(forward(*wide, pixels).head->logits.shape()[1], 5U);
    EXPECT_EQ(at_size(wide, {8, 12}), usual) << "and back";
}

TEST(BlockParts, TimmSpreadsTheOffsetsOfATableGeometrically) {
    const auto usual = std::make_shared<Model>(load_model(golden_folder / "blocks/relative_bias_timm"));
    EXPECT_EQ(usual->stored.bias_rule, PositionRule::geometric);
    const std::shared_ptr<const Model> tall = at_size(usual, {16, 12});
    const Parameter &before = usual->weights.blocks[1].position_bias, &after = tall->weights.blocks[1].position_bias;
    // Offsets of 3 rows become 7, those beyond the old ones are the last; of 5 columns the outer one lies at 1 + 1.01.
    for (std::size_t head = 0; head < before.shape()[1]; ++head)
        EXPECT_NEAR(after(0, head), (before(0, head) + 0.01F * before(1, head)) / 1.01F, 1e-4);
    EXPECT_EQ(at_size(at_size(tall, {8, 8}), {16, 12})->stored.bias_rule, PositionRule::geometric);
}

TEST(BlockParts, AreSavedAndOpenedAgainWithTheSameBits) {
    for (const auto& [name, config] : with_every_block_part()) {
        const LivelyParts lively(config);
        const TestFolder folder;
        save_model(lively.model, folder.path(), Precision::f32);
        const Model again = load_model(folder.path());
        EXPECT_TRUE(static_cast<const TransformerConfig&>(again.config) == config) << name;
        EXPECT_EQ(again.weights.parameter_count(), lively.model.weights.parameter_count()) << name;
        EXPECT_EQ(forward(again, lively.pixels).head->logits, forward(lively.model, lively.pixels).head->logits)
            << name;
    }
}

}  // namespace
}  // namespace vitrine
