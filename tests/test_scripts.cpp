#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/files/safetensors.h"
#include "core/measures/catalogue.h"
#include "tests/drawn_folder.h"
#include "tests/scripts.h"

// What scripts rely on: lists of images, lines of JSON, the server.

namespace vitrine {
namespace {

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

TEST_F(Scripts, NothingIsSaidOnStderrWhereItIsNoTerminal) {
    const Outcome o = vitrine("export cat mug --what entropy --out " + (own / "out").string());
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(o.out, "");
}

}  // namespace
}  // namespace vitrine
