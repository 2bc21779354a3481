#include <fstream>

#include "core/base/error.h"
#include "core/base/output_guard.h"
#include "core/files/safetensors.h"
#include "core/training/net_study.h"
#include "core/vit/checkpoint/save.h"
#include "tests/files.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using Foreign = OutputGuard::Foreign;

std::string message(const OutputGuard& guard, const fs::path& output) {
    try {
        guard.check(output);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(OutputGuard, WhatARunReadsIsNeverWrittenOverByWhateverName) {
    const TestFolder folder;
    std::ofstream(folder / "photo.png") << "a photograph";
    fs::create_directories(folder / "below");
    fs::create_symlink("photo.png", folder / "link");
    fs::create_hard_link(folder / "photo.png", folder / "twin");
    for (const Foreign foreign : {Foreign::kept, Foreign::replaced}) {
        OutputGuard guard(foreign);
        guard.reads(folder / "link");
        guard.reads(folder / "is not there");
        for (const fs::path& name :
             {folder / "photo.png", folder / "link", folder / "twin", folder / "below" / ".." / "photo.png"}) {
            EXPECT_NE(message(guard, name).find("that this very run reads"), std::string::npos) << name;
            EXPECT_THROW(guard.check_is_not_read(name), Error) << name;
        }
        EXPECT_EQ(message(guard, folder / "other.png"), "");
        EXPECT_EQ(message(guard, folder / "is not there"), "");
    }
}

TEST(OutputGuard, AFileOfSomebodyElseStaysUnlessItIsGivenUp) {
    const TestFolder folder;
    std::ofstream(folder / "notes.txt") << "my manifest says \"software\": \"Vitrine\"";
    std::ofstream(folder / "empty");
    const OutputGuard kept(Foreign::kept), replaced(Foreign::replaced);
    EXPECT_NE(message(kept, folder / "notes.txt").find("--force"), std::string::npos);
    EXPECT_EQ(message(replaced, folder / "notes.txt"), "");
    for (const fs::path& harmless : {folder / "empty", folder / "new", fs::path("/dev/null")})
        EXPECT_EQ(message(kept, harmless), "") << harmless;
}

TEST(OutputGuard, TensorsAndModelsThatVitrineWroteAreItsOwn) {
    const TestFolder folder;
    const float x = 1;
    const std::vector<NamedTensor> tensors = {{"x", {1}, &x}};
    write_safetensors(folder / "x.safetensors", tensors);
    EXPECT_TRUE(is_ours(folder / "x.safetensors"));
    EXPECT_EQ(Safetensors::open(folder / "x.safetensors").metadata().at("software"), "Vitrine");
    Config c;
    c.image_height = c.image_width = 16;
    c.patch_size = c.embedding_dim = c.mlp_dim = 8;
    c.heads = c.blocks = 1;
    c.classes = 2;
    save_model(random_model(c, 1), folder / "model", Precision::f16);
    for (const char* const name : {"model.safetensors", "config.json", "preprocessor_config.json"})
        EXPECT_TRUE(is_ours(folder / "model" / name)) << name;
    for (const char* const name : {"model.safetensors", "config.json", "preprocessor_config.json"})
        EXPECT_FALSE(is_ours(fs::path(VITRINE_GOLDEN) / "models/tiny_hf" / name)) << name;
    EXPECT_FALSE(is_ours(folder / "none"));
    EXPECT_FALSE(is_ours(folder.path()));
}

TEST(OutputGuard, TheLogsOfBothKindsOfTrainingAndTheStudyOfNetsAreItsOwn) {
    const TestFolder folder;
    const fs::path assets = fs::path(VITRINE_SOURCE) / "assets";
    for (const char* const name :
         {"model/metrics.jsonl", "text_models/story/metrics.jsonl", "studies/vit_cnn.json", "claims/log.json",
          "claims/runs/skips.json", "model/config.json", "text_models/story/vocabulary.json"})
        EXPECT_TRUE(is_ours(assets / name)) << name;
    std::ofstream(folder / "study.json") << to_json(NetStudy{});
    EXPECT_EQ(message(OutputGuard(Foreign::kept), folder / "study.json"), "");
    std::ofstream(folder / "sentences.jsonl") << R"({"sentences":["one of somebody else's"]})";
    EXPECT_FALSE(is_ours(folder / "sentences.jsonl"));
}

TEST(OutputGuard, WhatWasEditedByHandIsNoLongerOurs) {
    const TestFolder folder;
    const std::string svg = "<svg width=\"1\">\n<metadata>Vitrine</metadata>\n<text>cat</text></svg>\n",
                      page = "<!DOCTYPE html><meta name=\"generator\" content=\"Vitrine\"><p>cat</p>\n",
                      json = "{\n \"software\": \"Vitrine\",\n \"name\": \"cat\"\n}\n";
    for (const std::string& words : {svg, page, json}) {
        const fs::path file = folder / "file";
        const std::string whole = sealed(words);
        write(file, whole);
        EXPECT_TRUE(is_ours(file)) << whole;
        std::string edited = whole;
        edited.replace(edited.find("cat"), 3, "dog");
        for (const std::string& other : {words, edited, whole + "\n", whole.substr(0, whole.size() - 3)}) {
            write(file, other);
            EXPECT_FALSE(is_ours(file)) << other;
            EXPECT_NE(message(OutputGuard(Foreign::kept), file).find("changed since"), std::string::npos) << other;
        }
    }
}

}  // namespace
}  // namespace vitrine
