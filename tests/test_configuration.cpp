#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/files/image.h"
#include "core/vit/checkpoint/configuration.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/forward.h"
#include "core/vit/provenance.h"
#include "tests/files.h"
#include "tests/spoilt_checkpoint.h"

namespace vitrine {
namespace {

using ConfigurationFiles = Checkpoint;

TEST_F(ConfigurationFiles, TheChannelsTheOffsetAndTheGreyThatAPreprocessorAsksForAreMade) {
    copy("tiny_hf", nothing<Tensors>);
    Image image{32, 32, std::vector<std::uint8_t>(32 * 32 * 3)};
    for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = std::array{200, 100, 50}[i % 3];
    const auto seen = [&](const std::string& keys) {
        write("preprocessor_config.json",
              R"({"size": 32, "image_mean": [0.1, 0.2, 0.3], "image_std": [0.5, 0.25, 0.2])" + keys + "}");
        const Model m = load_model(folder);
        const Tensor3 pixels = preprocess(image, m.preprocessing, m.config).pixels;
        return std::array{pixels(0, 3, 5), pixels(1, 3, 5), pixels(2, 3, 5)};
    };
    const double red = 200 / 255.0, green = 100 / 255.0, blue = 50 / 255.0;
    const auto expect = [](std::array<float, 3> got, double first, double second, double third) {
        EXPECT_NEAR(got[0], first, 1e-5);
        EXPECT_NEAR(got[1], second, 1e-5);
        EXPECT_NEAR(got[2], third, 1e-5);
    };
    expect(seen(""), (red - 0.1) / 0.5, (green - 0.2) / 0.25, (blue - 0.3) / 0.2);
    expect(seen(R"(, "do_flip_channel_order": true)"), (blue - 0.3) / 0.2, (green - 0.2) / 0.25, (red - 0.1) / 0.5);
    expect(seen(R"(, "do_flip_channel_order": true, "do_normalize": false)"), blue, green, red);
    expect(seen(R"(, "offset": true, "rescale_factor": 0.00784313725490196)"), (2 * red - 1.1) / 0.5,
           (2 * green - 1.2) / 0.25, (2 * blue - 1.3) / 0.2);
    expect(seen(R"(, "rescale_offset": true, "do_normalize": false)"), red - 1, green - 1, blue - 1);
    expect(seen(R"(, "offset": true, "do_rescale": false, "do_normalize": false)"), 200, 100, 50);
    const double grey = 0.2989 * red + 0.587 * green + 0.114 * blue;
    expect(seen(R"(, "do_grayscale": true)"), (grey - 0.1) / 0.5, (grey - 0.2) / 0.25, (grey - 0.3) / 0.2);
}

TEST_F(ConfigurationFiles, OneThatNestsWithoutEndIsRefused) {
    copy("tiny_hf", nothing<Tensors>);
    const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
    write("preprocessor_config.json", "{\"resample\": " + deep + "}");
    expect_refused("nests more deeply");
    write("preprocessor_config.json", R"({"size": 32, "image_processor_type": "\"[[[[{{\\"})");
    load_model(folder);
}

TEST_F(ConfigurationFiles, APreprocessorsShareOfTheCropIsObeyed) {
    using Resize = Preprocessing::Resize;
    copy("tiny_hf", nothing<Tensors>);
    const auto read = [&](const std::string& keys) {
        write("preprocessor_config.json", keys);
        return load_model(folder).preprocessing;
    };
    for (const char* const size : {"32", R"({"shortest_edge": 32})", R"({"height": 32, "width": 32})"}) {
        const Preprocessing p = read(R"({"crop_pct": 0.9, "size": )" + std::string(size) + "}");
        EXPECT_EQ(p.resize, Resize::shortest_edge) << size;
        EXPECT_EQ(p.resize_height, 35) << size;
        EXPECT_TRUE(p.crop) << size;
    }
    EXPECT_EQ(read(R"({"crop_pct": 0.5})").resize_height, 64) << "of the model's own size";
    EXPECT_EQ(read(R"({"size": 32, "crop_pct": null})").resize, Resize::squash);
    EXPECT_EQ(read(R"({"size": 32, "default_to_square": false, "do_center_crop": true})").resize,
              Resize::shortest_edge);
    for (const auto& [keys, why] : std::map<std::string, std::string>{
             {R"({"size": 64, "crop_pct": 0.9})", "64 × 64 pixels but the model takes 32 × 32"},
             {R"({"size": 32, "crop_pct": 0})", "crop_pct"},
             {R"({"size": {"height": 32, "width": 40}, "crop_pct": 0.9})", "not square"},
             {R"({"size": {"shortest_edge": 32, "longest_edge": 60}})", "longest_edge"}}) {
        write("preprocessor_config.json", keys);
        expect_refused(why);
    }
}

TEST_F(ConfigurationFiles, AKeyOfThePreprocessorThatMayChangePixelsIsNamedNotPassedOver) {
    copy("tiny_hf", nothing<Tensors>);
    for (const char* const key : {"do_pad", "do_thumbnail", "do_color_quantize", "sharpen"}) {
        write("preprocessor_config.json", R"({"size": 32, ")" + std::string(key) + R"(": true})");
        expect_refused('"' + std::string(key) + '"');
        for (const char* const off : {"false", "null", "{}", "[]"}) {
            write("preprocessor_config.json", R"({"size": 32, ")" + std::string(key) + "\": " + off + "}");
            EXPECT_NO_THROW(load_model(folder)) << key << off;
        }
    }
    write("preprocessor_config.json", R"({"size": 32, "size_divisor": 32})");
    expect_refused("size_divisor");
    write("preprocessor_config.json",
          R"({"size": {"height": 32, "width": 32}, "do_convert_rgb": true, "data_format": "channels_first",
              "default_to_square": true, "device": null, "image_processor_type": "ViTImageProcessorFast",
              "return_tensors": null, "processor_class": "SomeProcessor", "do_reduce_labels": false,
              "model_input_names": ["pixel_values"]})");
    EXPECT_NO_THROW(load_model(folder)) << "what changes no pixel is no obstacle";
}

TEST_F(ConfigurationFiles, TheImageProcessorInsideAProcessorsFileIsRead) {
    copy("tiny_hf", nothing<Tensors>);
    write("processor_config.json",
          R"({"processor_class": "X", "image_seq_length": 7, "image_processor": {"size": 32, "image_mean": 0.25}})");
    EXPECT_EQ(load_model(folder).preprocessing.mean[0], 0.25) << "before preprocessor_config.json";
    fs::remove(folder / "preprocessor_config.json");
    const Model alone = load_model(folder);
    EXPECT_EQ(alone.preprocessing.mean[1], 0.25);
    EXPECT_TRUE(alone.provenance.notes.empty()) << alone.provenance.notes.front();
    write("processor_config.json", R"({"image_processor": {"size": 16}})");
    expect_refused("processor_config.json: it makes pictures of 16 × 16");
    write("processor_config.json", R"({"image_processor": {"size": 32, "do_pad": true}})");
    expect_refused("processor_config.json: \"do_pad\"");
    write("processor_config.json", R"({"image_processor": 3})");
    expect_refused("image_processor");
    write("processor_config.json", R"({"processor_class": "X"})");
    EXPECT_EQ(load_model(folder).provenance.notes.size(), 1U) << "it says nothing of pictures";
    EXPECT_EQ(files_of_checkpoint(folder).size(), 3U);
    EXPECT_EQ(files_of_checkpoint(folder).front(), folder / "model.safetensors");
}

/// Whether a model comes back from its files with the preprocessing that it had.
void expect_same_preprocessing(const Model& model, const fs::path& folder) {
    save_model(model, folder, Precision::f32);
    const Model back = load_model(folder);
    EXPECT_TRUE(back.preprocessing == model.preprocessing) << read(folder / "preprocessor_config.json");
    EXPECT_TRUE(back.provenance.notes.empty()) << "all is said";
}

TEST_F(ConfigurationFiles, EveryPreprocessingIsSavedWhole) {
    using Filter = Preprocessing::Filter;
    Config c;
    c.image_height = 24;
    c.image_width = 32;
    c.patch_size = 8;
    c.embedding_dim = 8;
    c.heads = 2;
    c.blocks = 1;
    c.mlp_dim = 8;
    c.classes = 2;
    for (const int channels : {3, 1}) {
        c.channels = channels;
        const Model plain = random_model(c, 1);
        const auto expect = [&](const auto& change) {
            Model model = plain;
            change(model.preprocessing);
            expect_same_preprocessing(model, folder);
        };
        expect([](Preprocessing&) {});
        for (const auto& [resize, name] : resize_names)
            for (const auto& [rounding, rounded] : rounding_names)
                for (const auto& size : {std::pair(24, 32), std::pair(26, 35), std::pair(40, 40)})
                    expect([&](Preprocessing& p) {
                        p.resize = resize;
                        std::tie(p.resize_height, p.resize_width) = size;
                        p.crop = true;
                        p.crop_rounding = rounding;
                    });
        for (const Filter filter : {Filter::bilinear, Filter::bicubic, Filter::lanczos})
            expect([&](Preprocessing& p) { p.filter = filter; });
        expect([](Preprocessing& p) { p.rescale_factor = 1 / 127.5, p.rescale_offset = -1; });
        expect([](Preprocessing& p) { p.rescale_factor = 1; });
        expect([&](Preprocessing& p) { p.grey = channels == 3; });
        expect([](Preprocessing& p) { p.flip_channels = true; });
        expect([](Preprocessing& p) {
            for (std::size_t i = 0; i < p.mean.size(); ++i)
                p.mean[i] = 0.1 + 0.2 * static_cast<double>(i), p.std[i] /= 3;
        });
    }
}

TEST_F(ConfigurationFiles, ModelsOfEveryLayoutAreSavedWithTheirPreprocessing) {
    for (const auto& [name, heads] : std::map<std::string, std::optional<int>>{
             {"tiny_hf", {}}, {"tiny_hf5", {}}, {"tiny_timm", {}}, {"tiny_torchvision", 4}, {"course_book", 3}})
        expect_same_preprocessing(load_model(golden_folder / "models" / name, {.heads = heads, .progress = {}}),
                                  folder / name);
}

TEST_F(ConfigurationFiles, AProcessorOfHuggingFacesIsNamedOnlyWhereItMakesTheSamePixels) {
    Model model = load_model(golden_folder / "models/tiny_hf");
    const auto processor = [&] {
        save_model(model, folder, Precision::f32);
        return nlohmann::json::parse(read(folder / "preprocessor_config.json")).at("image_processor_type");
    };
    EXPECT_EQ(processor(), "ViTImageProcessor");
    model.preprocessing.resize = Preprocessing::Resize::shortest_edge;
    model.preprocessing.crop = true;
    EXPECT_EQ(processor(), "CLIPImageProcessor");
    model.preprocessing.resize = Preprocessing::Resize::longest_edge;
    EXPECT_EQ(processor(), "VitrineImageProcessor") << "which nobody else takes for another one";
    write("preprocessor_config.json", R"({"size": 32, "vitrine_resize": "middle_edge"})");
    expect_refused("vitrine_resize");
}

TEST_F(ConfigurationFiles, AHeadThatChoosesNoOneClassIsShownAsWhatItIs) {
    const std::string heads = R"({"num_attention_heads": 4, "problem_type": )";
    copy("tiny_hf", nothing<Tensors>);
    write("config.json", heads + "\"ranking\"}");
    expect_refused("\"ranking\"");
    for (const auto& [problem, ending] : std::map<std::string, HeadKind>{
             {"multi_label_classification", HeadKind::several}, {"regression", HeadKind::values}}) {
        write("config.json", heads + '"' + problem + "\"}");
        const Model m = load_model(folder);
        EXPECT_EQ(m.config.classes, 0);
        EXPECT_EQ(m.config.features, 10);
        EXPECT_EQ(m.config.ending, ending);
        EXPECT_EQ(m.provenance.notes.size(), 3U) << "what the head gives, the missing preprocessor, ε and activation";
        Tensor3 image = tensor3(3, 32, 32);
        for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::sin(static_cast<float>(i));
        const Trace trace = forward(m, image);
        EXPECT_EQ(trace.head->probabilities.size(), ending == HeadKind::several ? 10U : 0U);
        for (std::size_t i = 0; i < trace.head->probabilities.size(); ++i)
            EXPECT_NEAR(trace.head->probabilities(0, i), 1 / (1 + std::exp(-trace.head->features(0, i))), 1e-6);
        const Record record{m, trace, {}};
        for (const Quantity q : {Quantity::features, Quantity::probabilities})
            if (exists(record, {q, 0, 0, 0, 3})) {
                const Derivation d = derive(record, {q, 0, 0, 0, 3});
                EXPECT_NEAR(d.result, d.value, 1e-5) << name_of(q, 0);
            }
        save_model(m, folder / "again", Precision::f32);
        const Model again = load_model(folder / "again");
        EXPECT_EQ(again.config.ending, ending);
        EXPECT_EQ(again.config.feature_bias, true);
        EXPECT_EQ(forward(again, image).head->features, trace.head->features);
    }
    for (const char* const fine : {"\"single_label_classification\"", "null"}) {
        write("config.json", heads + fine + "}");
        EXPECT_EQ(load_model(folder).config.classes, 10);
    }
    const auto cut = [](Tensors& t) {
        for (const auto& [name, shape] : {std::pair("classifier.weight", std::vector<std::size_t>{1, 32}),
                                          std::pair("classifier.bias", std::vector<std::size_t>{1})}) {
            t[name].shape = shape;
            t[name].values.resize(shape.size() == 2 ? 32 : 1);
        }
    };
    copy("tiny_hf", cut);
    write("config.json", R"({"num_attention_heads": 4})");
    EXPECT_EQ(load_model(folder).config.ending, HeadKind::values) << "a single output is an estimate";
    copy("plain_hf", nothing<Tensors>);
    write("config.json", R"({"num_attention_heads": 3, "problem_type": "multi_label_classification"})");
    EXPECT_EQ(load_model(folder).config.classes, 0) << "without a classifier nothing is shown by it";
}

}  // namespace
}  // namespace vitrine
