#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "app/library/library.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/forward.h"
#include "core/words/nearness.h"
#include "core/words/text_tower.h"
#include "tests/files.h"
#include "tests/golden_files.h"
#include "tests/program.h"
#include "tests/test_folder.h"

// vitrine words: an image and texts in one space. The numbers themselves: tests/test_words.cpp.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

std::string words_line(const std::string& kind, const std::string& rest) {
    return "words cat --model " + (golden_folder / "words" / kind).string() + " --text 'a dog' --text 'two cats' " +
           rest;
}

TEST(WordsCommand, PrintsWhatTheTowersGiveInJson) {
    for (const std::string kind : {"clip", "siglip"}) {
        const Outcome o = run(words_line(kind, "--json"));
        ASSERT_EQ(o.status, 0) << o.err;
        const nlohmann::json said = nlohmann::json::parse(o.out);
        EXPECT_EQ(said["probabilities"], kind == "clip" ? "softmax" : "sigmoid");
        EXPECT_EQ(said.contains("bias"), kind == "siglip");
        const Model model = load_model(golden_folder / "words" / kind);
        const TextTower tower = open_text_tower(model);
        const auto image = open_image(image_source("cat"));
        const Trace trace = forward(model, preprocess(image->full, model.preprocessing, model.config).pixels);
        const Nearness near = nearness_of(model, trace, tower, features_of_texts(tower, {"a dog", "two cats"}));
        ASSERT_EQ(said["texts"].size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            const nlohmann::json& text = said["texts"][i];
            EXPECT_EQ(text["tokens"].get<std::vector<int>>(),
                      (*tower.read)(text["text"].get<std::string>(), tower.context).numbers);
            EXPECT_NEAR(text["cosine"].get<double>(), static_cast<double>(near.cosine[i]), 1e-4);
            EXPECT_NEAR(text["probability"].get<double>(), static_cast<double>(near.probability[i]), 1e-4);
            ASSERT_EQ(text["patches"].size(), 16U);
            EXPECT_NEAR(text["patches"][3].get<double>(), static_cast<double>(near.patches(i, 3)), 1e-4);
        }
    }
}

TEST(WordsCommand, ListsTheNearestTextFirstAndSaysWhatTheNumbersAreNot) {
    const Outcome o = run(words_line("clip", ""));
    ASSERT_EQ(o.status, 0) << o.err;
    const nlohmann::json said = nlohmann::json::parse(run(words_line("clip", "--json")).out);
    const bool dog = said["texts"][0]["logit"] > said["texts"][1]["logit"];
    EXPECT_EQ(o.out.find("a dog") < o.out.find("two cats"), dog) << o.out;
    EXPECT_NE(o.out.find("not trained to place single patches"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("softmax"), std::string::npos) << o.out;
}

TEST(WordsCommand, ExportsTheSameCosinesWithTheTextsInTheManifest) {
    const TestFolder folder;
    const fs::path out = folder / "out";
    const std::string model = " --model " + (golden_folder / "words/clip").string(),
                      asked =
                          "export cat --set 'lab.texts=a dog|two cats' --what words,words_patches --format csv --out " +
                          out.string();
    const Outcome o = run(asked + model);
    ASSERT_EQ(o.status, 0) << o.err;
    const nlohmann::json said = nlohmann::json::parse(run(words_line("clip", "--json")).out)["texts"];
    const nlohmann::json manifest = nlohmann::json::parse(read(out / "manifest.json"));
    EXPECT_EQ(manifest["run"]["settings"]["lab.texts"], "a dog|two cats");
    ASSERT_EQ(manifest["arrays"].size(), 2U);
    for (const nlohmann::json& array : manifest["arrays"]) {
        const bool patches = array["measure"] == "words_patches";
        EXPECT_EQ(array["axes"][0]["labels"], (std::vector<std::string>{"a dog", "two cats"}));
        EXPECT_EQ(array["shape"], patches ? nlohmann::json({2, 16}) : nlohmann::json({2}));
        std::istringstream lines(read(out / array["file"].get<std::string>()));
        std::string line;
        std::getline(lines, line);
        for (const nlohmann::json& text : said) {
            ASSERT_TRUE(std::getline(lines, line));
            std::istringstream cells(line);
            std::string cell;
            std::getline(cells, cell, ',');
            EXPECT_EQ(cell, text["text"]);
            const nlohmann::json numbers = patches ? text["patches"] : nlohmann::json({text["cosine"]});
            for (const nlohmann::json& number : numbers) {
                ASSERT_TRUE(std::getline(cells, cell, ','));
                EXPECT_NEAR(std::stod(cell), number.get<double>(), 1e-5);
            }
        }
    }
    EXPECT_EQ(run(asked + "2").status, 1) << "the bundled model has no text tower";
    EXPECT_FALSE(fs::exists(folder / "out2"));
    const Outcome none = run("export cat --set lab.texts= --what words --out " + (folder / "none").string() + model);
    EXPECT_NE(none.err.find("there is no text to compare"), std::string::npos) << none.err;
}

TEST(WordsCommand, RefusesAModelWithoutATextTower) {
    const Outcome bundled = run("words cat --text 'a dog'");
    EXPECT_EQ(bundled.status, 1);
    EXPECT_NE(bundled.err.find("has no text tower"), std::string::npos) << bundled.err;
    const std::string folder = (golden_folder / "families/hf_clip_vision").string();
    const Outcome alone = run("words cat --model " + folder + " --text 'a dog'");
    EXPECT_EQ(alone.status, 1);
    EXPECT_NE(alone.err.find("has no text tower"), std::string::npos) << alone.err;
    EXPECT_EQ(run("words cat --model " + folder).status, 2) << "without a text";
}

TEST(WordsCommand, TakesTheImageAfterATextToo) {
    const std::string model = " --model " + (golden_folder / "words/clip").string();
    EXPECT_EQ(run("words --text 'a dog' cat --json" + model).out, run("words cat --text 'a dog' --json" + model).out);
}

}  // namespace
}  // namespace vitrine
