#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/files/safetensors.h"
#include "core/measures/catalogue.h"
#include "core/training/pictures/picture_set.h"
#include "tests/drawn_folder.h"
#include "tests/scripts.h"

// Exports of many images: they go on after an end, stack their arrays, and have means over all.

namespace vitrine {
namespace {

/// Runs an export, and kills it as soon as a file is there; false if it ended before.
bool killed_when(const fs::path& file, const std::vector<std::string>& words) {
    const pid_t child = fork();
    if (child == 0) {
        std::vector<char*> argv;
        for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        execv(VITRINE_PROGRAM, argv.data());
        _exit(127);
    }
    int status = 0;
    std::error_code ignored;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (fs::exists(file, ignored)) kill(child, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return WIFSIGNALED(status);
}

TEST_F(Scripts, AKilledExportGoesOnAndEndsWithTheSameBytes) {
    std::string names;
    for (int i = 0; i < 8; ++i) names += "cat:" + std::to_string(i) + "\n";
    const std::string list = "@" + list_of(names).string();
    const std::vector<std::string> words = {
        "vitrine", "export", list, "--what", "rollout,entropy,lens,occlusion", "--model", small_model_name, "--resume"};
    const auto whole = [&](const fs::path& out, const std::string& more) {
        const Outcome o = vitrine("export " + list + " --json --what rollout,entropy,lens,occlusion " + more +
                                  " --out " + out.string());
        EXPECT_EQ(o.status, 0) << o.err;
        return lines_of(o.out);
    };
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        return more;
    };

    whole(own / "folders", "");
    const bool cut =
        killed_when(own / "resumed" / "cat-3" / "rollout.npy", with({"--out", (own / "resumed").string()}));
    const std::vector<Json> lines = whole(own / "resumed", "--resume");
    EXPECT_EQ(files_of(own / "folders"), files_of(own / "resumed"));
    EXPECT_EQ(lines[0]["kept"].size(), 4U) << "what was there is not computed again";
    EXPECT_TRUE(cut);

    whole(own / "stack", "--stack");
    // The second killing is at an unknown moment between two images, or within one.
    EXPECT_TRUE(killed_when(own / "taken" / "stack.jsonl.part", with({"--stack", "--out", (own / "taken").string()})));
    killed_when(own / "taken" / "rollout.npy", with({"--stack", "--out", (own / "taken").string()}));
    whole(own / "taken", "--stack --resume");
    EXPECT_EQ(files_of(own / "stack"), files_of(own / "taken"));
    const std::vector<Json> again = whole(own / "taken", "--stack --resume");
    EXPECT_EQ(again.size(), 8U);
    for (const Json& line : again) EXPECT_EQ(line["kept"], true);
    EXPECT_EQ(files_of(own / "stack"), files_of(own / "taken"));
}

TEST_F(Scripts, AStackHoldsTheArraysOfItsImagesInTheirOrder) {
    const std::string out = (own / "stack").string();
    const Outcome o = vitrine("export cat missing.png mug --stack --what rollout,token_pairs --out " + out);
    EXPECT_EQ(o.status, 1) << "one image is missing";
    const Json manifest = Json::parse(read(own / "stack" / "manifest.json"));
    ASSERT_EQ(manifest["run"]["images"].size(), 3U);
    EXPECT_TRUE(manifest["run"]["images"][1].contains("error"));
    EXPECT_EQ(manifest["arrays"][0]["axes"][0], Json({{"name", "image"}, {"size", 2}, {"first", 0}}));
    const Npy rollout = npy_of(read(own / "stack" / "rollout.npy"));
    EXPECT_EQ(rollout.shape, "(2, 65, 65, )");
    std::size_t at = 0;
    for (const char* const name : {"cat", "mug"}) {
        ASSERT_EQ(vitrine("export " + std::string(name) + " --what rollout --out " + (own / name).string()).status, 0);
        const Npy alone = npy_of(read(own / name / "rollout.npy"));
        ASSERT_LE(at + alone.values.size(), rollout.values.size());
        EXPECT_TRUE(std::equal(alone.values.begin(), alone.values.end(), rollout.values.begin() + at)) << name;
        at += alone.values.size();
    }
    EXPECT_EQ(npy_of(read(own / "stack" / "token_pairs.npy")).shape, "(2, 5, )");
    const std::string table = read(own / "stack" / "images.csv");
    EXPECT_NE(table.find("\n0,pictograms:cat,,512,512,"), std::string::npos) << table;
    EXPECT_NE(table.find("\n1,pictograms:mug,,512,512,"), std::string::npos) << table;
    EXPECT_FALSE(fs::exists(own / "stack" / "stack.jsonl.part"));
}

TEST_F(Scripts, StacksAreWrittenInEveryFormat) {
    const std::string words = "export cat mug --stack --what entropy --out " + (own / "stack").string();
    for (const char* const format : {"npy", "csv", "safetensors"})
        ASSERT_EQ(vitrine(words + " --format " + format).status, 0) << format;
    const std::vector<float> values = npy_of(read(own / "stack" / "entropy.npy")).values;
    const Safetensors file = Safetensors::open(own / "stack" / "entropy.safetensors");
    EXPECT_EQ(file.entries().at("entropy").shape, (std::vector<std::size_t>{2, 4, 4}));
    EXPECT_TRUE(std::equal(values.begin(), values.end(), file.floats("entropy").get()));
    const std::string csv = read(own / "stack" / "entropy.csv");
    EXPECT_TRUE(csv.starts_with("image,block,0,1,2,3\n0,1,")) << csv;
    EXPECT_NE(csv.find("\n1,4,"), std::string::npos) << csv;
    EXPECT_EQ(run(words + " --format png").status, 2);
}

TEST_F(Scripts, OverAllImagesWritesTheMeanAndTheDeviationOfEachMeasure) {
    const std::string out = (own / "all").string();
    const Outcome o = vitrine("export cat missing.png mug --over-all --what importance,importance_mlp --out " + out);
    EXPECT_EQ(o.status, 1) << "one image is missing";
    const Json manifest = Json::parse(read(own / "all" / "manifest.json"));
    ASSERT_EQ(manifest["run"]["images"].size(), 3U);
    EXPECT_TRUE(manifest["run"]["images"][1].contains("error"));
    ASSERT_EQ(
        vitrine("export cat mug --stack --what importance,importance_mlp --out " + (own / "each").string()).status, 0);
    for (const char* const name : {"importance", "importance_mlp"}) {
        const std::string measure = name;
        const Npy each = npy_of(read(own / "each" / (measure + ".npy"))),
                  mean = npy_of(read(own / "all" / (measure + "_mean.npy"))),
                  sd = npy_of(read(own / "all" / (measure + "_sd.npy")));
        ASSERT_EQ(each.values.size(), 2 * mean.values.size()) << name;
        for (std::size_t i = 0; i < mean.values.size(); ++i) {
            const float a = each.values[i], b = each.values[mean.values.size() + i];
            EXPECT_NEAR(mean.values[i], (a + b) / 2, 1e-5) << name;
            EXPECT_NEAR(sd.values[i], std::abs(a - b) / 2, 1e-5) << name;
        }
    }
}

TEST_F(Scripts, PruningIsOneCurveForAllImagesByTheirClassesWhereTheyAreKnown) {
    const std::string out = (own / "curve").string();
    ASSERT_EQ(vitrine("export cat mug cat:3 --over-all --what pruning --out " + out).status, 0);
    const Npy curve = npy_of(read(own / "curve" / "pruning.npy"));
    EXPECT_EQ(curve.shape, "(17, )") << "from none of the 16 heads to all";
    for (const float share : curve.values) EXPECT_TRUE(share >= 0 && share <= 1);
    const Json manifest = Json::parse(read(own / "curve" / "manifest.json"));
    EXPECT_EQ(manifest["run"]["settings"]["classes_known"], true);
    EXPECT_EQ(manifest["arrays"][0]["axes"][0]["labels"].size(), 17U);

    const std::vector<std::string> names = picture_classes(false);
    draw_into(own / "classes", {0, 6}, 1, [&](int label, int) { return names[static_cast<std::size_t>(label)]; });
    const std::string words = "export " + (own / "classes").string() + " --over-all --ranking gradient --what pruning";
    ASSERT_EQ(vitrine(words + " --out " + (own / "known").string()).status, 0);
    EXPECT_EQ(Json::parse(read(own / "known" / "manifest.json"))["run"]["settings"]["classes_known"], true);
    fs::rename(own / "classes" / names[6], own / "classes" / "unicorn");
    expect_failure(words + " --out " + (own / "foreign").string() + with_small_model, 1,
                   "is not a class of this model");
    draw_into(own / "flat", {0, 6}, 1, [](int, int) { return "."; });
    ASSERT_EQ(vitrine("export " + (own / "flat").string() + " --over-all --what pruning --out " +
                      (own / "flat").string() + "-out")
                  .status,
              0);
    EXPECT_EQ(npy_of(read((own / "flat").string() + "-out/pruning.npy")).values.front(), 1) << "agrees with itself";
    expect_failure("export cat --what pruning --out x" + std::string(with_small_model), 2, "--over-all");
}

TEST_F(Scripts, AnInterruptedStackOfOtherImagesIsNotContinued) {
    const fs::path out = own / "stack";
    fs::create_directories(out);
    std::ofstream(out / "stack.jsonl.part") << R"({"software":"Vitrine","stack":1})"
                                            << "\n";
    const std::string words = "export cat --stack --what entropy --out " + out.string();
    expect_failure(words + " --resume" + with_small_model, 1, "leave --resume out");
    EXPECT_EQ(vitrine(words).status, 0) << "begun anew";
    fs::create_directories(own / "mine");
    write(own / "mine" / "stack.jsonl.part", "my own notes");
    expect_failure("export cat --stack --what entropy --out " + (own / "mine").string() + with_small_model, 1,
                   "stack.jsonl.part");
}

}  // namespace
}  // namespace vitrine
