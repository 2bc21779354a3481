#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/library/text_library.h"
#include "core/files/safetensors.h"
#include "core/text/text_samples.h"
#include "core/text/typed_words.h"
#include "tests/program.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::json;

Json text_json_of(const std::string& words) {
    const Outcome o = run(words);
    EXPECT_EQ(o.status, 0) << words << ": " << o.err;
    return Json::parse(o.out, nullptr, false);
}

/// As a shell reads it.
std::string quoted(const std::string& text) {
    std::string safe = "'";
    for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return safe + "'";
}

TEST(TextCommand, PrintsTheContractsObject) {
    const Json j = text_json_of("text --task translate --json --top 3 \"This is a pen.\"");
    EXPECT_EQ(j.at("task"), "translate");
    EXPECT_EQ(j.at("to"), "ja");
    EXPECT_EQ(j.at("input"), Json({"this", "is", "a", "pen", "."}));
    EXPECT_EQ(j.at("output"), Json({"これ", "は", "ペン", "です", "。"}));
    EXPECT_EQ(j.at("text"), "これはペンです。");
    EXPECT_EQ(j.at("unknown"), Json::array());
    ASSERT_EQ(j.at("steps").size(), 6U) << "five words and [EOS]";
    for (const Json& step : j.at("steps")) {
        ASSERT_EQ(step.at("top").size(), 3U);
        EXPECT_EQ(step.at("top")[0].at("word"), step.at("word")) << "greedily the most probable one";
        EXPECT_GE(step.at("top")[0].at("probability"), step.at("top")[1].at("probability"));
    }
    EXPECT_EQ(j.at("steps").back().at("word"), "[EOS]");
}

TEST(TextCommand, TheBundledModelsSayWhatTheSamplesExpect) {
    for (const BundledTextModel& model : bundled_text_models())
        for (const TextSample& sample : text_samples(model.task, model.to)) {
            if (sample.expected.empty()) continue;
            const Json j = text_json_of(std::string("text --json --task ") + name_of(model.task) + " --to " +
                                        name_of(model.to) + " " + quoted(sample.source));
            std::string said = j.at("text");
            if (model.task == TextTask::story) said = said.substr(0, sample.expected.size());  // it goes on
            said.front() = sample.expected.front();                                            // or its capital
            EXPECT_EQ(said, sample.expected) << model.name << ": " << sample.source;
        }
}

TEST(TextCommand, WordsNeedNoQuotesAndUnknownOnesAreNamed) {
    const Outcome o = run("text --task translate this is a zeppelin");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("zeppelin"), std::string::npos) << o.out;
    const Json j = text_json_of("text --task translate --json this is a zeppelin");
    EXPECT_EQ(j.at("unknown"), Json({"zeppelin"}));
    EXPECT_EQ(j.at("input").at(3), "zeppelin");
}

TEST(TextCommand, JudgesAReviewWithTheProbabilitiesOfBothLabels) {
    const Json j = text_json_of("text --task sentiment --json the food was not bad");
    ASSERT_EQ(j.at("output").size(), 1U);
    EXPECT_EQ(j.at("text"), j.at("output")[0]);
    ASSERT_EQ(j.at("steps").size(), 1U);
    const Json& top = j.at("steps")[0].at("top");
    ASSERT_EQ(top.size(), 2U);
    EXPECT_NEAR(top[0].at("probability").get<double>() + top[1].at("probability").get<double>(), 1, 1e-5);
    EXPECT_EQ(top[0].at("word"), j.at("text"));
}

TEST(TextCommand, DrawingFollowsItsSeedAndABeamFindsNothingLessProbable) {
    const std::string story = "text --task story --json Tom has a red hat . Amy has a blue ball . Amy ";
    const Json a = text_json_of(story + "--temperature 2 --seed 4"),
               b = text_json_of(story + "--temperature 2 --seed 4");
    EXPECT_EQ(a, b);
    bool other = false;
    for (int seed = 5; seed < 10 && !other; ++seed)
        other = text_json_of(story + "--temperature 2 --seed " + std::to_string(seed)).at("output") != a.at("output");
    EXPECT_TRUE(other);
    EXPECT_EQ(text_json_of(story + "--top-k 1 --seed 9").at("output"), text_json_of(story).at("output"));
    const double greedy = text_json_of(story).at("log_probability"),
                 beam = text_json_of(story + "--beam 4").at("log_probability");
    EXPECT_GE(beam, greedy - 1e-6);
}

TEST(TextCommand, DumpsEveryTensorOfTheRun) {
    const fs::path dump = program_folder() / "text.safetensors";
    ASSERT_EQ(run("text --task translate --dump " + dump.string() + " this is a pen .").status, 0);
    const Safetensors file = Safetensors::open(dump);
    EXPECT_EQ(file.entries().at("encoder.1.attention").shape, (std::vector<std::size_t>{4, 6, 6}));
    EXPECT_EQ(file.entries().at("decoder.2.cross.attention").shape, (std::vector<std::size_t>{4, 6, 6}));
    expect_failure("text --task translate --dump - this is a pen", 2, "--dump");
    std::ofstream(program_folder() / "mine.txt") << "my own";
    expect_failure("text --task translate --dump " + (program_folder() / "mine.txt").string() + " this is a pen", 1,
                   "mine.txt");
}

TEST(TextCommand, RefusesWithOneSentence) {
    expect_failure("text this is a pen", 2, "--task");
    expect_failure("text --task sing la", 2, "sing");
    expect_failure("text --task translate", 2, "TEXT");
    expect_failure("text --task translate ''", 1, "empty");
    expect_failure("text --task translate -", 2, "standard input");
    expect_failure("text --task translate 'This is a pen.' 'This is a dog.'", 1, "one sentence at a time");
    expect_failure("text --task translate --to en 'これはペンです。これは犬です。'", 1, "one sentence at a time");
    expect_failure("text --task sentiment 'The food was bad. The movie was good.'", 1, "one sentence at a time");
    expect_failure("text --task translate --to fr this is a pen", 2, "fr");
    expect_failure("text --task translate --beam 2 --temperature 2 this is a pen", 2, "--temperature");
    expect_failure("text --task translate --temperature 0 this is a pen", 2, "--temperature");
    expect_failure("text --task translate --top-p 2 this is a pen", 2, "--top-p");
    expect_failure("text --task translate --model /no/such/folder this is a pen", 1, "/no/such/folder");
    std::string long_text;
    for (int i = 0; i < 500; ++i) long_text += " dog";
    expect_failure("text --task translate" + long_text, 1, "words");
}

TEST(TextCommand, TakesAnyBytes) {
    for (const char* const text : {"'\\xff\\xfe'", "'🦙 ペン'", "'[EOS] [CLS]'", "$'\\x01\\x1b[31m'"}) {
        const Outcome o = run(std::string("text --task translate --json ") + text);
        EXPECT_EQ(o.status, 0) << text << ": " << o.err;
        EXPECT_TRUE(Json::accept(o.out)) << text << ": " << o.out;
    }
}

// ---- learning -------------------------------------------------------------------------------------------------------

const std::string small_run = " --sentences 320 --dim 16 --blocks 1 --heads 2 --batch 16 --threads 2 ";

TEST(TextCommand, TrainMakesAModelThatTextAndEvaluateRead) {
    const fs::path out = program_folder() / "text-run";
    for (const std::string task : {"translate", "sentiment", "story"}) {
        fs::remove_all(out);
        const Outcome made = run("train --task " + task + small_run + "--half --json --out " + out.string());
        ASSERT_EQ(made.status, 0) << made.err;
        const Json done = Json::parse(made.out.substr(made.out.rfind("{\"done\"")));
        EXPECT_EQ(done.at("sentences"), 320);
        EXPECT_EQ(done.at("count"), 5000);
        const Json metrics = Json::parse(read(out / "metrics.jsonl"));
        for (const char* const key : {"sentences", "seconds", "loss", "accuracy", "sentences_per_second"})
            EXPECT_TRUE(metrics.contains(key)) << key;
        const Json said = text_json_of("text --json --task " + task + " --model " + out.string() + " the dog was good");
        EXPECT_EQ(said.at("task"), task);
        const Json measured = text_json_of("evaluate --json --count 40 --model " + out.string());
        EXPECT_EQ(measured.at("task"), task);
        EXPECT_EQ(measured.at("count"), 40);
        EXPECT_LE(measured.at("accuracy"), 1.0);
    }
    expect_failure("evaluate --task translate --model " + out.string(), 1, "--task story");
    expect_failure("text --task sentiment --model " + out.string() + " it was good", 1, "--task story");
}

TEST(TextCommand, TrainGoesOnWhereItStoppedAndKnowsWhatItLearns) {
    const fs::path out = program_folder() / "text-on";
    fs::remove_all(out);
    const std::string made = "train --task translate --to en" + small_run + "--out " + out.string();
    ASSERT_EQ(run(made).status, 0);
    expect_failure(made, 1, "--resume");
    const Outcome again = run("train --resume --json --out " + out.string());
    EXPECT_EQ(again.status, 0) << "a run that is over says so again: " << again.err;
    EXPECT_NE(again.out.find("\"sentences\":320"), std::string::npos) << again.out;
    const Json config = Json::parse(read(out / "config.json"));
    EXPECT_EQ(config.at("to"), "en");
}

TEST(TextCommand, TheAblationsOfTheRecipeAreOptions) {
    const fs::path out = program_folder() / "text-ablated";
    const auto config_with = [&](const std::string& options) {
        fs::remove_all(out);
        const Outcome o = run("train --task translate" + small_run + options + " --out " + out.string());
        EXPECT_EQ(o.status, 0) << options << ": " << o.err;
        return Json::parse(read(out / "config.json"));
    };
    EXPECT_EQ(config_with("--no-positions").at("positions"), "none");
    EXPECT_EQ(config_with("--learned-positions").at("positions"), "learned");
    EXPECT_EQ(config_with("--no-scale").at("scaled"), false);
    EXPECT_EQ(config_with("--no-mask").at("causal"), false);
    EXPECT_EQ(config_with("--norm before").at("norm"), "before");
    EXPECT_EQ(config_with("--it-weight 0").at("names_it"), false);
    EXPECT_EQ(config_with("--optimiser adamw --learning-rate 0.003 --activation gelu").at("activation"), "gelu");
}

TEST(TextCommand, TrainRefusesWhatBelongsToTheOtherKind) {
    const std::string out = " --out " + (program_folder() / "text-none").string();
    expect_failure("train --task translate --scenes picturebook" + out, 2, "--scenes");
    expect_failure("train --task translate --pictures 100" + out, 2, "--pictures");
    expect_failure("train --no-mask" + out, 2, "--task");
    expect_failure("train --sentences 100" + out, 2, "--task");
    expect_failure("train --task translate --heads 3" + out, 2, "heads");
    expect_failure("train --task sing" + out, 2, "sing");
    expect_failure("bench --task story", 2, "--train");
}

TEST(TextCommand, EvaluatePrintsTheFiguresByName) {
    const Json translate = text_json_of("evaluate --task translate --count 100 --json");
    for (const char* const key : {"accuracy", "fresh", "nouns", "content_words", "aligned_words", "it", "patterns"})
        EXPECT_TRUE(translate.contains(key)) << key;
    EXPECT_GE(translate.at("it").at("count"), 40);
    const Json back = text_json_of("evaluate --task translate --to en --count 50 --json");
    EXPECT_FALSE(back.contains("it")) << "Japanese says no \"it\"";
    const Json sentiment = text_json_of("evaluate --task sentiment --count 100 --json");
    for (const char* const key : {"deciding", "idle_mass", "negation", "negated"})
        EXPECT_TRUE(sentiment.at("class_token").contains(key)) << key;
    EXPECT_LT(sentiment.at("bag_of_words"), 0.7);
    const Json story = text_json_of("evaluate --task story --count 50 --json");
    EXPECT_TRUE(story.contains("induction"));
    EXPECT_EQ(story.at("far").size(), 4U);
}

TEST(TextCommand, BenchTimesALearningStepAgainstItsProducts) {
    const Json j = text_json_of("bench --train --task sentiment --runs 1 --threads 1 --torch none --json");
    ASSERT_EQ(j.size(), 1U);
    EXPECT_EQ(j[0].at("task"), "sentiment");
    for (const char* const key : {"sentences_per_second", "step_ms", "bound_ms", "ratio"})
        EXPECT_GT(j[0].at(key), 0) << key;
}

// ---- the bundled models ---------------------------------------------------------------------------------------------

TEST(TextModels, AreSmallAndForWhatTheirNamesSay) {
    for (const BundledTextModel& bundled : bundled_text_models()) {
        const auto model = open_text_model(bundled);
        EXPECT_EQ(model->task, bundled.task) << bundled.name;
        if (bundled.task == TextTask::translate) {
            EXPECT_EQ(model->to, bundled.to) << bundled.name;
        }
        const fs::path folder = fs::path(VITRINE_SOURCE) / "assets/text_models" / bundled.name;
        EXPECT_LT(fs::file_size(folder / "model.safetensors"), 1'000'000U);
        for (const char* const file : {"README.md", "metrics.jsonl", "evaluation.json"})
            EXPECT_TRUE(fs::exists(folder / file)) << bundled.name << "/" << file;
    }
}

}  // namespace
}  // namespace vitrine
