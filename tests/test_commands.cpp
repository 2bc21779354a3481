#include <gtest/gtest.h>
#include <stb/stb_image.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "app/chapters/step.h"
#include "app/exports/screen.h"
#include "app/lecture/lesson.h"
#include "app/sessions/session.h"
#include "app/workspace/text_look.h"
#include "core/files/safetensors.h"
#include "core/measures/catalogue.h"
#include "core/training/recipe.h"
#include "core/training/runs/run_file.h"
#include "core/training/text/text_recipe.h"
#include "tests/drawn_folder.h"
#include "tests/program.h"
#include "tests/small_model.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path& folder = program_folder();

TEST(Command, TracePrintsTheContractsObject) {
    const Outcome o = run(std::string("trace cat --json --top 3 --threads 1") + with_small_model);
    ASSERT_EQ(o.status, 0) << o.err;
    const auto json = nlohmann::json::parse(o.out);
    EXPECT_EQ(json["tokens"], 65);
    ASSERT_EQ(json["top"].size(), 3U);
    EXPECT_EQ(json["top"][0]["label"], "cat");
    EXPECT_GT(json["top"][0]["probability"], 0.99);
    EXPECT_TRUE(json["top"][0].contains("index"));
    EXPECT_TRUE(json["top"][0].contains("logit"));
    EXPECT_EQ(json["image"]["path"], "pictograms:cat") << "the model's own";
    EXPECT_EQ(json["image"]["width"], 512);
    EXPECT_GT(json["milliseconds"]["forward"], 0);
    EXPECT_GE(json["milliseconds"]["preprocess"], 0);
}

TEST(Command, TraceDumpsEveryTensorAndFollowsWhatIfs) {
    const fs::path dump = folder / "dump.safetensors";
    ASSERT_EQ(run("trace cat --what-if head:2.1,positions --dump " + dump.string() + with_small_model).status, 0);
    const Safetensors file = Safetensors::open(dump);
    EXPECT_EQ(file.entries().size(), 4 + 4 * 18 + 3U);
    EXPECT_EQ(file.entries().at("block.4.attention").shape, (std::vector<std::size_t>{4, 65, 65}));
    EXPECT_EQ(file.floats("block.2.heads").get()[65 * 16 + 7], 0.0F) << "head 1 of block 2 is switched off";
    const auto tokens = file.floats("tokens"), z0 = file.floats("z.0");
    EXPECT_TRUE(std::equal(tokens.get(), tokens.get() + 65 * 64, z0.get())) << "without positions z₀ is the tokens";
}

TEST(Command, InfoListsTheStepsInOrder) {
    const auto json = nlohmann::json::parse(run(std::string("info --json") + with_small_model).out);
    std::vector<std::string> ids;
    for (const auto& step : json["steps"]) ids.push_back(step["id"]);
    EXPECT_EQ(json["text_chapters"].size(), std::size(text_chapter_names));
    const std::vector<std::string> chain = {"image",
                                            "patches",
                                            "patch_embedding",
                                            "class_token",
                                            "position_embedding",
                                            "layer_norm",
                                            "qkv",
                                            "scores",
                                            "attention_matrix",
                                            "attention",
                                            "heads",
                                            "residual",
                                            "mlp",
                                            "activation",
                                            "depth",
                                            "prediction",
                                            "loss",
                                            "norm_variants",
                                            "norm_place",
                                            "dropout",
                                            "learning",
                                            "explanation",
                                            "models",
                                            "two_towers"};
    EXPECT_EQ(ids, chain) << "the order of the list beside the stage";
    EXPECT_EQ(json["num_attention_heads"], 4);
    EXPECT_EQ(json["layout"], "Hugging Face");
    EXPECT_EQ(json["parameters"], 151437);
}

std::size_t colours_of(std::span<const std::uint8_t> rgb) {
    std::vector<bool> seen(std::size_t{1} << 24);
    for (std::size_t i = 0; i + 2 < rgb.size(); i += 3) seen[rgb[i] << 16 | rgb[i + 1] << 8 | rgb[i + 2]] = true;
    return static_cast<std::size_t>(std::ranges::count(seen, true));
}

TEST(Command, SnapshotDrawsAStepWithoutADisplay) {
    const fs::path file = folder / "step.png";
    const Outcome o = run(
        "snapshot cat --step heads --theme light --size 1280x720 --block 2 --head 1 --token 20 --out " + file.string());
    ASSERT_EQ(o.status, 0) << o.err;
    int width = 0, height = 0, channels = 0;
    stbi_uc* const pixels = stbi_load(file.c_str(), &width, &height, &channels, 3);
    ASSERT_NE(pixels, nullptr);
    EXPECT_EQ(width, 1280);
    EXPECT_EQ(height, 720);
    EXPECT_GT(colours_of({pixels, std::size_t{1280} * 720 * 3}), 300U);
    stbi_image_free(pixels);
}

TEST(Screen, ShowsEveryStepInBothThemesWithoutADisplay) {
    Screen screen({1280, 720});
    for (const ThemeKind theme : {ThemeKind::dark, ThemeKind::light})
        for (const Step& step : curriculum()) {
            Opening opening = first_opening();
            opening.state.settings.theme = theme;
            opening.state.settings.motion = false;
            opening.motion = {1, false};
            Focus& focus = opening.selection.focus;
            focus.step = step_index(step.id);
            focus.block = 2, focus.head = 1, focus.token = 20;
            screen.draw(std::move(opening));
            const std::vector<std::uint8_t> pixels = screen.part("window").bytes;
            ASSERT_EQ(pixels.size(), std::size_t{1280} * 720 * 3);
            EXPECT_GT(colours_of(pixels), 300U) << step.id << (theme == ThemeKind::dark ? " on dark" : " on light");
        }
}

/// The shape in NumPy's header: "(65, 65, )".
std::string shape_of_npy(const fs::path& file) {
    const std::string npy = read(file);
    const std::size_t at = npy.find("'shape': ");
    return at == std::string::npos ? "" : npy.substr(at + 9, npy.find(')', at) - at - 8);
}

TEST(Command, ExportWritesTheContractsMeasuresOneFileEach) {
    const fs::path out = folder / "export" / "deep";
    const Outcome o = run("export cat --what rollout,lens,entropy,distance,block.2.q --format npy --out " +
                          out.string() + with_small_model);
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(o.out.empty());
    EXPECT_EQ(shape_of_npy(out / "rollout.npy"), "(65, 65, )");
    EXPECT_EQ(shape_of_npy(out / "lens.npy"), "(5, 13, )");
    EXPECT_EQ(shape_of_npy(out / "entropy.npy"), "(4, 4, )");
    EXPECT_EQ(shape_of_npy(out / "distance.npy"), "(4, 4, )");
    EXPECT_EQ(shape_of_npy(out / "block.2.q.npy"), "(4, 65, 16, )");
    EXPECT_EQ(std::distance(fs::directory_iterator(out), {}), 6) << "and the manifest";
}

TEST(Command, ExportKnowsEveryMeasureOfItsHelpInEveryForm) {
    std::string names;
    for (const MeasureEntry& e : measure_catalogue()) names += (names.empty() ? "" : ",") + std::string(e.name);
    const fs::path out = folder / "all";
    const std::string model = "--model " + (fs::path(VITRINE_GOLDEN) / "models/tiny_hf").string();
    for (const char* const format : {"csv", "safetensors"}) {
        const Outcome o =
            run("export cat " + model + " --what " + names + " --format " + format + " --out " + out.string());
        EXPECT_EQ(o.status, 0) << o.err;
    }
    for (const MeasureEntry& e : measure_catalogue()) {
        const Safetensors file = Safetensors::open(out / (std::string(e.name) + ".safetensors"));
        EXPECT_EQ(file.entries().count(e.name), 1U) << e.name;
        EXPECT_NE(read(out / (std::string(e.name) + ".csv")).find('\n'), std::string::npos) << e.name;
    }
    expect_failure("export cat --model " + (fs::path(VITRINE_GOLDEN) / "models/plain_hf").string() +
                       " --what lens --out " + out.string(),
                   1, "lens: this model has no classifier");
}

TEST(Command, ExportGoesOnAfterABadImageAndNumbersNamesThatClash) {
    const fs::path out = folder / "many";
    const std::string key = (fs::path(VITRINE_SOURCE) / "tests/ui/images/key.png").string();
    expect_failure("export cat " + key + " missing.png key cat --what norms --out " + out.string(), 1,
                   "missing.png does not exist; check the name (4 of 5 images were written)");
    for (const char* const name : {"cat", "key", "key-2", "cat-2"})
        EXPECT_TRUE(fs::exists(out / name / "norms.npy")) << name;
}

TEST(Command, ExportDrawsMeasuresWithRealText) {
    const fs::path out = folder / "drawn";
    ASSERT_EQ(run("export mug --what ledger,rollout --format svg --out " + out.string()).status, 0);
    const std::string svg = read(out / "ledger.svg");
    EXPECT_NE(svg.find(">Logit of mug</text>"), std::string::npos);
    ASSERT_EQ(run("export mug --what rollout --format png --size 1280x720 --times 2 --out " + out.string()).status, 0);
    int width = 0, height = 0, channels = 0;
    ASSERT_EQ(stbi_info((out / "rollout.png").c_str(), &width, &height, &channels), 1);
    EXPECT_GT(width, 1280) << "twice the stage of that window";
    EXPECT_EQ(channels, 3);
}

TEST(Command, ExportRefusesWhatItDoesNotKnow) {
    expect_failure("export cat --what entropi --out x", 2, "entropi");
    expect_failure("export cat --what block.9.q --out x", 2, "block.9.q");
    expect_failure("export cat --what block.2.q --format png --out x", 2, "has no picture");
    expect_failure("export --what rollout --out x", 2, "name images");
    expect_failure("export cat --what rollout --format gif --out x", 2, "gif");
    expect_failure("export cat --what rollout --out /proc/none", 1, "/proc/none");
    expect_failure("export cat --what rollout --set lab.fusion=sum --out x", 2, "lab.fusion");
    expect_failure("export cat --what relevance --set lab.target=1000000000 --out x", 2,
                   "lab.target=1000000000: this model has");
    expect_failure("export cat --what attention --set block=99 --out x", 2, "--set block=99: this model has 6 blocks");
    expect_failure("snapshot cat --step attention --set head=6 --out x.png", 2, "--set head=6: this model has");
    expect_failure(std::string("export cat --what lens_tokens --set lab.against=13 --out x") + with_small_model, 2,
                   "lab.against=13: this model has");
    expect_failure("export cat --what rollout --format png --size 8000x4500 --times 4 --out x", 2, "16384");
}

TEST(Commands, ASnapshotTakesABundledModelByItsName) {
    const TestFolder folder;
    const std::string picture = (folder / "x.png").string();
    const Outcome o = run("snapshot cat --model pictograms-small --step image --size 640x360 --out " + picture);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(std::filesystem::exists(picture));
}

TEST(Commands, ASnapshotDrawsTwoRunsAsTheCommandLineOfTheirSessionDoes) {
    const TestFolder here;
    Session s;
    s.image = {"picturebook:cat", {}};
    s.focus.step = step_index("attention");
    s.what_ifs = {"head:2.1"};
    s.other.emplace();
    s.other->experiment.image = {"picturebook:dog", {}};
    s.other->focus = s.focus;
    s.other->side_by_side.difference = true;
    save_session(s, here / "two.vitrine");
    const std::string both = (here / "both.png").string(), again = (here / "again.png").string();
    const Outcome o = run("snapshot --session " + (here / "two.vitrine").string() + " --size 1280x720 --out " + both);
    ASSERT_EQ(o.status, 0) << o.err;
    std::string line = command_line_of(s, {"dark", "en", 1280, 720, false}).substr(std::string("vitrine ").size());
    EXPECT_NE(line.find("--beside picturebook:dog --difference"), std::string::npos) << line;
    line.replace(line.find("picture.png"), std::string("picture.png").size(), again);
    const Outcome p = run(line);
    ASSERT_EQ(p.status, 0) << p.err;
    EXPECT_EQ(read(both), read(again));
    expect_failure("snapshot cat --step image --difference --out x.png", 2, "needs two runs");
    expect_failure("snapshot cat --learn 1 --beside dog --out x.png", 2, "side by side");
}

TEST(Command, ASessionsCommandLineMakesTheSamePictureAsItsFile) {
    Session s;
    s.image = {"mug", {}};
    s.room = "laboratory";
    s.what_ifs = {"head:2.1"};
    s.focus.step = step_index("attention");
    s.focus.block = 3;
    s.focus.lab.instrument = Instrument::depth;
    s.focus.lab.rollout.fusion = HeadFusion::max;
    fs::create_directories(folder);
    save_session(s, folder / "s.vitrine");
    const fs::path picture = folder / "from_file.png";
    const Outcome o =
        run("snapshot --session " + (folder / "s.vitrine").string() + " --size 1280x720 --out " + picture.string());
    ASSERT_EQ(o.status, 0) << o.err;
    const std::string line = command_line_of(s, {"dark", "en", 1280, 720, false});
    const std::string words = line.substr(std::string("vitrine ").size());
    ASSERT_EQ(run(words.substr(0, words.rfind("picture.png")) + (folder / "from_words.png").string()).status, 0);
    EXPECT_EQ(read(picture), read(folder / "from_words.png"));
    EXPECT_FALSE(read(picture).empty());
    std::ofstream(folder / "bad.vitrine") << "{\"vitrine_session\": 1, \"step\": 3}";
    expect_failure("snapshot --session " + (folder / "bad.vitrine").string() + " --out x.png", 1, "'step' is not text");
    expect_failure("snapshot --session a --step image cat --out x.png", 2, "name an image, or give --session");
    expect_failure("snapshot --step image --out x.png", 2, "name an image, or give --session");
}

TEST(Command, TrainIsDrawnWithoutAnImageAndOnlyPicturesHaveRecordings) {
    const TestFolder here;
    const fs::path picture = here / "train.png";
    const Outcome o = run("snapshot --learn 0 --experiment norms --recorded --size 1280x720 --out " + picture.string());
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(fs::exists(picture));
    expect_failure("snapshot --learn 0 --experiment mask --recorded --out x.png", 2, "--recorded: mask trains texts");
}

TEST(Command, BenchPrintsTheRatioToItsBound) {
    const auto json = nlohmann::json::parse(run("bench --variant vit-ti16 --size 64 --runs 3 --threads 1 --json").out);
    ASSERT_EQ(json.size(), 1U);
    EXPECT_EQ(json[0]["threads"], 1);
    for (const char* const key : {"forward_ms", "bound_ms", "ratio", "peak_mib"}) EXPECT_GT(json[0][key], 0) << key;
    const auto frames = nlohmann::json::parse(run("bench --frames --runs 1 --json").out);
    EXPECT_EQ(frames.size(), curriculum().size() + std::size(text_chapter_names) + 7 + 5)
        << "every step, every chapter of the Text room, seven instruments, five figures of tokens";
    EXPECT_GT(frames[0]["median_ms"], 0);
}

TEST(Command, HelpAndVersionAreAnsweredOnStdout) {
    for (const char* const words :
         {"--help", "trace --help", "snapshot --help", "info --help", "bench --help", "--version"}) {
        const Outcome o = run(words);
        EXPECT_EQ(o.status, 0) << words;
        EXPECT_FALSE(o.out.empty()) << words;
        EXPECT_TRUE(o.err.empty()) << words;
    }
}

TEST(Command, HelpSaysWhichLessonsThereAreAndHowManyThreadsAStudyTakes) {
    const std::string handout = run("handout --help").out, compare = run("compare --help").out;
    for (const std::string& lesson : bundled_lessons())
        EXPECT_NE(handout.find(lesson), std::string::npos) << lesson << handout;
    EXPECT_EQ(compare.find("all cores"), std::string::npos) << compare;
}

TEST(Command, WrongUsageIsStatusTwoAndOneLine) {
    expect_failure("trace", 2, "IMAGE");
    expect_failure("trace cat --bogus", 2, "--bogus");
    expect_failure("trace cat --what-if head:9.0", 2, "head:9.0");
    expect_failure("trace cat --top 0", 2, "--top");
    expect_failure("snapshot cat --step nowhere --out x.png", 2, "nowhere");
    expect_failure(std::string("snapshot cat --step attention --block 5 --out x.png") + with_small_model, 2,
                   "--block 5");
    expect_failure(std::string("snapshot cat --step attention --token 65 --out x.png") + with_small_model, 2,
                   "--token 65");
    expect_failure("snapshot cat --step attention --size big --out x.png", 2, "big");
    expect_failure("snapshot --text loss --set text.what_ifs=bad --out x.png", 2, "no-mask");
    expect_failure("bench --variant vit-x", 2, "vit-x");
}

TEST(Command, BadInputIsStatusOneAndOneLine) {
    fs::create_directories(folder);
    std::ofstream(folder / "bad.png") << "no picture";
    std::ofstream(folder / "bad.safetensors") << "no weights";
    expect_failure("trace /no/such.png", 1, "/no/such.png");
    expect_failure("trace " + (folder / "bad.png").string(), 1, "bad.png");
    fs::create_directories(folder / "bare");
    expect_failure("trace " + (folder / "bare").string(), 1, "this folder holds no pictures of its own");
    expect_failure("trace cat --model " + (folder / "bad.safetensors").string(), 1, "bad.safetensors");
    expect_failure("info --model /no/such/model", 1, "/no/such/model");
    expect_failure("trace cat --heads 5", 1, "--heads says 5");
    expect_failure("trace cat --dump /no/such/folder/x.safetensors", 1, "/no/such/folder");
    expect_failure("snapshot cat --step image --out /no/such/folder/x.png", 1, "/no/such/folder");
}

TEST(Command, TrainMakesAFolderGoesOnAndEvaluatesAndRefusesWhatItCannotDo) {
    const std::string out = (folder / "run").string();
    fs::remove_all(folder / "run");
    fs::remove_all(folder / "run-few");
    const std::string tiny = " --size 16 --dim 8 --blocks 1 --heads 1 --threads 2 ";
    expect_failure("train --resume --out " + out, 1, "no run to continue");
    const Outcome made = run("train --pictures 320" + tiny + "--json --out " + out);
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_NE(made.out.find("\"done\":true"), std::string::npos) << made.out;
    EXPECT_TRUE(fs::exists(folder / "run/metrics.jsonl"));
    expect_failure("train --pictures 320" + tiny + "--out " + out, 1, "--resume");
    EXPECT_EQ(run("train --resume --out " + out).status, 0) << "a run that is over says so again";
    const auto measured = nlohmann::json::parse(run("evaluate --json --count 40 --model " + out).out);
    EXPECT_EQ(measured.at("count"), 40);
    EXPECT_LE(measured.at("accuracy"), 1.0);
    const Outcome few = run("train --pictures 64 --distinct 16" + tiny + "--json --out " + out + "-few");
    EXPECT_NE(few.out.find("\"training_accuracy\":"), std::string::npos) << few.out;
    EXPECT_EQ(made.out.find("training_accuracy"), std::string::npos) << "endless pictures are all fresh";
    const std::string study = (folder / "study.json").string();
    const Outcome compared = run("compare --pictures 32 --fresh 16 --seeds 2 --force --threads 2 --out " + study);
    EXPECT_EQ(compared.status, 0) << compared.err;
    EXPECT_NE(compared.out.find("cnn"), std::string::npos) << compared.out;
    EXPECT_TRUE(fs::exists(study));
    expect_failure("train --patch 7 --out " + out + "2", 2, "patch size");
    expect_failure("train --dropout 1 --out " + out + "2", 2, "dropout");
    expect_failure("train --out /proc/nowhere", 1, "/proc/nowhere");
    expect_failure("evaluate --model " VITRINE_GOLDEN "/models/tiny_hf", 1, "classes");
    // What blows up ends with a sentence, and its last good checkpoint stays.
    expect_failure(
        "train --pictures 20000 --size 32 --patch 4 --dim 48 --blocks 3 --heads 3 --batch 8 --norm none "
        "--weight-decay 0 --learning-rate 10 --threads 2 --out " +
            out + "3",
        1, "diverged");
}

TEST(Command, AnOptimiserTrainsAtItsOwnRateUnlessOneIsSetWhichARunThatGoesOnKeeps) {
    fs::create_directories(folder);
    const fs::path pictures = folder / "rate", texts = folder / "text-rate";
    const auto rates_of = [&](const std::string& options) {
        fs::remove_all(pictures);
        fs::remove_all(texts);
        const std::string tiny = " --dim 8 --blocks 1 --heads 1 --batch 8 --threads 1 " + options + " --out ";
        EXPECT_EQ(run("train --pictures 8 --size 16" + tiny + pictures.string()).status, 0) << options;
        EXPECT_EQ(run("train --task sentiment --sentences 8" + tiny + texts.string()).status, 0) << options;
        return std::pair{resume_run<Pictures>(pictures).trainer->recipe().learning_rate,
                         resume_run<Texts>(texts).trainer->recipe().learning_rate};
    };
    EXPECT_EQ(rates_of(""), std::pair(0.01, 0.01));
    EXPECT_EQ(rates_of("--optimiser muon"), std::pair(0.01, 0.01));
    EXPECT_EQ(rates_of("--optimiser adamw"), std::pair(0.002, 0.003)) << "as in the window";
    EXPECT_EQ(rates_of("--optimiser adamw --learning-rate 0.01"), std::pair(0.01, 0.01));
    for (const fs::path& out : {pictures, texts}) EXPECT_EQ(run("train --resume --out " + out.string()).status, 0);
    EXPECT_EQ(resume_run<Pictures>(pictures).trainer->recipe().learning_rate, 0.01) << "set by hand";
    EXPECT_EQ(resume_run<Texts>(texts).trainer->recipe().learning_rate, 0.01);
}

TEST(Command, BadInputLeavesNoFolderBehind) {
    const fs::path out = folder / "nothing comes";
    fs::remove_all(out);
    fs::create_directories(folder);
    std::ofstream(folder / "bad.png") << "no picture";
    const std::string to = " --out '" + out.string() + "'";
    for (const auto& [words, status] : std::map<std::string, int>{
             {"train --patch 7", 2},
             {"train --from /no/such/model", 1},
             {"train --from " VITRINE_GOLDEN "/models/tiny_hf", 1},
             {"train --task translate --heads 3", 2},
             {"export " + (folder / "bad.png").string() + " --what rollout" + with_small_model, 1}}) {
        EXPECT_EQ(run(words + to).status, status) << words;
        EXPECT_FALSE(fs::exists(out)) << words;
    }
}

TEST(Command, TrainRefusesAModelWhosePartsARunDoesNotKeep) {
    const TestFolder home;
    for (const char* const model : {"families/hf_dinov2_scaled", "families/timm_average", "blocks/rotary"})
        expect_failure("train --from " VITRINE_GOLDEN "/" + std::string(model) + " --out " + (home / "run").string(), 1,
                       "plain Vision Transformers only");
    EXPECT_FALSE(fs::exists(home / "run"));
}

TEST(Command, TrainBeginsWithABundledModelAndSaysWhatElseWouldDo) {
    const std::string to = " --pictures 2 --batch 2 --threads 1 --every 1000 --out ";
    fs::remove_all(folder / "begun");
    const Outcome begun = run("train --from pictograms-small" + to + (folder / "begun").string());
    EXPECT_EQ(begun.status, 0) << begun.err;
    expect_failure("train --from " VITRINE_GOLDEN "/models/tiny_hf --size 32" + to + (folder / "begun-other").string(),
                   1, "start with one made by vitrine train");
}

TEST(Command, FilesWhoseNamesAreNoUtf8AreReadAndWritten) {
    const fs::path named = folder / "caf\xE9";
    fs::remove_all(named);
    draw_into(named, {6, 1}, 4, [](int label, int) { return label == 6 ? "cat\xFF" : "house"; });
    write(named / "house" / "broken\xFF.png", "no picture");
    const std::string probe = "probe '" + named.string() + "' --threads 2 --out '" + (named / "out").string() + "'";
    for (const std::string& form : {std::string(), std::string(" --json")}) {
        const Outcome told = run(probe + form + with_small_model);
        EXPECT_EQ(told.status, 0) << told.err;
        EXPECT_TRUE(form.empty() || nlohmann::json::accept(told.out)) << told.out;
    }
    const Outcome known =
        run("trace '" + (named / "house" / "1-0.ppm").string() + "' --json --model '" + (named / "out").string() + "'");
    EXPECT_EQ(known.status, 0) << known.err;
    fs::copy(small_model_folder(), named / "model\xFF");
    const Outcome begun = run("train --from '" + (named / "model\xFF").string() +
                              "' --pictures 2 --batch 2 --threads 1 --out '" + (named / "begun").string() + "'");
    EXPECT_EQ(begun.status, 0) << begun.err;
    EXPECT_EQ(run("train --resume --out '" + (named / "begun").string() + "'").status, 0);
}

TEST(Command, NumbersOutOfRangeAreRefusedInAFewWords) {
    expect_failure("trace cat --top 0", 2, "--top: 0 is not a number above 0");
    expect_failure("trace cat --top -3", 2, "--top: -3 is not a number above 0");
    expect_failure("train --seconds inf --out x", 2, "inf is not a number above 0");
    expect_failure("train --task translate --it-weight -1 --out x", 2, "-1 is not a number from 0 on");
}

TEST(Command, HandoutOfALessonWithAPathThatNoSystemReachesSaysSo) {
    fs::create_directories(folder);
    const fs::path lesson = folder / "far.txt", loop = folder / "loop.png";
    fs::remove(loop);
    fs::create_symlink(loop, loop);
    for (const std::string& image : {std::string(400, 'x'), std::string("loop.png")}) {
        std::ofstream(lesson) << "lesson: Far\nstep: attention\nimage: " << image << "\n";
        expect_failure("handout " + lesson.string() + " --out " + (folder / "far.html").string(), 1,
                       "far.txt:3: there is no image");
    }
    expect_failure("trace " + std::string(400, 'x'), 1, "cannot be reached");
    expect_failure("trace " + loop.string(), 1, "cannot be reached");
}

}  // namespace
}  // namespace vitrine
