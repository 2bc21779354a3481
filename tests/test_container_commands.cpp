#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/program.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path containers = fs::path(VITRINE_GOLDEN) / "containers";

TEST(ContainerCommand, InfoSaysTheContainerAndWhatWasLookedThrough) {
    const std::string model = " --model " + (containers / "small/ema.pth").string();
    const auto json = nlohmann::json::parse(run("info --json" + model).out);
    EXPECT_EQ(json["container"], "PyTorch (zip)");
    EXPECT_EQ(json["layout"], "timm");
    const std::string note = json["notes"][0];
    EXPECT_NE(note.find("\"model_ema\" was read"), std::string::npos) << note;
    const Outcome words = run("info" + model);
    EXPECT_TRUE(words.out.starts_with("ema.pth (timm, PyTorch (zip)): 16 × 16 pixels")) << words.out;
    EXPECT_NE(words.out.find(note), std::string::npos);
}

TEST(ContainerCommand, AManifestTellsShardsApart) {
    const fs::path shards = program_folder() / "shards", out = program_folder() / "of_shards";
    fs::copy(containers / "hf_sharded", shards);
    const auto hash = [&](const std::string& name) {
        const Outcome done =
            run("export cat --what entropy --model " + shards.string() + " --out " + (out / name).string());
        EXPECT_EQ(done.status, 0) << done.err;
        return nlohmann::json::parse(read(out / name / "manifest.json"))["run"]["model"]["weights_sha256"]
            .get<std::string>();
    };
    fs::create_directory(out);
    const std::string before = hash("before");
    EXPECT_EQ(before.size(), 64U);
    fs::copy_file(containers / "hf/pytorch_model.bin", shards / "unread.bin");
    EXPECT_EQ(hash("beside"), before) << "it is no file of the model";
    std::string bytes = read(shards / "model-00001-of-00002.safetensors");
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    std::ofstream(shards / "model-00001-of-00002.safetensors", std::ios::binary) << bytes;
    EXPECT_NE(hash("after"), before);
}

TEST(ContainerCommand, HostileFilesEndWithOneSentence) {
    expect_failure("trace cat --model " + (containers / "hostile/calls.pth").string(), 1, "posix.system");
    expect_failure("info --model " + (containers / "small").string() + "/nothing.pth", 1, "no such file");
    const fs::path two = program_folder() / "two";
    fs::create_directory(two);
    for (const char* const name : {"plain.pth", "timm.npz"}) fs::copy(containers / "small" / name, two / name);
    expect_failure("info --model " + two.string(), 1,
                   "several weight files (\"plain.pth\" and \"timm.npz\"); name one");
}

}  // namespace
}  // namespace vitrine
