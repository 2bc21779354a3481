#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/files/safetensors.h"
#include "core/measures/catalogue.h"
#include "core/measures/ledger.h"
#include "core/measures/lens.h"
#include "core/measures/picture_measures.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/layouts.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/cost.h"
#include "core/vit/forward.h"
#include "core/vit/provenance.h"
#include "core/vit/readout.h"
#include "core/vit/what_ifs.h"
#include "tests/golden_files.h"
#include "tests/test_folder.h"

// Families of the hub, in the names that hubs use: tests/golden/make_families.py.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

struct Family {
    std::string name, structure;
};

/// Whether blocks with layer scale are read, which is another file's matter.
bool reads_layer_scale() {
    return std::ranges::none_of(unsupported_parts(),
                                [](const UnsupportedPart& p) { return p.piece == std::string("layer_scale"); });
}

std::vector<Family> all_families() {
    std::ifstream in(golden_folder / "families/index.json");
    std::vector<Family> list;
    const nlohmann::json index = nlohmann::json::parse(in);
    for (const auto& [name, structure] : index.items())
        if (reads_layer_scale() || !name.ends_with("_scaled")) list.push_back({name, structure.get<std::string>()});
    return list;
}

Model opened_family(const std::string& name) {
    LoadOptions options;
    const fs::path folder = golden_folder / "families" / name;
    if (!fs::exists(folder / "config.json")) options.heads = 4;
    return load_model(folder, options);
}

struct FamilyRun {
    explicit FamilyRun(const Family& family)
        : model(opened_family(family.name)), expected("families/expected/" + family.structure + ".safetensors") {
        image = tensor3(3, 32, 32);
        std::copy_n(expected["image"].data(), image.size(), image.data());
        trace = forward(model, image);
    }

    Model model;
    GoldenFile expected;
    Tensor3 image;
    Trace trace;
};

TEST(Families, WhatEachComputesAgreesWithPyTorchInEveryNaming) {
    ASSERT_EQ(all_families().size(), reads_layer_scale() ? 28U : 25U);
    for (const Family& family : all_families()) {
        SCOPED_TRACE(family.name);
        FamilyRun run(family);
        std::size_t compared = 0;
        for (const NamedTensor& got : named_tensors(run.trace)) {
            if (!run.expected.file().entries().contains(got.name)) continue;
            const std::span<const float> want = run.expected[got.name];
            EXPECT_EQ(got.shape, run.expected.file().entries().at(got.name).shape) << got.name;
            EXPECT_LE(difference(got.data, want.data(), want.size()), 1e-4) << got.name;
            ++compared;
        }
        EXPECT_EQ(compared, run.expected.file().entries().size()) << "every expected tensor is in the run";
    }
}

TEST(Families, EveryNumberIsRecomputedFromItsSourcesWithAndWithoutWhatIfs) {
    const std::vector<std::vector<Intervention>> lists = {{},
                                                          {remove_positions()},
                                                          {shuffle_tokens(3)},
                                                          {normalise(Norm::after)},
                                                          {normalise(Norm::none, 2)},
                                                          {without_skips(2)},
                                                          {key_is_query()},
                                                          {activate_with(Activation::relu)}};
    std::set<Quantity> seen;
    for (const Family& family : all_families()) {
        FamilyRun run(family);
        for (const std::vector<Intervention>& what_ifs : lists) {
            const Trace trace = what_if(run.model, run.trace, what_ifs);
            const Record record{run.model, trace, what_ifs};
            Random random(3);
            for (int q = 0; q < static_cast<int>(Quantity::count); ++q)
                for (const int block : {0, 1, 3}) {
                    const auto quantity = static_cast<Quantity>(q);
                    const int head = random.below(4);
                    if (!exists(record, {quantity, block, head, 0, 0})) continue;
                    const CellMatrix m = matrix_of(record, quantity, block, head);
                    for (int i = 0; i < (block == 0 ? 40 : 8); ++i) {
                        const Cell cell{quantity, block, head, random.below(m.rows), random.below(m.columns)};
                        const Derivation d = derive(record, cell);
                        EXPECT_NEAR(d.result, d.value, 5e-5 * std::max(1.0, std::abs(d.result)))
                            << family.name << ": " << name_of(quantity, block) << ", what-ifs: " << what_ifs.size();
                        if (d.rule != Rule::given) seen.insert(quantity);
                        for (const Source& s : d.sources) seen.insert(s.region.quantity);
                    }
                }
        }
    }
    for (const Quantity q :
         {Quantity::placed, Quantity::embedding_norm_gamma, Quantity::embedding_norm_beta, Quantity::head_tokens,
          Quantity::head_each, Quantity::features, Quantity::distillation_weight, Quantity::distillation_bias,
          Quantity::feature_weight, Quantity::register_tokens, Quantity::distillation_token, Quantity::pool_attention,
          Quantity::pool_msa, Quantity::pool_mlp, Quantity::probe, Quantity::pool_key_weight, Quantity::pool_ln_beta})
        EXPECT_TRUE(seen.contains(q)) << name_of(q, 0);
}

TEST(Families, TheLedgerAddsUpToTheLogitsAndTheLensEndsAtThem) {
    int with_classes = 0;
    for (const Family& family : all_families()) {
        SCOPED_TRACE(family.name);
        FamilyRun run(family);
        const Config& c = run.model.config;
        if (c.classes == 0) continue;
        ++with_classes;
        for (const std::vector<Intervention>& what_ifs :
             {std::vector<Intervention>{}, {remove_head(2, 1)}, {remove_positions()}, {normalise(Norm::after)}}) {
            const Trace trace = what_if(run.model, run.trace, what_ifs);
            const Ledger ledger = logit_ledger(run.model, trace, what_ifs);
            const Tensor2 lens = logit_lens(run.model, trace);
            for (std::size_t k = 0; k < static_cast<std::size_t>(c.classes); ++k) {
                double sum = 0;
                for (std::size_t e = 0; e < ledger.entries.size(); ++e)
                    sum += static_cast<double>(ledger.contributions(e, k));
                EXPECT_NEAR(sum, trace.head->logits(0, k), 2e-4);
                EXPECT_NEAR(lens(3, k), trace.head->logits(0, k), 1e-4);
            }
        }
        const std::vector<float> heads = last_heads(run.model, run.trace, 2);
        const Ledger ledger = logit_ledger(run.model, run.trace);
        for (std::size_t e = 0; e < ledger.entries.size(); ++e) {
            const LedgerEntry& entry = ledger.entries[e];
            if (entry.part != LedgerEntry::Part::head || entry.block != 3) continue;
            EXPECT_NEAR(heads[static_cast<std::size_t>(entry.head)], ledger.contributions(e, 2), 1e-4);
        }
        // If every token that is read were the same one, the head would answer as the lens of that token does.
        Trace same = run.trace;
        Tensor2 z = run.trace.z(3);
        for (const int token : tokens_read(c))
            std::copy_n(&z(5, 0), z.shape()[1], &z(static_cast<std::size_t>(token), 0));
        const auto last = std::make_shared<BlockTrace>(*run.trace.block(3));
        last->z = std::make_shared<Tensor2>(z);
        same.drop_blocks_after(2);
        same.add_block(last);
        EXPECT_NEAR(token_lens(run.model, run.trace, 1).logit(3, 5), logit_lens(run.model, same)(3, 1), 1e-4);
    }
    EXPECT_EQ(with_classes, reads_layer_scale() ? 13 : 12);
}

TEST(Families, EveryMeasureThatAModelHasIsMade) {
    for (const Family& family : all_families()) {
        SCOPED_TRACE(family.name);
        FamilyRun run(family);
        for (const MeasureEntry& entry : measure_catalogue()) {
            if (entry.needs_classes && run.model.config.classes == 0) {
                EXPECT_THROW(measure({run.model, run.trace}, entry.name), Error);
                continue;
            }
            for (const float x : measure({run.model, run.trace}, entry.name).values)
                ASSERT_TRUE(std::isfinite(x)) << entry.name;
        }
        const Tensor2 read = read_out(run.model.config, run.trace.z(3));
        EXPECT_EQ(read.shape()[0], 1U);
        double sum = 0;
        for (const float a : readout_row(run.model.config, *run.trace.block(3), 1)) sum += static_cast<double>(a);
        EXPECT_NEAR(sum, 1, 1e-5);
    }
}

TEST(Families, ComeBackBitForBitAndTheirCostIsCounted) {
    TestFolder own;
    for (const Family& family : all_families()) {
        SCOPED_TRACE(family.name);
        FamilyRun run(family);
        EXPECT_EQ(cost_of(run.model.config).parameters, static_cast<double>(run.model.weights.parameter_count()));
        save_model(run.model, own.path() / family.name, Precision::f32);
        const Model again = load_model(own.path() / family.name);
        const Trace trace = forward(again, run.image);
        EXPECT_EQ(trace.z(3), run.trace.z(3));
        EXPECT_EQ(trace.head->ln, run.trace.head->ln);
        EXPECT_EQ(trace.head->logits, run.trace.head->logits);
        EXPECT_EQ(trace.head->features, run.trace.head->features);
    }
}

TEST(Families, SayWhatTheyReadAndWhatIsPassedOver) {
    const auto config = [](const char* name) { return opened_family(name).config; };
    EXPECT_EQ(config("hf_dinov2").readout, Readout::class_token);
    EXPECT_EQ(config("hf_dinov2_registers").readout, Readout::class_and_mean);
    EXPECT_EQ(config("hf_dinov2_registers").leading,
              (std::vector<LeadingTokens>{{TokenKind::class_token}, {TokenKind::register_token, 4, false}}));
    EXPECT_EQ(config("timm_dinov2_reg4").leading,
              (std::vector<LeadingTokens>{{TokenKind::class_token, 1, false}, {TokenKind::register_token, 4, false}}));
    EXPECT_EQ(config("dinov2_original").leading, config("hf_dinov2_registers").leading);
    EXPECT_FALSE(config("timm_average").norm_before_mean);
    EXPECT_TRUE(config("timm_gap_norm").norm_before_mean);
    EXPECT_TRUE(config("hf_ijepa").leading.empty());
    EXPECT_EQ(config("timm_deit_distilled").readout, Readout::class_and_distillation);
    EXPECT_EQ(config("timm_clip").classes, 0);
    EXPECT_EQ(config("timm_clip").features, 12);
    EXPECT_EQ(config("hf_clip_vision").activation, Activation::quick_gelu) << "the family's own";
    EXPECT_EQ(config("timm_quick_clip").activation, Activation::quick_gelu);
    EXPECT_EQ(config("open_clip").layer_norm_epsilon, 1e-5F);
    for (const char* const name : {"hf_siglip", "hf_siglip_bare", "timm_siglip", "open_clip_siglip"}) {
        EXPECT_EQ(config(name).readout, Readout::attention) << name;
        EXPECT_EQ(config(name).pooling_dim, 40) << name;
        EXPECT_EQ(config(name).layer_norm_epsilon, 1e-6F) << name;
    }
    EXPECT_EQ(config("hf_siglip").activation, Activation::gelu_tanh) << "the family's own";
    EXPECT_EQ(config("timm_flexivit").leading, (std::vector<LeadingTokens>{{TokenKind::class_token, 1, false}}));
    EXPECT_EQ(config("hf_siglip_classes").readout, Readout::mean);
    EXPECT_EQ(config("hf_siglip_classes").classes, 7);
    EXPECT_TRUE(config("hf_siglip_classes").norm_before_mean);
    for (const char* const name : {"hf_siglip", "open_clip_siglip"}) {
        const Preprocessing pixels = opened_family(name).preprocessing;
        EXPECT_EQ(pixels.filter, Preprocessing::Filter::bicubic) << name;
        EXPECT_EQ(pixels.resize, Preprocessing::Resize::squash) << name;
        EXPECT_EQ(pixels.mean, (std::vector<double>{0.5, 0.5, 0.5})) << name;
    }
    const auto notes = [](const char* name) {
        std::string all;
        for (const std::string& note : opened_family(name).provenance.notes) all += note + "\n";
        return all;
    };
    EXPECT_NE(notes("hf_clip").find("text tower (4 tensors)"), std::string::npos) << notes("hf_clip");
    EXPECT_NE(notes("open_clip").find("text tower (4 tensors)"), std::string::npos);
    EXPECT_NE(notes("open_clip_siglip").find("text tower (5 tensors)"), std::string::npos) << notes("open_clip_siglip");
    EXPECT_NE(notes("hf_mae").find("decoder (4 tensors)"), std::string::npos);
    EXPECT_NE(notes("hf_siglip_classes").find("pooling head (4 tensors)"), std::string::npos);
    EXPECT_NE(notes("timm_clip").find("12 features"), std::string::npos);
}

TEST(Families, HeadsAndActivationsAreThoseOfTimmsArchitectures) {
    TestFolder own;
    fs::copy_file(golden_folder / "families/timm_average/model.safetensors", own.path() / "model.safetensors");
    const auto named = [&](const std::string& architecture, std::optional<int> heads = {}) {
        const nlohmann::json config = {{"architecture", architecture},
                                       {"global_pool", "avg"},
                                       {"num_classes", 7},
                                       {"pretrained_cfg", {{"input_size", {3, 32, 32}}}}};
        std::ofstream(own.path() / "config.json") << config;
        LoadOptions options;
        options.header_only = true;
        options.heads = heads;
        return load_model(own.path(), options).config;
    };
    EXPECT_EQ(named("vit_huge_patch14_224").heads, 16);
    EXPECT_EQ(named("vit_7b_patch16_dinov3").heads, 32);
    EXPECT_EQ(named("test_vit").heads, 2);
    EXPECT_THROW(named("vit_huge_plus_patch16_dinov3"), Error) << "20 heads do not divide 32";
    EXPECT_THROW(named("vit_wee_patch16_reg1_gap_256"), Error) << "the width does not tell";
    for (const char* const tanh : {"vit_base_patch32_siglip_gap_256", "vit_so400m_patch16_siglip_384",
                                   "vit_giantopt_patch16_siglip_gap_256", "vit_large_patch16_siglip_512"})
        EXPECT_EQ(named(tanh, 4).activation, Activation::gelu_tanh) << tanh;
    for (const char* const plain :
         {"vit_base_patch16_siglip_512", "vit_so400m_patch14_siglip_384", "vit_large_patch16_siglip_384"})
        EXPECT_EQ(named(plain, 4).activation, Activation::gelu) << plain;
    EXPECT_EQ(named("vit_base_patch16_clip_quickgelu_224", 4).activation, Activation::quick_gelu);
    const auto open_clip = std::ranges::find(layouts(), std::string_view("OpenCLIP (SigLIP)"),
                                             [](const Layout& layout) { return std::string_view(layout.name); });
    ASSERT_NE(open_clip, layouts().end());
    EXPECT_EQ(open_clip->activation_by_size(768, 32, 64), Activation::gelu_tanh) << "SigLIP 2";
    EXPECT_EQ(open_clip->activation_by_size(1152, 16, 576), Activation::gelu_tanh);
    EXPECT_EQ(open_clip->activation_by_size(1152, 14, 729), Activation::gelu) << "SigLIP";
    EXPECT_EQ(open_clip->activation_by_size(1024, 16, 576), Activation::gelu);
    EXPECT_EQ(open_clip->activation_by_size(1024, 16, 1024), Activation::gelu_tanh);
}

TEST(Families, TakeTheUsersNamesOfClassesElseTheUsualOnesWhereNoneAreSaid) {
    TestFolder own;
    const fs::path folder = golden_folder / "families/timm_average";
    const auto with = [&](const std::string& text) {
        std::ofstream(own.path() / "labels") << text;
        LoadOptions options;
        options.labels.file = own.path() / "labels";
        return load_model(folder, options).config.labels;
    };
    const std::vector<std::string> seven = {"a", "b", "c", "d", "e", "f", "g h"};
    EXPECT_EQ(with("a\nb\nc\nd\ne\nf\r\ng h\n\n"), seven);
    EXPECT_EQ(with(R"(["a", "b", "c", "d", "e", "f", "g h"])"), seven);
    EXPECT_EQ(with(R"({"0": "a", "2": "c", "1": "b", "3": "d", "4": "e", "5": "f", "6": "g h"})"), seven);
    for (const auto& [text, words] : std::map<std::string, const char*>{{"a\nb\n", "2 names but the classifier has 7"},
                                                                        {" \n", "one a line"},
                                                                        {"[1]", "one a line"},
                                                                        {"[", "one a line"},
                                                                        {R"({"1": "a"})", "class 0 has no name"}})
        try {
            with(text);
            ADD_FAILURE() << text << " was taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    LoadOptions usual;
    usual.labels.usual = seven;
    const Model unnamed = load_model(folder, usual), named = load_model(golden_folder / "families/hf_ijepa", usual);
    EXPECT_EQ(unnamed.config.labels, seven);
    ASSERT_FALSE(unnamed.provenance.notes.empty());
    EXPECT_NE(unnamed.provenance.notes.back().find("ImageNet"), std::string::npos);
    EXPECT_EQ(named.config.label(3), "class 3") << "its own";
    LoadOptions nothing_to_name;
    nothing_to_name.labels.file = own.path() / "labels";
    EXPECT_THROW(load_model(golden_folder / "families/hf_dinov2", nothing_to_name), Error);
}

TEST(Families, OthersAreRefusedByName) {
    TestFolder own;
    const fs::path file = own.path() / "model.safetensors";
    const std::vector<float> numbers(16);
    const std::pair<std::vector<const char*>, const char*> files[] = {
        {{"layers.0.blocks.0.norm1.weight", "layers.0.blocks.0.attn.relative_position_bias_table"}, "Swin"},
        {{"stages.0.0.dwconv.weight"}, "ConvNeXt"},
        {{"layer1.0.conv1.weight"}, "ResNet"},
        {{"text_model.encoder.layers.0.layer_norm1.weight"}, "text tower"},
        {{"token_embedding.weight", "transformer.resblocks.0.ln_1.weight"}, "text tower"},
        {{"bert.embeddings.word_embeddings.weight"}, "language model"},
        {{"visual.trunk.attn_pool.latent", "visual.trunk.norm_pre.weight"}, "Perception Encoder"},
        {{"visual.trunk.stages.0.blocks.0.conv_dw.weight", "text.token_embedding.weight"}, "ConvNeXt"},
    };
    for (const auto& [names, words] : files) {
        std::vector<NamedTensor> tensors;
        for (const char* const name : names) tensors.push_back({name, {4, 4}, numbers.data()});
        write_safetensors(file, tensors, {});
        try {
            load_model(file);
            ADD_FAILURE() << words << " was opened";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("google/vit-base-patch16-224"), std::string::npos);
        }
    }
}

/// What a file's header says, without the numbers.
class HeaderAlone : public TensorFile {
public:
    /// `folded` as tests/golden/hub_headers.py writes it: "blocks.{2}.norm1.weight" stands for the blocks 0 and 1.
    explicit HeaderAlone(const nlohmann::json& folded) : TensorFile("model.safetensors", "safetensors") {
        for (const auto& [name, shape] : folded.items()) {
            const std::size_t open = name.find('{'), close = name.find('}');
            if (open == std::string::npos) {
                add(name, shape);
                continue;
            }
            for (int i = 0; i < std::stoi(name.substr(open + 1)); ++i)
                add(name.substr(0, open) + std::to_string(i) + name.substr(close + 1), shape);
        }
    }
    std::shared_ptr<const float> floats(const std::string& tensor) const override {
        throw Error(tensor + ": a header alone was to be read");
    }

private:
    void add(const std::string& name, const nlohmann::json& shape) {
        TensorEntry entry;
        for (const nlohmann::json& length : shape)
            if (length.is_number()) entry.shape.push_back(length.get<std::size_t>());
        entries_.emplace(name, entry);
    }
};

/// The settings of a model that its tensors' shapes do not tell.
std::string settings_of(const Config& c) {
    std::ostringstream words;
    words << name_of(c.readout) << (c.norm_before_mean ? " of normed" : "") << ", " << name_of(c.activation) << ", "
          << name_in(positions_table, c.positions);
    if (c.positions == Positions::rotary)
        words << " " << c.rotary.base << (c.rotary.neighbours ? " neighbours" : " halves") << " grid " << c.rotary.grid
              << (c.rotary.columns_first ? " columns first" : "");
    words << ", " << c.heads << " heads, ε " << c.layer_norm_epsilon << ", " << c.classes << " classes, " << c.features
          << " features, tokens";
    for (const LeadingTokens& group : c.leading)
        words << " " << name_in(token_kinds, group.kind) << group.count << (group.placed ? "" : " unplaced");
    return words.str();
}

TEST(Families, AsTheLibrariesThemselvesWriteThemOpenOrAreRefusedByName) {
    std::ifstream in(golden_folder / "hub_headers.json");
    const nlohmann::json list = nlohmann::json::parse(in);
    ASSERT_EQ(list["models"].size(), 188U);
    for (const auto& [name, row] : list["models"].items()) {
        const auto text = [&](const char* key) { return row.contains(key) ? row[key].dump() : ""; };
        LoadOptions options;
        options.header_only = true;
        if (row.contains("heads")) options.heads = row["heads"].get<int>();
        std::string got;
        try {
            got = settings_of(
                load_model({.name = name,
                            .path = "",
                            .weights = std::make_shared<HeaderAlone>(list["lists"][row["tensors"].get<std::size_t>()]),
                            .config_json = text("config"),
                            .preprocessor_json = text("preprocessor")},
                           options)
                    .config);
        } catch (const Error& error) {
            got = error.what();
            EXPECT_NE(got.find(": " + row.value("refused", "nothing")), std::string::npos) << name << ": " << got;
            continue;
        }
        EXPECT_EQ(got, row.value("opened", "refused")) << name;
    }
}

}  // namespace
}  // namespace vitrine
