#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/commands/progress_line.h"
#include "app/commands/wrapped_words.h"
#include "core/files/safetensors.h"
#include "core/measures/catalogue.h"
#include "core/training/pictures/picture_set.h"
#include "tests/drawn_folder.h"
#include "tests/program.h"
#include "tests/small_model.h"

// What scripts rely on: lists of images, exports that go on, stacks, lines of JSON, the server.

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Scripts : public testing::Test {
protected:
    Outcome vitrine(const std::string& words) const { return run(words + with_small_model); }
    /// Every file below a folder, by its path there.
    static std::map<std::string, std::string> files_of(const fs::path& folder) {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file()) files[fs::relative(entry.path(), folder).string()] = read(entry.path());
        return files;
    }
    static std::vector<Json> lines_of(const std::string& text) {
        std::vector<Json> lines;
        std::istringstream all(text);
        for (std::string line; std::getline(all, line);) lines.push_back(Json::parse(line));
        return lines;
    }
    fs::path list_of(const std::string& names) const {
        std::ofstream(own / "list.txt") << names;
        return own / "list.txt";
    }

    const TestFolder own;
};

/// Numbers and shape of an NPY file.
struct Npy {
    std::string shape;
    std::vector<float> values;
};
Npy npy_of(const std::string& bytes) {
    const std::size_t header = 10 + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    const std::size_t at = bytes.find("'shape': ");
    Npy npy{bytes.substr(at + 9, bytes.find(')', at) - at - 8), {}};
    npy.values.resize((bytes.size() - header) / sizeof(float));
    std::memcpy(npy.values.data(), bytes.data() + header, npy.values.size() * sizeof(float));
    return npy;
}

TEST_F(Scripts, FoldersListsAndTheStandardInputNameImagesWithTheSameLayout) {
    draw_into(own / "pictures", {0, 6}, 1, [](int, int) { return "."; });
    write(own / "pictures" / "notes.txt", "no picture");
    const fs::path pictures = own / "pictures", a = own / "a", b = own / "b", c = own / "c";
    ASSERT_EQ(vitrine("export " + pictures.string() + " --what entropy --out " + a.string()).status, 0);
    std::ofstream(own / "list.txt") << "\n"
                                    << (pictures / "0-0.ppm").string() << "\r\n"
                                    << (pictures / "6-0.ppm").string();
    ASSERT_EQ(vitrine("export @" + (own / "list.txt").string() + " --what entropy --out " + b.string()).status, 0);
    const std::string piped = "find " + pictures.string() +
                              " -name '*.ppm' -print0 | " VITRINE_PROGRAM " export - --what entropy --out " +
                              c.string() + with_small_model;
    ASSERT_EQ(std::system(piped.c_str()), 0);
    EXPECT_EQ(files_of(a).size(), 4U) << "an array and a manifest for each of the two";
    EXPECT_TRUE(fs::exists(a / "6-0" / "entropy.npy"));
    EXPECT_EQ(files_of(a), files_of(b));
    EXPECT_EQ(files_of(a), files_of(c));
}

TEST_F(Scripts, ASingleImageHasAFolderOfItsOwnWhereEachIsAskedFor) {
    ASSERT_EQ(vitrine("export cat --what entropy --out " + (own / "plain").string()).status, 0);
    ASSERT_EQ(vitrine("export cat --each --what entropy --out " + (own / "each").string()).status, 0);
    EXPECT_EQ(read(own / "plain" / "entropy.npy"), read(own / "each" / "cat" / "entropy.npy"));
}

TEST_F(Scripts, FoldersAndListsWithoutPicturesAreRefused) {
    fs::create_directories(own / "empty" / "deeper");
    expect_failure("export " + (own / "empty").string() + " --what entropy --out x", 1, "holds no pictures of its own");
    expect_failure("export @" + list_of("\n\n").string() + " --what entropy --out x", 1, "names no images");
    expect_failure("export @/no/such/list --what entropy --out x", 1, "/no/such/list");
    expect_failure("export - --what entropy --out x", 1, "names no images");
}

TEST_F(Scripts, AFileWhoseNameBeginsWithAnAtIsReadAsItself) {
    draw_into(own.path(), {6}, 1, [](int, int) { return "."; });
    fs::rename(own / "6-0.ppm", own / "@cat.ppm");
    const Outcome o = run(std::string("trace @cat.ppm --json") + with_small_model, "cd " + own.path().string() + "; ");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(Json::parse(o.out)["image"]["path"], "@cat.ppm");
}

TEST_F(Scripts, ExportPrintsALineForEachImageAndItsErrors) {
    const Outcome o = vitrine("export cat missing.png mug --json --what entropy --out " + (own / "out").string());
    EXPECT_EQ(o.status, 1);
    const std::vector<Json> lines = lines_of(o.out);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0]["written"], Json::array({"entropy.npy"}));
    EXPECT_EQ(lines[0]["folder"], (own / "out" / "cat").string());
    EXPECT_NE(lines[1]["error"].get<std::string>().find("missing.png"), std::string::npos);
    EXPECT_EQ(lines[2]["image"], "mug");
}

TEST_F(Scripts, TraceOfManyImagesPrintsALineEach) {
    const Outcome o = vitrine("trace cat mug --json --top 1 --what-if head:2.1");
    ASSERT_EQ(o.status, 0) << o.err;
    const std::vector<Json> lines = lines_of(o.out);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0]["top"][0]["label"], "cat");
    EXPECT_TRUE(lines[1].contains("change"));
    EXPECT_EQ(vitrine("trace cat mug --dump x").status, 2);
}

TEST_F(Scripts, WhatAllIsEveryMeasureOfTheModel) {
    ASSERT_EQ(vitrine("export cat --what all --out " + (own / "all").string()).status, 0);
    for (const MeasureEntry& e : measure_catalogue())
        EXPECT_TRUE(fs::exists(own / "all" / (std::string(e.name) + ".npy"))) << e.name;
    const std::string plain = (fs::path(VITRINE_GOLDEN) / "models/plain_hf").string();
    ASSERT_EQ(run("export cat --what all --model " + plain + " --out " + (own / "plain").string()).status, 0);
    EXPECT_TRUE(fs::exists(own / "plain" / "rollout.npy"));
    EXPECT_FALSE(fs::exists(own / "plain" / "lens.npy")) << "it has no classifier";
}

TEST_F(Scripts, AllMeasuresAtOnceAreWhatEachIsAlone) {
    const std::string names = "entropy,distance,occlusion,occlusion_loss";
    ASSERT_EQ(vitrine("export cat --what " + names + " --out " + (own / "together").string()).status, 0);
    for (const char* const name : {"entropy", "distance", "occlusion", "occlusion_loss"}) {
        ASSERT_EQ(vitrine("export cat --what " + std::string(name) + " --out " + (own / name).string()).status, 0);
        const std::string file = std::string(name) + ".npy";
        EXPECT_EQ(read(own / "together" / file), read(own / name / file)) << name;
    }
}

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

TEST_F(Scripts, InfoSaysHowPicturesArePreparedAndReadsNoWeights) {
    const fs::path model = own / "model";
    fs::copy(small_model_folder(), model);
    const fs::path weights = model / "model.safetensors";
    const std::uintmax_t size = fs::file_size(weights), half = size / 2;
    std::fstream file(weights, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(half));
    file << std::string(size - half, '\xFF');  // NaN
    file.close();
    expect_failure("trace cat --model " + model.string(), 1, "NaN");
    const Outcome o = run("info --json --model " + model.string());
    ASSERT_EQ(o.status, 0) << o.err;
    const Json json = Json::parse(o.out), pre = json["preprocessing"];
    EXPECT_EQ(json["parameters"], 151437);
    EXPECT_EQ(pre["mean"].size(), 3U);
    EXPECT_EQ(pre["std"].size(), 3U);
    EXPECT_TRUE(pre["resize"].contains("kind"));
    EXPECT_GT(json["layer_norm_eps"], 0);
    EXPECT_NE(run("info --model " + model.string()).out.find("preprocessing: "), std::string::npos);
    const Json bare = Json::parse(run("info --json --model " + weights.string()).out);
    EXPECT_TRUE(bare["inferred"].is_array());
}

TEST_F(Scripts, DumpsAndManifestsSayTheSameOfTheirRun) {
    const fs::path dump = own / "cat.safetensors", out = own / "cat";
    ASSERT_EQ(vitrine("trace cat --what-if head:2.1 --dump " + dump.string()).status, 0);
    ASSERT_EQ(vitrine("export cat --what-if head:2.1 --what entropy --out " + out.string()).status, 0);
    const Json of_dump = Json::parse(Safetensors::open(dump).metadata().at("run"));
    const Json of_folder = Json::parse(read(out / "manifest.json"))["run"];
    EXPECT_EQ(of_dump["model"], of_folder["model"]);
    EXPECT_EQ(of_dump["image"], of_folder["image"]);
    EXPECT_EQ(of_dump["settings"]["what_if"], of_folder["settings"]["what_if"]);
    for (const char* const key : {"preprocessing", "layer_norm_eps", "inferred", "weights_sha256"})
        EXPECT_TRUE(of_dump["model"].contains(key)) << key;
    ASSERT_EQ(run("text --task sentiment 'a fine film .' --dump " + dump.string()).status, 0);
    EXPECT_EQ(Json::parse(Safetensors::open(dump).metadata().at("run"))["model"]["task"], "sentiment");
}

TEST_F(Scripts, TheServerAnswersEachLineAndNamesTheBytesThatFollow) {
    std::ofstream(own / "requests") << R"({"request":"info","id":7}
{"request":"trace","image":"cat","what_if":["head:2.1"],"what":["block.2.heads","entropy"],"top":2}
no json
{"request":"trace","image":"/no/such.png"}
{"request":"trace","image":"cat","what":["entropi"]}
{"request":"trace","image":"cat","what_if":["head:9.9"]}
{"request":"trace","image":"cat","whatif":[]}
{"request":"measure","image":"cat","what":["rollout"],"set":["lab.fusion=max"]}
{"request":"trace","image":"cat","what":["rollout"],"set":["text.what_ifs=head:decoder.9.9"]})"
                                    << std::string(3, '\n');
    const std::string command = std::string(VITRINE_PROGRAM) + " serve --stdio" + with_small_model + " <" +
                                (own / "requests").string() + " >" + (own / "answers").string();
    ASSERT_EQ(std::system(command.c_str()), 0) << "the end of the input ends it";
    const std::string all = read(own / "answers");
    std::vector<Json> answers;
    std::vector<std::string> bytes;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = all.find('\n', at);
        ASSERT_NE(end, std::string::npos);
        answers.push_back(Json::parse(all.substr(at, end - at)));
        const std::size_t count = answers.back()["bytes"];
        bytes.push_back(all.substr(end + 1, count));
        at = end + 1 + count;
    }
    ASSERT_EQ(answers.size(), 9U);
    EXPECT_EQ(answers[0]["id"], 7);
    EXPECT_EQ(answers[0]["model"]["num_attention_heads"], 4);
    EXPECT_EQ(answers[1]["top"].size(), 2U);
    EXPECT_TRUE(answers[1].contains("change"));
    ASSERT_EQ(answers[1]["arrays"].size(), 2U);
    const Npy heads = npy_of(bytes[1]);
    EXPECT_EQ(heads.shape, "(4, 65, 16, )");
    EXPECT_EQ(heads.values[65 * 16 + 7], 0.0F) << "head 1 of block 2 is switched off";
    EXPECT_TRUE(bytes[1].substr(answers[1]["arrays"][0]["bytes"]).starts_with("\x93NUMPY"));
    for (const std::size_t bad : {2U, 3U, 4U, 5U, 6U, 8U}) {
        EXPECT_EQ(answers[bad]["ok"], false) << bad;
        EXPECT_FALSE(answers[bad]["error"].get<std::string>().empty()) << bad;
    }
    EXPECT_EQ(
        vitrine("snapshot --text mask --set text.what_ifs=head:decoder.9.9 --out " + (own / "no.png").string()).err,
        "vitrine: " + answers[8]["error"].get<std::string>() + "\n")
        << "the command line refuses it in the same sentence";
    ASSERT_EQ(vitrine("export cat --what rollout --set lab.fusion=max --out " + (own / "out").string()).status, 0);
    EXPECT_EQ(bytes[7], read(own / "out" / "rollout.npy")) << "the same numbers as an export's";
}

TEST_F(Scripts, TheUsersEpsilonReplacesTheModelsAndIsTold) {
    const Json info = Json::parse(vitrine("info --json --eps 0.001").out);
    EXPECT_FLOAT_EQ(info["layer_norm_eps"].get<float>(), 0.001F);
    EXPECT_NE(info["inferred"].dump().find("--eps"), std::string::npos) << info["inferred"];
    const auto logit = [&](const std::string& more) {
        return Json::parse(vitrine("trace cat --json" + more).out)["top"][0]["logit"].get<double>();
    };
    EXPECT_NE(logit(""), logit(" --eps 0.5"));
    const std::string out = (own / "out").string();
    ASSERT_EQ(vitrine("export cat --what entropy --eps 0.001 --out " + out).status, 0);
    const Json run_told = Json::parse(read(own / "out" / "manifest.json"))["run"];
    EXPECT_FLOAT_EQ(run_told["model"]["layer_norm_eps"].get<float>(), 0.001F);
    expect_failure("export cat --what entropy --out " + out + with_small_model, 1, "the model with another ε");
    for (const char* const bad : {"0", "-1", "nan", "inf"})
        expect_failure("info --eps " + std::string(bad), 2, "--eps");
}

TEST_F(Scripts, InfoAndEvaluateReadListsAndFoldersOfModels) {
    fs::create_directories(own / "models");
    for (const char* const name : {"b", "a"}) fs::copy(small_model_folder(), own / "models" / name);
    write(own / "models" / "notes.txt", "no model");
    const std::string folder = (own / "models").string();
    const Outcome all = run("info " + folder + " --json");
    ASSERT_EQ(all.status, 0) << all.err;
    const std::vector<Json> lines = lines_of(all.out);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0]["model"], folder + "/a");
    EXPECT_EQ(lines[1]["model"], folder + "/b");
    EXPECT_EQ(lines[0]["parameters"], 151437);
    EXPECT_EQ(run("info @" + list_of(folder + "/a\n" + folder + "/b\n").string() + " --json").out, all.out);
    const Outcome half = run(std::string("info ") + small_model_name + " /no/such/model --json");
    EXPECT_EQ(half.status, 1);
    EXPECT_EQ(lines_of(half.out).size(), 2U);
    EXPECT_TRUE(lines_of(half.out)[1].contains("error"));
    EXPECT_NE(half.err.find("1 of 2 models"), std::string::npos) << half.err;
    EXPECT_EQ(run("info " + folder + "/a --json").out, run("info --json --model " + folder + "/a").out);
    expect_failure("info - --json", 1, "names no models");
    expect_failure("info a --model b", 2, "MODEL");

    const Outcome measured = run("evaluate " + folder + " --json --count 4 --ablated 0");
    ASSERT_EQ(measured.status, 0) << measured.err;
    ASSERT_EQ(lines_of(measured.out).size(), 2U);
    EXPECT_EQ(lines_of(measured.out)[0]["accuracy"], lines_of(measured.out)[1]["accuracy"]) << "the same weights";
}

TEST_F(Scripts, MeasuresOfTextsAreExportedWithWhatMadeThem) {
    const fs::path list = list_of("a fine film .\nthe film is not good .\n"), out = own / "texts";
    const std::string words = "export --text sentiment @" + list.string() + " --what all --json --out " + out.string();
    const Outcome o = run(words);
    ASSERT_EQ(o.status, 0) << o.err;
    ASSERT_EQ(lines_of(o.out).size(), 2U);
    EXPECT_EQ(lines_of(o.out)[1]["folder"], (out / "2").string());
    const Json manifest = Json::parse(read(out / "1" / "manifest.json"));
    EXPECT_EQ(manifest["run"]["model"]["task"], "sentiment");
    EXPECT_EQ(manifest["run"]["text"]["words"], Json({"a", "fine", "film", "."}));
    EXPECT_EQ(manifest["run"]["output"].size(), 1U);
    EXPECT_EQ(manifest["arrays"][0]["measure"], "attention.encoder");
    EXPECT_EQ(manifest["arrays"][0]["axes"][2]["labels"][0], "[CLS]");
    const std::map<std::string, std::string> before = files_of(out);
    const Outcome again = run(words + " --resume");
    EXPECT_EQ(files_of(out), before);
    EXPECT_TRUE(lines_of(again.out)[0]["written"].empty());

    const std::string one = "export 'this is a pen .' --text translate --what lens,occlusion.unknown --out ";
    ASSERT_EQ(run(one + (own / "one").string() + " --format csv").status, 0);
    EXPECT_NE(read(own / "one" / "lens.csv").find("\n0,これ,"), std::string::npos);
    expect_failure("export 'a film .' --text sentiment --what lens --out " + (own / "one").string(), 1,
                   "measures of another model");
    expect_failure("export a --text sentiment --what rollout --out x", 2, "--what rollout");
    expect_failure("export a --text sentiment --what lens --format png --out x", 2, "--format png");
    expect_failure("export a --text sentiment --what lens --stack --out x", 2, "--stack");
    expect_failure("export a --text sentiment --what lens --what-if mask --out x", 2, "--text");
    expect_failure("export --text sentiment --what lens --out x", 2, "name sentences");
}

TEST_F(Scripts, PatchingOfTextsSaysWhichWordCarriesTheAnswer) {
    const std::string tired = "\"The animal didn't cross the street because it was too tired.\"",
                      wide = "\"The animal didn't cross the street because it was too wide.\"",
                      into = "export " + wide + " --text translate --what patching --format csv --out ";
    const Outcome o = run(into + (own / "patched").string() + " --patch-from " + tired);
    ASSERT_EQ(o.status, 0) << o.err;
    std::istringstream table(read(own / "patched" / "patching.csv"));
    std::string heads, numbers;
    std::getline(table, heads);
    std::getline(table, numbers);
    const auto cells = [](const std::string& line) {
        std::vector<std::string> all;
        std::istringstream words(line);
        for (std::string word; std::getline(words, word, ',');) all.push_back(word);
        return all;
    };
    const std::vector<std::string> words = cells(heads), shares = cells(numbers);
    ASSERT_EQ(words.size(), shares.size());
    const auto it = static_cast<std::size_t>(std::ranges::find(words, "it") - words.begin());
    ASSERT_LT(it, words.size());
    for (std::size_t i = 1; i < words.size(); ++i)
        EXPECT_TRUE(i == it || std::stod(shares[i]) < std::stod(shares[it])) << words[i] << ": the state of it decides";
    expect_failure(into + (own / "alone").string(), 2, "--patch-from");
    expect_failure(into + (own / "same").string() + " --patch-from " + wide, 1, "nothing can come back");
    expect_failure(into + (own / "short").string() + " --patch-from 'the dog sees .'", 1, "do not correspond");
}

TEST(Command, BenchWhatIfSaysWhatEachBlockCostsBesideItsShare) {
    const Outcome o = run("bench --what-if --variant vit-ti16 --size 32 --runs 1 --threads 1 --json");
    ASSERT_EQ(o.status, 0) << o.err;
    const Json m = Json::parse(o.out)[0];
    ASSERT_EQ(m["blocks"].size(), 12U);
    for (int block = 1; block <= 12; ++block) {
        const Json& row = m["blocks"][static_cast<std::size_t>(block - 1)];
        EXPECT_EQ(row["block"], block);
        EXPECT_DOUBLE_EQ(row["share"], (13 - block) / 12.0);
        EXPECT_GT(row["of_pass"], 0);
    }
    EXPECT_EQ(m["patching"]["by_blocks"], 5 * 6.5) << "five tokens of twelve blocks";
    EXPECT_GT(m["patching"]["passes"], 0);
    expect_failure("bench --beside dog", 2, "--frames");
}

TEST(Command, BenchMemorySaysWhatARunTakes) {
    const Outcome o = run("bench --memory --variant vit-ti16 --image-size 112x96 --json");
    ASSERT_EQ(o.status, 0) << o.err;
    const Json m = Json::parse(o.out);
    EXPECT_EQ(m["image_size"], Json({96, 112}));
    EXPECT_EQ(m["kept_blocks"], 2);
    EXPECT_FALSE(m.contains("target"));
    const double weights = m["weights_mib"], all = m["all_kept_mib"], least = m["least_mib"];
    EXPECT_GT(weights, 0.9 * m["counted_weights_mib"].get<double>());
    EXPECT_GT(least, 0);
    EXPECT_GE(all, least) << "ten blocks more";
    EXPECT_EQ(m["within_mib"], m["least_mib"]) << "no budget";
    EXPECT_GE(m["program_mib"].get<double>(), weights + least);
    EXPECT_GE(m["program_mib"], m["opening_mib"]);
    const Outcome words = run("bench --memory 5M --variant vit-ti16 --size 112");
    EXPECT_NE(words.out.find("of 12 blocks kept"), std::string::npos) << words.out << words.err;
    expect_failure("bench --memory 1M --variant vit-ti16 --size 112", 1, "give at least");
    expect_failure("bench --memory much --variant vit-ti16 --size 112", 2, "--memory much");
}

/// What scripts find at every command: --threads where it computes, --json where it prints, --quiet where it shows
/// progress.
struct CommandCase {
    const char* name;
    bool threads, json, quiet;
};
constexpr CommandCase command_cases[] = {
    // clang-format off
    {"trace", true, true, true},         {"snapshot", true, false, false},  {"describe", true, true, false},
    {"handout", true, false, true},      {"export", true, true, true},      {"info", false, true, false},
    {"serve", true, false, false},       {"bench", true, true, false},      {"train", true, true, true},
    {"draw", false, true, false},        {"find-edge", true, true, true},   {"evaluate", true, true, true},
    {"text", true, true, false},         {"probe", true, true, true},       {"compare", true, true, true},
    {"claims", true, true, true},        {"references", false, true, false}, {"help", false, false, false},
    {"sweep", true, true, true},         {"fetch", false, true, true},
    {"words", true, true, false},
    // clang-format on
};

TEST(Command, EachHasTheOptionsThatScriptsExpectAndItsErrorsNameItsHelp) {
    for (const CommandCase& row : command_cases) {
        const std::string name = row.name, help = run(name + " --help").out;
        EXPECT_EQ(help.find("--threads") != std::string::npos, row.threads) << name;
        EXPECT_EQ(help.find("--json") != std::string::npos, row.json) << name;
        EXPECT_EQ(help.find("--quiet") != std::string::npos, row.quiet) << name;
        EXPECT_EQ(run("help " + name).out, help) << name;
        expect_failure(name + " --no-such-option", 2, "vitrine " + name + " --help explains the options");
    }
    const std::string help = run("--help").out;
    const std::size_t list = help.rfind("\nSubcommands:");
    ASSERT_NE(list, std::string::npos) << help;
    std::istringstream lines(help.substr(list));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ') ++count;
    EXPECT_EQ(count, std::size(command_cases)) << "a new command has a row above\n" << help.substr(list);
    expect_failure("trace export --no-such-option", 2, "vitrine trace --help");
}

TEST(Command, AWordThatIsNoCommandOpensNoWindow) {
    expect_failure("nonsense", 2, "is neither a file nor a command; vitrine --help");
    expect_failure("nonsense --lang ja", 2, "is neither a file nor a command");
    expect_failure("exprot cat --what entropy", 2, "did you mean vitrine export?");
    expect_failure("--no-such-option", 2, "vitrine --help lists the commands");
}

TEST(Command, DescribeAnswersInJsonToo) {
    const Outcome plain = run(std::string("describe cat --step attention") + with_small_model),
                  json = run(std::string("describe cat --step attention --json --threads 1") + with_small_model);
    ASSERT_EQ(json.status, 0) << json.err;
    EXPECT_EQ(Json::parse(json.out)["text"], plain.out);
}

TEST(Command, DescribingATextTakesItsWordsAndRefusesWhatChangesAnImagesRun) {
    expect_failure("describe --text mask --what-if no-scale", 2, "text.what_ifs");
    const std::string typed = "The film was not bad.";
    const Outcome o = run("describe --text encoder --set text.task=sentiment --words '" + typed + "'");
    ASSERT_EQ(o.status, 0) << o.err;
    const Outcome usual = run("describe --text encoder --set text.task=sentiment");
    EXPECT_NE(o.out, usual.out) << "another text";
}

TEST(Command, HelpOfACommandIsAlsoAWordAndAMistypedCommandNamesTheNearest) {
    EXPECT_EQ(run("help export").out, run("export --help").out);
    EXPECT_EQ(run("help").out, run("--help").out);
    EXPECT_EQ(run("-V").out, run("--version").out);
    expect_failure("exprot", 2, "did you mean vitrine export?");
    expect_failure("tarce cat", 2, "did you mean vitrine trace?");
    expect_failure("help nonsense", 2, "is not a command");
    expect_failure("export cat --bogus", 2, "vitrine export --help");
    EXPECT_EQ(run(std::string("trace cat -m ") + small_model_name).status, 0);
}

TEST(Command, HelpIsWrapped) {
    for (const char* const command : {"export", "snapshot", "train", "trace"}) {
        std::istringstream help(run(std::string(command) + " --help").out);
        for (std::string line; std::getline(help, line);) {
            const auto letters = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
            EXPECT_LE(letters, 100) << command << ": " << line;
        }
    }
    const std::string words = run("export --help").out;
    for (const MeasureEntry& e : measure_catalogue())
        EXPECT_NE(words.find("\n  " + std::string(e.name) + " "), std::string::npos) << e.name;
}

TEST(WrappedWords, BreakAtSpacesAlone) {
    EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three");
    EXPECT_EQ(wrapped("extraordinarily", 4, 2), "extraordinarily");
    EXPECT_EQ(wrapped("ä ö", 3, 0), "ä ö") << "letters count, not bytes";
}

TEST(TimeLeft, IsSaidOnceItIsNoGuess) {
    EXPECT_EQ(time_left(0.5, 0.5), "");
    EXPECT_EQ(time_left(10, 0.001), "");
    EXPECT_EQ(time_left(10, 0.5), "10 s left");
    EXPECT_EQ(time_left(60, 0.1), "9 min left");
    EXPECT_EQ(time_left(3600, 0.25), "3.0 h left");
    EXPECT_EQ(time_left(10, 1), "");
}

TEST_F(Scripts, NothingIsSaidOnStderrWhereItIsNoTerminal) {
    const Outcome o = vitrine("export cat mug --what entropy --out " + (own / "out").string());
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(o.out, "");
}

}  // namespace
}  // namespace vitrine
