#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/files/open_tensors.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/forward.h"
#include "tests/golden_files.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path containers = golden_folder / "containers";

Model opened(const fs::path& path, std::optional<int> heads = {}) {
    LoadOptions options;
    options.heads = heads;
    return load_model(path, options);
}

/// Pixels that make_containers.py feeds, too.
Tensor3 waves(const Config& c) {
    Tensor3 pixels = tensor3(3, static_cast<std::size_t>(c.image_height), static_cast<std::size_t>(c.image_width));
    const std::size_t rows = pixels.shape(1), columns = pixels.shape(2);
    for (std::size_t channel = 0; channel < 3; ++channel)
        for (std::size_t y = 0; y < rows; ++y)
            for (std::size_t x = 0; x < columns; ++x)
                pixels(channel, y, x) =
                    static_cast<float>(std::sin(static_cast<double>((y * columns + x) * 3 + channel) * 0.37));
    return pixels;
}

Tensor2 logits_of_waves(const Model& model) { return forward(model, waves(model.config)).head->logits; }

void expect_same_logits(const Model& model, const Model& twin) {
    EXPECT_EQ(logits_of_waves(model), logits_of_waves(twin)) << model.provenance.name;
    EXPECT_EQ(model.weights.parameter_count(), twin.weights.parameter_count());
}

bool says(const Model& model, const std::string& words) {
    return std::ranges::any_of(model.provenance.notes,
                               [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

void expect_refusal(const fs::path& path, const std::string& words) {
    try {
        opened(path, 2);
        ADD_FAILURE() << path << " was taken; expected: " << words;
    } catch (const Error& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find(words), std::string::npos) << said;
        EXPECT_NE(said.find(path.string()), std::string::npos) << said;
        EXPECT_NE(said.find("; "), std::string::npos) << said << ": no remedy";
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
}

TEST(Containers, AFolderOfTheHubIsReadFromPyTorchsFileOrFromShardsWithTheSameBits) {
    const Model twin = opened(golden_folder / "models/tiny_hf");
    EXPECT_EQ(twin.provenance.container, "safetensors");
    for (const auto& [folder, container] : {std::pair("hf", "PyTorch (zip)"),
                                            {"hf_sharded", "safetensors in 2 files"},
                                            {"hf_sharded_bin", "PyTorch (zip) in 2 files"}}) {
        const Model model = opened(containers / folder);
        EXPECT_EQ(model.provenance.container, container);
        EXPECT_EQ(model.provenance.name, folder);
        EXPECT_EQ(model.config.labels, twin.config.labels);
        expect_same_logits(model, twin);
    }
    expect_same_logits(opened(containers / "hf_f16"), opened(golden_folder / "models/tiny_hf_f16"));
    expect_same_logits(opened(containers / "hf_bf16"), opened(golden_folder / "models/tiny_hf_bf16"));
}

TEST(Containers, OneShardOrTheIndexOpensTheWholeModelAndAllItsFilesAreWatched) {
    const Model twin = opened(containers / "hf_sharded");
    EXPECT_EQ(twin.provenance.files.size(), 6U) << "an index, two shards, three configurations";
    EXPECT_EQ(files_of_checkpoint(containers / "hf_sharded").size(), 5U);
    for (const char* const name : {"model-00002-of-00002.safetensors", "model.safetensors.index.json"})
        expect_same_logits(opened(containers / "hf_sharded" / name), twin);
}

TEST(Containers, TorchvisionsAndTimmsFilesGiveTheLogitsOfTheirTwins) {
    const fs::path timm = golden_folder / "models/tiny_timm", torchvision = golden_folder / "models/tiny_torchvision";
    expect_same_logits(opened(containers / "timm"), opened(timm));
    expect_same_logits(opened(containers / "torchvision/vit.pth", 4), opened(torchvision / "model.safetensors", 4));
    EXPECT_TRUE(says(opened(containers / "timm"), "under \"model\"; passed over beside them: \"epoch\""));
}

TEST(Containers, WhatTrainingsSaveIsLookedThrough) {
    const Model twin = opened(containers / "small/model.safetensors");
    for (const auto& [name, note] : std::vector<std::pair<std::string, std::string>>{
             {"plain.pth", ""},
             {"legacy.pth", ""},
             {"protocol4.pth", ""},
             {"legacy_protocol4.pth", ""},
             {"double.pt", ""},
             {"parameters.pth", ""},
             {"views.pth", ""},
             {"legacy_views.pth", ""},
             {"packed.pth", ""},
             {"timm.npz", ""},
             {"packed.npz", ""},
             {"training.tar.pth", "The weights are under \"model\"; passed over beside them: \"optimizer\", \"epoch\""},
             {"legacy_training.pth", "All names begin with \"module.\", which DataParallel puts there."},
             {"lightning.ckpt", "1 tensor that only training reads passed over: \"criterion\""},
             {"ema.pth", "\"model_ema\" was read, which evaluation would use, and not \"model\""},
             {"compiled.pth", "\"_orig_mod.\", which torch.compile"},
             {"teacher_by_name.pth", "\"teacher\" was read, which evaluation would use, and not \"student\""},
             {"ema_by_name.safetensors", "\"ema_model\" was read, which evaluation would use, and not \"model\""}}) {
        SCOPED_TRACE(name);
        const Model model = opened(containers / "small" / name);
        expect_same_logits(model, twin);
        if (note.empty()) {
            EXPECT_EQ(model.provenance.notes, twin.provenance.notes);
        }
        EXPECT_TRUE(note.empty() || says(model, note)) << model.provenance.notes.back();
    }
}

TEST(Containers, ATeacherOfDinoIsReadWithoutItsHead) {
    const Model whole = opened(containers / "small/model.safetensors"), dino = opened(containers / "dino/dino.pth", 2);
    EXPECT_TRUE(says(dino, "\"teacher\" was read, which evaluation would use, and not \"student\""));
    EXPECT_TRUE(says(dino, "2 tensors that only training reads passed over: \"head\""));
    EXPECT_EQ(dino.config.classes, 0);
    const Tensor3 pixels = waves(whole.config);
    EXPECT_EQ(forward(dino, pixels).z(1), forward(whole, pixels).z(1));
}

TEST(Containers, JaxArraysOfBothGenerationsGiveTheLogitsOfFlaxsLayers) {
    std::ifstream in(containers / "jax/logits.json");
    const nlohmann::json expected = nlohmann::json::parse(in);
    ASSERT_EQ(expected.size(), 6U);
    for (const auto& [name, row] : expected.items()) {
        SCOPED_TRACE(name);
        const Model model = opened(containers / "jax" / name);
        EXPECT_EQ(model.provenance.container, "NumPy archive");
        EXPECT_EQ(model.config.heads, 4) << "the arrays say so";
        EXPECT_EQ(model.config.activation, Activation::gelu_tanh);
        EXPECT_EQ(model.config.first_patch_position(), name == "original.npz" || name == "bfloat16.npz" ? 1 : 0);
        EXPECT_EQ(model.config.readout, name == "mean.npz"     ? Readout::mean
                                        : name == "pooled.npz" ? Readout::attention
                                                               : Readout::class_token);
        const Tensor2 logits = logits_of_waves(model);
        const std::vector<float> values = row.get<std::vector<float>>();
        ASSERT_EQ(logits.size(), values.size());
        EXPECT_LT(difference(logits.data(), values.data(), values.size()), 1e-4);
    }
    Model twin = opened(golden_folder / "models/tiny_timm");
    twin.config.activation = Activation::gelu_tanh;
    expect_same_logits(opened(containers / "jax/original.npz"), twin);
    EXPECT_EQ(logits_of_waves(opened(containers / "jax/scanned.npz")),
              logits_of_waves(opened(containers / "jax/big_vision.npz")));
    EXPECT_TRUE(says(opened(containers / "jax/big_vision.npz"), "under \"params/\"; 1 array beside them passed over"));
}

TEST(Containers, HostileFilesAreRefusedInOneSentenceWithTheRemedy) {
    std::ifstream in(containers / "hostile/refused.json");
    const nlohmann::json refused = nlohmann::json::parse(in);
    ASSERT_GT(refused.size(), 50U);
    for (const auto& [name, why] : refused.items()) {
        SCOPED_TRACE(name);
        expect_refusal(containers / "hostile" / name, why.get<std::string>());
    }
}

TEST(Containers, AHeadersLengthThatReadsAsAnotherKindsBeginningIsSafetensorsStill) {
    const TestFolder own;
    for (const std::uint64_t length : {0x280U, 0x480U, 0x4B50U}) {  // a pickle of protocols 2 and 4, "PK"
        SCOPED_TRACE(length);
        std::string header = R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
        header.resize(length, ' ');
        const fs::path path = own.path() / "model.safetensors";
        {
            std::ofstream out(path, std::ios::binary);
            out.write(reinterpret_cast<const char*>(&length), sizeof length);
            out << header << std::string(4, '\0');
        }
        EXPECT_EQ(*open_tensors(path)->floats("x"), 0.0F);
    }
}

TEST(Containers, FilesOfOtherProgramsAreRefusedWithWhatToDoInstead) {
    const TestFolder own;
    const fs::path folder = own.path();
    for (const auto& [name, words] : {std::pair("x.onnx", "ONNX graph"),
                                      {"x.gguf", "GGUF"},
                                      {"tf_model.h5", "from_tf=True"},
                                      {"flax_model.msgpack", "from_flax=True"},
                                      {"x.tflite", "TensorFlow Lite"},
                                      {"x.npy", "numpy.savez"},
                                      {"x.pt2", "torch.save"},
                                      {"config.json", "configuration, not weights"}}) {
        std::ofstream(folder / name) << "anything";
        expect_refusal(folder / name, words);
        if (std::string(name) != "config.json") {
            const fs::path alone = folder / "alone";
            fs::create_directory(alone);
            fs::rename(folder / name, alone / name);
            try {
                opened(alone);
                ADD_FAILURE() << name;
            } catch (const Error& error) {
                EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
            }
            fs::remove_all(alone);
        }
    }
    std::ofstream(folder / "odd.weights") << "GGUF3";
    expect_refusal(folder / "odd.weights", "GGUF");
    std::ofstream(folder / "old.pth") << std::string(257, '\0') << "ustar" << std::string(300, '\0');
    expect_refusal(folder / "old.pth", "before 0.1.10");
}

TEST(Containers, AFolderOpensIfItsWeightsAreOfOneFileAndElseNamesTheChoices) {
    const TestFolder own;
    const fs::path folder = own.path(), small = containers / "small";
    fs::copy_file(small / "config.json", folder / "config.json");
    for (const char* const name : {"optimizer.bin", "training_args.bin", "scheduler.pt", "rng_state_0.pth"})
        std::ofstream(folder / name) << "beside";
    expect_refusal(folder, "no other weight file");
    fs::copy_file(small / "legacy.pth", folder / "best.pth");
    const Model twin = opened(small / "model.safetensors");
    expect_same_logits(opened(folder), twin);
    EXPECT_FALSE(is_folder_of_model(folder)) << "a folder to look into";
    fs::copy_file(small / "timm.npz", folder / "last.npz");
    expect_refusal(folder, "several weight files (\"best.pth\" and \"last.npz\"); name one of them: ");
    fs::copy_file(small / "plain.pth", folder / "pytorch_model.bin");
    EXPECT_EQ(opened(folder).provenance.container, "PyTorch (zip)") << "the name of hubs is taken";
    EXPECT_TRUE(is_folder_of_model(folder));
    fs::remove(folder / "pytorch_model.bin");
    fs::remove(folder / "best.pth");
    fs::remove(folder / "last.npz");
    std::ofstream(folder / "model-00001-of-00002.safetensors") << "a shard";
    expect_refusal(folder, "their index (model.safetensors.index.json) is missing");
    expect_refusal(folder / "model-00001-of-00002.safetensors", "one of several files");
}

TEST(Containers, AModelInTheHubsCacheIsNamedAsOnTheHub) {
    const TestFolder own;
    const fs::path root = own.path() / "models--some-owner--its-name", first = root / "snapshots/0123abcd";
    expect_refusal(own.path(), "no model.safetensors");
    fs::create_directories(first);
    expect_refusal(own.path(), "hub's cache of several models (\"models--some-owner--its-name\")");
    for (const char* const name : {"config.json", "preprocessor_config.json", "pytorch_model.bin"})
        fs::copy_file(containers / "hf" / name, first / name);
    for (const fs::path& path : {root, first, root / ""})
        EXPECT_EQ(opened(path).provenance.name, "some-owner/its-name");
    EXPECT_TRUE(is_folder_of_model(root));
    EXPECT_EQ(files_of_checkpoint(root).size(), 3U);
    expect_same_logits(opened(root), opened(containers / "hf"));
    fs::create_directories(root / "snapshots/4567");
    expect_refusal(root, "several snapshots (\"0123abcd\" and \"4567\")");
    fs::create_directory(root / "refs");
    std::ofstream(root / "refs/main") << "0123abcd";
    EXPECT_EQ(opened(root).provenance.name, "some-owner/its-name");
    std::ofstream(root / "refs/main") << "0123abcd" << std::string(1000, '\n');
    EXPECT_EQ(opened(root).provenance.name, "some-owner/its-name") << "white space behind a name does not count";
    std::ofstream(root / "refs/main") << std::string(1000, 'a');
    expect_refusal(root, "several snapshots");
    std::ofstream(root / "refs/main") << "../../..";
    expect_refusal(root, "several snapshots");
}

}  // namespace
}  // namespace vitrine
