#include "app/exports/manifest.h"
#include "core/base/sha256.h"
#include "tests/program.h"
#include "tests/small_model.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string tiny = " --model " + (fs::path(VITRINE_GOLDEN) / "models/tiny_hf").string() + " ";

class ManifestFile : public testing::Test {
protected:
    Json manifest() const { return Json::parse(read(out / "manifest.json")); }
    Json row(const std::string& file) const {
        const Json all = manifest();
        for (const Json& r : all["arrays"])
            if (r["file"] == file) return r;
        ADD_FAILURE() << file << " is in no row";
        return {};
    }
    std::string command(const std::string& words) const {
        const char* const model = words.find("--model") == std::string::npos ? with_small_model : "";
        return "export " + words + model + " --out " + out.string();
    }
    Outcome write_measures(const std::string& words) const { return run(command(words)); }
    void expect_refused(const std::string& words, const std::string& part) const {
        expect_failure(command(words), 1, part);
    }

    const TestFolder own;
    const fs::path out = own / "measures";
};

TEST_F(ManifestFile, SaysWhatTheMeasuresWereMadeOfAndWhatEachFileHolds) {
    ASSERT_EQ(write_measures("cat --what entropy,ledger,lens,block.2.q --what-if head:2.1 --set lab.fusion=max").status,
              0);
    const Json m = manifest(), run = m["run"];
    EXPECT_EQ(m["software"], "Vitrine");
    EXPECT_TRUE(m["version"].get<std::string>().starts_with("vitrine "));
    const fs::path weights = small_model_folder() / "model.safetensors";
    EXPECT_EQ(run["model"]["weights_sha256"], sha256_of_file(weights));
    EXPECT_EQ(run["model"]["heads"], 4);
    EXPECT_EQ(run["image"]["name"], "pictograms:cat");
    EXPECT_EQ(run["image"]["width"], 512);
    EXPECT_EQ(run["settings"]["what_if"], Json::array({"head:2.1"}));
    EXPECT_EQ(run["settings"]["lab.fusion"], "max");
    EXPECT_EQ(run["settings"]["lab.residual"], "0.5") << "also what was not changed";
    EXPECT_EQ(run["class"]["label"], "cat");
    EXPECT_EQ(run["class"]["chosen_by"], "the model");
    const Json entropy = row("entropy.npy");
    EXPECT_EQ(entropy["shape"], Json::array({4, 4}));
    EXPECT_EQ(entropy["dtype"], "float32");
    EXPECT_EQ(entropy["axes"][0], Json({{"name", "block"}, {"size", 4}, {"first", 1}}));
    EXPECT_EQ(entropy["axes"][1], Json({{"name", "head"}, {"size", 4}, {"first", 0}}));
    EXPECT_EQ(entropy["sha256"], sha256_of_file(out / "entropy.npy"));
    EXPECT_EQ(row("lens.npy")["axes"][0]["first"], 0) << "the level before the first block";
    EXPECT_EQ(row("lens.npy")["axes"][1]["labels"][6], "cat");
    EXPECT_EQ(row("ledger.npy")["axes"][0]["labels"].size(), row("ledger.npy")["shape"][0]);
    EXPECT_EQ(row("block.2.q.npy")["shape"], Json::array({4, 65, 16}));
}

TEST_F(ManifestFile, SaysWhereTheModelWasGivenManagedColours) {
    const std::string wide = (fs::path(VITRINE_GOLDEN) / "pillow/colour/wide.png").string() + " --what entropy";
    ASSERT_EQ(write_measures(wide + " --colour managed").status, 0);
    EXPECT_EQ(manifest()["run"]["image"]["colours"], "managed");
    expect_refused(wide, "the image in other colours");
    const std::string plain = (fs::path(VITRINE_GOLDEN) / "pillow/decode/rgb.png").string() + " --what entropy --force";
    ASSERT_EQ(write_measures(plain + " --colour managed").status, 0);
    EXPECT_FALSE(manifest()["run"]["image"].contains("colours")) << "it has no profile";
    EXPECT_EQ(manifest()["run"]["settings"]["colours"], "managed") << "but it was asked for";
    expect_refused(plain.substr(0, plain.find(" --force")), "other settings");
    const auto probabilities = [](const std::string& colour) {
        return Json::parse(run("trace " + (fs::path(VITRINE_GOLDEN) / "pillow/colour/swapped.jpg").string() +
                               " --json" + with_small_model + colour)
                               .out)["top"];
    };
    EXPECT_NE(probabilities(" --colour managed"), probabilities(""));
    EXPECT_EQ(probabilities(" --colour stored"), probabilities(""));
    expect_failure("trace cat --colour bright", 2, "bright");
}

TEST_F(ManifestFile, AnExportThatWasKilledBetweenAFileAndItsRowIsDoneAgain) {
    ASSERT_EQ(write_measures("cat --what entropy --format csv").status, 0);
    Json left = manifest();
    Json& row = left["arrays"][0];
    const std::string hash = row["sha256"].get<std::string>();
    row = {{"file", "entropy.csv"}, {"coming_sha256", hash}};
    std::ofstream(out / "manifest.json") << left.dump();
    EXPECT_EQ(write_measures("cat --what entropy --format csv").status, 0);
    EXPECT_EQ(manifest()["arrays"][0]["sha256"], hash);
    EXPECT_FALSE(manifest()["arrays"][0].contains("coming_sha256"));
    row["coming_sha256"] = "of another file";
    std::ofstream(out / "manifest.json") << left.dump();
    expect_refused("cat --what entropy --format csv", "entropy.csv");
}

TEST_F(ManifestFile, AnExportThatWasKilledBeforeItsLastManifestKeepsWhatIsInPlace) {
    ASSERT_EQ(write_measures("cat --what entropy,rollout,lens").status, 0);
    const std::string whole = read(out / "manifest.json"), rollout = read(out / "rollout.npy");
    Json left = manifest();
    for (Json& row : left["arrays"]) {  // as they are while the files are put into their places
        row["coming_sha256"] = row["sha256"];
        row.erase("sha256");
    }
    fs::remove(out / "lens.npy");  // not in its place yet
    std::ofstream(out / "manifest.json") << left.dump();
    const Outcome o = write_measures("cat --what entropy,rollout,lens --resume --json");
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(Json::parse(o.out)["kept"], Json::array({"entropy.npy", "rollout.npy"}));
    EXPECT_EQ(Json::parse(o.out)["written"], Json::array({"lens.npy"}));
    EXPECT_EQ(Json::parse(read(out / "manifest.json")), Json::parse(whole));
    EXPECT_EQ(read(out / "rollout.npy"), rollout);
    std::ofstream(out / "manifest.json") << left.dump();
    ASSERT_EQ(write_measures("cat --what entropy,rollout,lens --resume").status, 0);
    EXPECT_EQ(Json::parse(read(out / "manifest.json")), Json::parse(whole)) << "all were in their places";
}

TEST_F(ManifestFile, TheSameRunAddsToItsFolderAndWritesItsOwnFilesAgain) {
    ASSERT_EQ(write_measures("cat --what entropy,rollout").status, 0);
    ASSERT_EQ(write_measures("cat --what rollout,distance").status, 0);
    ASSERT_EQ(write_measures("cat --what distance --format csv").status, 0);
    ASSERT_EQ(write_measures("cat --what rollout --format svg --size 640x360").status, 0);
    EXPECT_EQ(manifest()["arrays"].size(), 5U);
    EXPECT_EQ(row("rollout.svg")["picture"]["theme"], "light");
    for (const char* const file : {"entropy.npy", "rollout.npy", "distance.npy", "distance.csv", "rollout.svg"})
        EXPECT_EQ(row(file)["sha256"], sha256_of_file(out / file)) << file;
    const fs::path copy = own / "copy";
    fs::copy(small_model_folder(), copy, fs::copy_options::recursive);
    EXPECT_EQ(write_measures("cat --what norms --model " + copy.string()).status, 0)
        << "the same weights from elsewhere";
}

TEST_F(ManifestFile, ExportsIntoOneFolderAtOnceLoseNoRow) {
    const std::vector<std::string> measures = {"entropy", "rollout", "distance", "norms", "lens", "ledger"};
    std::string together;
    for (const std::string& measure : measures)
        together += VITRINE_PROGRAM " " + command("cat --what " + measure) + " & pids=\"$pids $!\"; ";
    ASSERT_EQ(std::system((together + "for p in $pids; do wait $p || exit 1; done").c_str()), 0);
    EXPECT_EQ(manifest()["arrays"].size(), measures.size());
    for (const std::string& measure : measures)
        EXPECT_EQ(row(measure + ".npy")["sha256"], sha256_of_file(out / (measure + ".npy")));
    EXPECT_EQ(write_measures("cat --what entropy").status, 0);
}

TEST_F(ManifestFile, SaysThatLabelsInCsvAreHarmlessForSpreadsheets) {
    const fs::path model = own / "model";
    fs::copy(small_model_folder(), model, fs::copy_options::recursive);
    Json config = Json::parse(read(model / "config.json"));
    config["id2label"]["0"] = "=cmd|' /C calc'!A0";
    write(model / "config.json", config.dump());
    ASSERT_EQ(write_measures("cat --what lens,norms --format csv --model " + model.string()).status, 0);
    EXPECT_NE(read(out / "lens.csv").find(",'=cmd|"), std::string::npos);
    EXPECT_TRUE(row("lens.csv").contains("labels_in_file"));
    EXPECT_EQ(row("lens.csv")["axes"][1]["labels"][0], "=cmd|' /C calc'!A0");
    EXPECT_FALSE(row("norms.csv").contains("labels_in_file"));
}

TEST_F(ManifestFile, AnotherRunsFolderIsRefused) {
    const fs::path photo = own / "cat.png";
    fs::copy(fs::path(VITRINE_SOURCE) / "tests/ui/images/key.png", photo);
    ASSERT_EQ(write_measures("cat --what entropy,rollout").status, 0);
    const std::string before = read(out / "manifest.json"), numbers = read(out / "rollout.npy");
    expect_refused("cat --what rollout" + tiny, "measures of another model");
    expect_refused("cat --what rollout --heads 2", "leave --heads out");
    expect_refused("mug --what rollout", "another image");
    expect_refused(photo.string() + " --what norms", "another image");
    expect_refused("cat --what norms --set lab.fusion=max", "other settings");
    expect_refused("cat --what norms --what-if mlp:1", "other settings");
    EXPECT_EQ(read(out / "manifest.json"), before);
    EXPECT_EQ(read(out / "rollout.npy"), numbers);
    EXPECT_EQ(std::distance(fs::directory_iterator(out), {}), 3);
}

TEST_F(ManifestFile, OtherHeadsOfWeightsThatDoNotTellThemAreAnotherRun) {
    const std::string silent = " --model " + (fs::path(VITRINE_GOLDEN) / "models/tiny_torchvision").string();
    ASSERT_EQ(write_measures("cat --what rollout --heads 4" + silent).status, 0);
    expect_refused("cat --what rollout --heads 2" + silent, "another number of heads");
}

TEST_F(ManifestFile, AConfigurationThatChangedIsAnotherRun) {
    const fs::path model = own / "model";
    fs::copy(fs::path(VITRINE_GOLDEN) / "models/tiny_hf", model);
    ASSERT_EQ(write_measures("cat --what norms --model " + model.string()).status, 0);
    Json pre = Json::parse(read(model / "preprocessor_config.json"));
    pre["image_mean"] = 0.4;
    write(model / "preprocessor_config.json", pre.dump());
    expect_refused("cat --what norms --model " + model.string(), "another configuration");
}

TEST_F(ManifestFile, ForceReplacesAnotherRunWholeSoThatNothingIsMixed) {
    ASSERT_EQ(write_measures("cat --what entropy,rollout,norms").status, 0);
    write(out / "norms.npy", "changed by hand");
    write(out / "notes.txt", "mine");
    ASSERT_EQ(write_measures("mug --what rollout --force").status, 0);
    EXPECT_EQ(manifest()["run"]["image"]["name"], "pictograms:mug");
    EXPECT_EQ(manifest()["arrays"].size(), 1U);
    EXPECT_FALSE(fs::exists(out / "entropy.npy")) << "the cat's";
    EXPECT_EQ(read(out / "norms.npy"), "changed by hand");
    EXPECT_EQ(read(out / "notes.txt"), "mine");
}

TEST_F(ManifestFile, WhatSomebodyElseWroteOrChangedStays) {
    fs::create_directories(out);
    write(out / "norms.csv", "mine");
    expect_refused("cat --what entropy,norms --format csv", "norms.csv");
    EXPECT_FALSE(fs::exists(out / "entropy.csv")) << "all files are looked at before one is written";
    EXPECT_EQ(write_measures("cat --what norms --format csv --force").status, 0);
    write(out / "norms.csv", read(out / "norms.csv") + "a remark\n");
    expect_refused("cat --what norms --format csv", "norms.csv");
    EXPECT_TRUE(read(out / "norms.csv").ends_with("a remark\n"));
    for (const char* const foreign : {"{\"name\": \"a web page\"}", "[1]", "no JSON", "{\"software\": \"Vitrine\"}"}) {
        write(out / "manifest.json", foreign);
        expect_refused("cat --what entropy", "manifest.json");
        EXPECT_EQ(read(out / "manifest.json"), foreign);
    }
    EXPECT_EQ(write_measures("cat --what entropy --force").status, 0);
}

TEST_F(ManifestFile, AManifestFromElsewhereReachesOutOfNoFolder) {
    ASSERT_EQ(write_measures("cat --what norms").status, 0);
    write(own / "victim", "mine");
    Json m = manifest();
    m["arrays"][0]["file"] = "../victim";
    m["arrays"][0]["sha256"] = sha256_of_file(own / "victim");
    write(out / "manifest.json", m.dump());
    EXPECT_EQ(write_measures("mug --what rollout --force").status, 0);
    EXPECT_EQ(read(own / "victim"), "mine");
}

TEST_F(ManifestFile, ImagesOfOneNameGetTheSameFoldersInEveryOrder) {
    for (const char* const name : {"a", "b"}) {
        fs::create_directories(own / name);
        fs::copy(fs::path(VITRINE_SOURCE) / "tests/ui/images" / (std::string(name) == "a" ? "key.png" : "cat.png"),
                 own / name / "x.png");
    }
    const std::string a = (own / "a/x.png").string(), b = (own / "b/x.png").string();
    ASSERT_EQ(write_measures(b + " " + a + " --what norms").status, 0);
    const auto image_of = [&](const char* folder) {
        return Json::parse(read(out / folder / "manifest.json"))["run"]["image"]["path"].get<std::string>();
    };
    EXPECT_EQ(image_of("x"), a);
    EXPECT_EQ(image_of("x-2"), b);
    EXPECT_EQ(write_measures(a + " " + b + " --what entropy").status, 0) << "the same folders, so the same runs";
    expect_refused(b + " cat --what norms", "another image");
}

}  // namespace
}  // namespace vitrine
