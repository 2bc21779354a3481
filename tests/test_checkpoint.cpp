#include <chrono>
#include <fstream>
#include <map>

#include "core/vit/forward.h"
#include "tests/small_model.h"
#include "tests/spoilt_checkpoint.h"

namespace vitrine {
namespace {

TEST_F(Checkpoint, TheBundledModelIsRead) {
    const Model m = load_model(small_model_folder());
    EXPECT_EQ(m.weights.parameter_count(), 151437U) << "the recipe's 151,308, the class token, a class more";
    EXPECT_EQ(m.config.tokens(), 65);
    EXPECT_EQ(m.config.heads, 4);
    EXPECT_EQ(m.config.label(6), "cat");
    EXPECT_EQ(m.config.layer_norm_epsilon, 1e-6F);
    EXPECT_TRUE(m.provenance.notes.empty());
}

TEST_F(Checkpoint, AMissingTensorIsNamed) {
    for (const char* const name :
         {"vit.encoder.layer.1.output.dense.bias", "vit.encoder.layer.1.layernorm_after.bias",
          "vit.embeddings.patch_embeddings.projection.bias", "vit.encoder.layer.2.attention.attention.key.bias",
          "vit.layernorm.bias", "classifier.bias", "vit.embeddings.position_embeddings"}) {
        copy("tiny_hf", [&](Tensors& t) { ASSERT_EQ(t.erase(name), 1U); });
        const std::string words = name;
        expect_refused(words.substr(words.find('.') + 1));
    }
}

TEST_F(Checkpoint, AMissingBlockIsNamed) {
    copy("tiny_timm",
         [](Tensors& t) { std::erase_if(t, [](const auto& row) { return row.first.starts_with("blocks.1."); }); });
    expect_refused("blocks.");
}

TEST_F(Checkpoint, UnknownTensorsAreListedAndHarmlessOnesPassedOver) {
    const auto add = [](const char* name) { return [name](Tensors& t) { t[name] = {{2}, {1, 2}}; }; };
    copy("tiny_hf", add("vit.surprise.weight"));
    expect_refused("vit.surprise.weight");
    copy("tiny_hf", add("vit.pooler.dense.bias"));
    EXPECT_EQ(load_model(folder).provenance.passed_over, std::vector<std::string>{"vit.pooler.dense.bias"});
    copy("tiny_timm", add("blocks.0.ls1.gamma"));
    expect_refused("blocks.0.ls1.gamma");  // one gain without the other
}

TEST_F(Checkpoint, AWrongShapeTellsBothShapes) {
    copy("tiny_hf", [](Tensors& t) { t["vit.layernorm.weight"] = {{31}, std::vector<float>(31)}; });
    expect_refused("(31) where this model needs (32)");
}

TEST_F(Checkpoint, NaNWeightsAreNamed) {
    copy("tiny_hf", [](Tensors& t) { t["classifier.weight"].values[3] = NAN; });
    expect_refused("classifier.weight");
}

TEST_F(Checkpoint, TwoModelsInOneFileAreRefused) {
    copy("tiny_hf", [](Tensors& t) {
        const Tensors once = t;
        for (const auto& [name, tensor] : once) t["teacher." + name] = tensor;
    });
    expect_refused("save one model only");
}

TEST_F(Checkpoint, AConfigurationThatDisagreesWithTheTensorsIsRefused) {
    copy("tiny_hf", nothing<Tensors>);
    write("config.json", R"({"hidden_size": 64, "num_attention_heads": 4})");
    expect_refused("hidden_size 64");
    write("config.json", R"({"image_size": 40, "num_attention_heads": 4})");
    expect_refused("needs 26 positions but the file has 17");
    write("config.json", R"({"num_attention_heads": 5})");
    expect_refused("5 heads do not divide D = 32");
    write("config.json", R"({"num_attention_heads": 4, "hidden_act": "mish"})");
    expect_refused("mish");
    write("config.json", R"({"num_attention_heads": "four"})");
    expect_refused("num_attention_heads");
    write("config.json", R"({"num_attention_heads": 4, "id2label": {"0": "only one"}})");
    expect_refused("labels");
    write("config.json", R"({"num_attention_heads": 4, "patch_size": [8, 4]})");
    expect_refused("not square");
    write("config.json", "{ broken");
    expect_refused("config.json");
}

TEST_F(Checkpoint, HeadsComeFromTheConfigurationElseTheUserAndAreNeverGuessedForAnOddWidth) {
    LoadOptions four;
    four.heads = 4;
    EXPECT_EQ(load_model(golden_folder / "models/tiny_hf", four).config.heads, 4);
    expect_refused(golden_folder / "models/tiny_hf", "there are 4 heads, but --heads says 2", 2);
    EXPECT_EQ(load_model(golden_folder / "models/tiny_hf").config.heads, 4);
    EXPECT_EQ(load_model(golden_folder / "models/tiny_timm").config.heads, 4);
    expect_refused(golden_folder / "models/tiny_torchvision", "--heads");
    expect_refused(golden_folder / "models/tiny_torchvision", "0 heads do not divide", 0);
    expect_refused(golden_folder / "models/tiny_torchvision", "7 heads do not divide", 7);
}

TEST_F(Checkpoint, TimmsNameOfTheArchitectureTellsTheHeads) {
    copy("tiny_timm", nothing<Tensors>);
    write("config.json", R"({"architecture": "vit_large_patch8_32", "pretrained_cfg": {"input_size": [3, 32, 32]}})");
    const Model m = load_model(folder);
    EXPECT_EQ(m.config.heads, 16);
    ASSERT_EQ(m.provenance.notes.size(), 1U) << "the number of heads is no guess";
    EXPECT_NE(m.provenance.notes.front().find("ε = 1e-06 and gelu"), std::string::npos) << m.provenance.notes.front();
}

TEST_F(Checkpoint, AWeightFileAloneTellsAllButTheHeads) {
    copy("tiny_hf", nothing<Tensors>);
    fs::remove(folder / "config.json");
    fs::remove(folder / "preprocessor_config.json");
    LoadOptions four;
    four.heads = 4;
    const Model m = load_model(folder / "model.safetensors", four);
    EXPECT_EQ(m.provenance.name, "model.safetensors");
    EXPECT_EQ(m.config.image_height, 32);
    EXPECT_EQ(m.config.patch_size, 8);
    EXPECT_EQ(m.config.blocks, 3);
    EXPECT_EQ(m.config.mlp_dim, 64);
    EXPECT_EQ(m.config.classes, 10);
    EXPECT_EQ(m.config.label(3), "class 3");
    EXPECT_EQ(m.provenance.notes.size(), 3U) << "ε and activation, image size and preprocessing are inferred";
}

TEST_F(Checkpoint, TheCourseBooksNamesAreReadByTheirEndsAndSaySo) {
    LoadOptions three;
    three.heads = 3;
    const Model m = load_model(golden_folder / "models/course_prefixed", three);
    EXPECT_EQ(m.provenance.layout, "the course book");
    EXPECT_EQ(m.config.layer_norm_epsilon, 1e-5F);
    EXPECT_TRUE(m.weights.blocks[0].query.bias.empty());
    EXPECT_NE(m.provenance.notes.back().find("usual"), std::string::npos);
    EXPECT_NE(m.provenance.notes.front().find("net.vit.encoder."), std::string::npos);
}

TEST_F(Checkpoint, PreprocessingFollowsTheFiles) {
    using Resize = Preprocessing::Resize;
    const Preprocessing timm = load_model(golden_folder / "models/tiny_timm").preprocessing;
    EXPECT_EQ(timm.resize, Resize::shortest_edge);
    EXPECT_EQ(timm.resize_height, 35);
    EXPECT_EQ(timm.filter, Preprocessing::Filter::bicubic);
    copy("tiny_hf", nothing<Tensors>);
    write(
        "preprocessor_config.json",
        R"({"size": {"shortest_edge": 40}, "resample": 3, "do_center_crop": true, "image_mean": [0.1, 0.2, 0.3], "image_std": [1, 2, 3]})");
    const Preprocessing p = load_model(folder).preprocessing;
    EXPECT_EQ(p.resize, Resize::shortest_edge);
    EXPECT_TRUE(p.crop);
    EXPECT_EQ(p.mean, (std::vector<double>{0.1, 0.2, 0.3}));
    write("preprocessor_config.json", R"({"size": 32, "resample": 0})");
    expect_refused("resample");
    write("preprocessor_config.json", R"({"size": 32, "image_std": [0, 1, 1]})");
    expect_refused("image_std");
}

TEST_F(Checkpoint, APreprocessorOfAnotherSizeIsRefusedNotPadded) {
    copy("tiny_hf", nothing<Tensors>);
    write("preprocessor_config.json", R"({"size": 16})");
    expect_refused("16 × 16 pixels but the model takes 32 × 32");
    write("preprocessor_config.json",
          R"({"size": 40, "do_center_crop": true, "crop_size": {"height": 30, "width": 32}})");
    expect_refused("32 × 30 pixels but the model takes 32 × 32");
    write("preprocessor_config.json", R"({"size": 40, "do_center_crop": true, "crop_size": 32})");
    EXPECT_TRUE(load_model(folder).preprocessing.crop);
}

TEST_F(Checkpoint, ConfigurationsOfTheWrongTypeAreRefusedWithASentence) {
    copy("tiny_hf", nothing<Tensors>);
    for (const char* const bad :
         {R"({"layer_norm_eps": []})", R"({"layer_norm_eps": "1e-6"})", R"({"hidden_act": 3})", R"({"qkv_bias": 1})"}) {
        write("config.json", bad);
        expect_refused("config.json");
    }
    write("config.json", R"({"num_attention_heads": 4})");
    for (const char* const bad : {R"({"rescale_factor": []})", R"({"image_mean": [0.1, 0.2]})", R"({"image_std": []})",
                                  R"({"do_center_crop": "yes"})"}) {
        write("preprocessor_config.json", bad);
        expect_refused("preprocessor_config.json");
    }
}

TEST_F(Checkpoint, BiasesOfQueriesKeysAndValuesAreThereWhereTheConfigurationSaysSo) {
    copy("tiny_hf", nothing<Tensors>);
    write("config.json", R"({"num_attention_heads": 4, "qkv_bias": false})");
    expect_refused("qkv_bias is false");
}

TEST_F(Checkpoint, MatricesWithoutRowsOrOfOtherRanksAreRefused) {
    const std::string head = "classifier.weight", mlp = "vit.encoder.layer.0.intermediate.dense.weight";
    for (const auto& [name, shape] : std::map<std::string, std::vector<std::size_t>>{{head, {}}, {mlp, {0, 32}}}) {
        copy("tiny_hf", [&](Tensors& t) { t[name] = {shape, {0}}; });
        expect_refused(name);
    }
    copy("tiny_hf", nothing<Tensors>);
    write("config.json", R"({"num_attention_heads": 4, "image_size": [1048576, 1048576]})");
    expect_refused("needs 17179869185 positions");
}

TEST_F(Checkpoint, TimmsConfigurationIsReadInEveryFormThatItTakes) {
    const std::string pictures =
        R"("input_size": [3, 32, 32], "crop_pct": 0.5, "interpolation": "bilinear", "mean": [0.1, 0.2, 0.3])";
    const std::string args = R"("model_args": {"num_heads": 4, "act_layer": "gelu_tanh"}, )";
    copy("tiny_timm", nothing<Tensors>);
    for (const std::string& config : {"{" + args + "\"pretrained_cfg\": {" + pictures + "}}",
                                      "{" + args + "\"architecture\": \"vit\", " + pictures + "}",
                                      "{" + args + "\"architecture\": \"vit\", " + pictures.substr(27) + "}"}) {
        SCOPED_TRACE(config);
        write("config.json", config);
        const Model m = load_model(folder);
        EXPECT_EQ(m.preprocessing.resize_height, 64);
        EXPECT_EQ(m.preprocessing.filter, Preprocessing::Filter::bilinear);
        EXPECT_EQ(m.preprocessing.mean[2], 0.3);
        EXPECT_EQ(m.config.activation, Activation::gelu_tanh);
    }
    for (const auto& [config, why] : std::map<std::string, std::string>{
             {R"({"architecture": "vit", "num_classes": 7})", "num_classes 7 but the tensors have 10"},
             {R"({"architecture": "vit", "global_pool": "avgmax", "model_args": {"num_heads": 4}})",
              "global_pool \"avgmax\""},
             {R"({"architecture": "vit", "model_args": {"num_heads": 4, "global_pool": "map"}})",
              "global_pool \"map\""},
             {R"({"architecture": "vit", "model_args": {"embed_dim": 32, "mlp_ratio": 4}})", "intermediate_size 128"},
             {R"({"architecture": "vit", "model_args": {"act_layer": "mish"}})", "act_layer"},
             {R"({"architecture": "vit", "crop_pct": []})", "crop_pct"},
             {R"({"architecture": "vit", "crop_mode": "tile"})", "crop_mode"}}) {
        write("config.json", config);
        expect_refused(why);
    }
}

TEST_F(Checkpoint, PartsThatVitrineDoesNotComputeAreNamed) {
    copy("tiny_timm", [](Tensors& t) { t["pre_logits.fc.weight"] = {{1}, {0}}; });
    expect_refused("a layer before its classifier");
    copy("tiny_timm", [](Tensors& t) {
        t["pre_logits.fc.weight"] = {{1}, {0}};
        t.erase("head.weight");
        t.erase("head.bias");
    });
    write("config.json", R"({"architecture": "vit", "num_classes": 0, "model_args": {"num_heads": 4}})");
    EXPECT_EQ(load_model(folder).provenance.passed_over, std::vector<std::string>{"pre_logits.fc.weight"});
}

TEST_F(Checkpoint, OtherFormatsAndEmptyFoldersSayWhatToDo) {
    expect_refused("no model.safetensors");
    for (const char* const name : {"x.pth", "x.bin", "x.npz", "x.onnx"}) {
        write(name, "anything");
        expect_refused(folder / name, "safetensors");
    }
    write("model.safetensors.index.json", "{}");
    expect_refused("weight_map");
    expect_refused(folder / "nowhere.safetensors", "no such file");
    expect_refused(folder / "nowhere.bin", "no such file");
    EXPECT_STREQ(Error("no\nline").what(), "no?line") << "names may hold line breaks, sentences do not";
    write("model.safetensors", "version https://git-lfs.github.com/spec/v1");
    expect_refused("git lfs pull");
    write("model.safetensors", "this is text");
    expect_refused("not a safetensors file");
}

TEST_F(Checkpoint, ATruncatedFileIsRefusedWhereverItEnds) {
    copy("tiny_hf", nothing<Tensors>);
    const auto whole = fs::file_size(folder / "model.safetensors");
    for (const double share : {0.0, 0.0001, 0.01, 0.5, 0.999}) {
        fs::resize_file(folder / "model.safetensors", static_cast<std::uintmax_t>(share * static_cast<double>(whole)));
        EXPECT_THROW(load_model(folder), Error) << share;
        copy("tiny_hf", nothing<Tensors>);
    }
}

TEST_F(Checkpoint, LoadingReportsItsProgressAndCanBeCancelled) {
    double last = 0;
    LoadOptions options;
    options.progress = [&](double f) { last = f; };
    load_model(golden_folder / "models/tiny_hf", options);
    EXPECT_GT(last, 0.9);
    options.progress = [](double) { throw Cancelled(); };
    EXPECT_THROW(load_model(golden_folder / "models/tiny_hf", options), Cancelled);
}

TEST(RandomModel, IsTheSameForTheSameSeed) {
    Config c;
    c.image_height = c.image_width = 16;
    c.patch_size = 8;
    c.embedding_dim = 8;
    c.heads = c.blocks = 1;
    c.mlp_dim = 8;
    const Model a = random_model(c, 1), b = random_model(c, 1), other = random_model(c, 2);
    EXPECT_EQ(a.weights.leading(0, 0), b.weights.leading(0, 0));
    EXPECT_NE(a.weights.leading(0, 0), other.weights.leading(0, 0));
}

TEST(Model, TheParameterCountsOfThePapersSizes) {
    Config c;
    c.image_height = c.image_width = 224;
    c.patch_size = 16;
    c.embedding_dim = 192;
    c.heads = 3;
    c.blocks = 12;
    c.mlp_dim = 768;
    c.classes = 1000;
    EXPECT_EQ(random_model(c, 1).weights.parameter_count(), 5717416U) << "ViT-Ti/16";
}

TEST_F(Checkpoint, AModelRunsOnWhenItsFilesAreOverwrittenCutShortOrGone) {
    copy("tiny_hf", [](Tensors&) {});
    const Model model = load_model(folder);
    Tensor3 image = tensor3(3, static_cast<std::size_t>(model.config.image_height),
                            static_cast<std::size_t>(model.config.image_width));
    std::fill(image.begin(), image.end(), 0.5F);
    const Tensor2 before = forward(model, image).head->logits;
    const fs::path weights = folder / "model.safetensors";
    const auto size = fs::file_size(weights);
    {
        std::ofstream over(weights, std::ios::in | std::ios::binary);  // in place, as cp does
        const std::vector<char> noise(size, 7);
        over.write(noise.data(), static_cast<std::streamsize>(size));
    }
    EXPECT_EQ(forward(model, image).head->logits, before);
    fs::resize_file(weights, 0);
    EXPECT_EQ(forward(model, image).head->logits, before);
    fs::remove(weights);
    EXPECT_EQ(forward(model, image).head->logits, before);
}

TEST_F(Checkpoint, AModelKnowsWhenAFileOfItHasChanged) {
    copy("tiny_hf", [](Tensors&) {});
    const auto changes = [&](const std::function<void()>& change) {
        const Model model = load_model(folder);
        EXPECT_FALSE(changed_on_disk(model));
        change();
        return changed_on_disk(model);
    };
    const fs::path weights = folder / "model.safetensors";
    const auto later = [&](const fs::path& file) {
        fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(3));
    };
    EXPECT_FALSE(changes([] {}));
    EXPECT_TRUE(changes([&] { later(weights); })) << "written again";
    EXPECT_TRUE(changes([&] { later(folder / "config.json"); }));
    EXPECT_TRUE(changes([&] {
        const auto time = fs::last_write_time(weights);
        fs::copy_file(weights, folder / "other");
        fs::rename(folder / "other", weights);
        fs::last_write_time(weights, time);
    })) << "another file of the same size and time took its place";
    EXPECT_TRUE(changes([&] { fs::remove(weights); }));
    EXPECT_FALSE(changed_on_disk(random_model(load_model(golden_folder / "models/tiny_hf").config, 1)));
}

TEST_F(Checkpoint, APreprocessorThatMakesNumbersWithoutMeasureIsRefused) {
    copy("tiny_hf", [](Tensors&) {});
    for (const auto& [key, words] :
         {std::pair("image_std", R"({"size": 32, "image_std": [1e-300, 1, 1]})"),
          std::pair("image_std", R"({"size": 32, "image_mean": 0.5, "image_std": [1, 1, 1e-12]})"),
          std::pair("rescale_factor", R"({"size": 32, "rescale_factor": 1e308})"),
          std::pair("rescale_factor", R"({"size": 32, "rescale_factor": -1e9, "image_mean": [0.1, 0.2, 0.3]})")}) {
        write("preprocessor_config.json", words);
        expect_refused(std::string(key) + "\"");
    }
    write("preprocessor_config.json", R"({"size": 32, "do_rescale": false, "image_std": 0.2})");
    EXPECT_NO_THROW(load_model(folder));
}

TEST_F(Checkpoint, PoolingsOfAnotherKindAndImagesOfAnyShapeAreRefusedByName) {
    const auto siglip = [&](const std::function<void(Tensors&)>& spoil) { copy("../families/hf_siglip", spoil); };
    const auto timm = [&](const std::function<void(Tensors&)>& spoil) { copy("../families/timm_siglip", spoil); };
    siglip([](Tensors& t) { t["vision_model.embeddings.patch_embedding.weight"].shape = {32, 192}; });
    expect_refused("NaFlex");
    siglip([](Tensors& t) { t.erase("vision_model.head.probe"); });
    expect_refused("vision_model.head.attention.in_proj_bias");
    timm([](Tensors& t) { t["attn_pool.query"] = {{1, 32}, std::vector<float>(32)}; });
    expect_refused("several queries (CoCa)");
    timm([](Tensors& t) { t["attn_pool.latent"] = {{1, 2, 32}, std::vector<float>(64)}; });
    expect_refused("attn_pool.latent");
    timm([](Tensors& t) { t["attn_pool.q_norm.weight"] = {{8}, std::vector<float>(8)}; });
    expect_refused("attn_pool.q_norm.weight");
    copy("tiny_timm", [](Tensors&) {});
    write("config.json", R"({"architecture": "vit_tiny", "global_pool": "map", "model_args": {"num_heads": 4}})");
    expect_refused("global_pool \"map\"");
}

}  // namespace
}  // namespace vitrine
