#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/output_guard.h"
#include "core/text/text_checkpoint.h"
#include "core/text/text_forward.h"
#include "core/training/text/text_score.h"
#include "core/vit/flat_weights.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/text_runs.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

class TextCheckpoint : public ::testing::Test {
protected:
    const TestFolder own;
    const fs::path folder = own / "model";

    /// Writes a model, changes one of its files and expects a sentence that holds `part`.
    void refused_with(const char* file, const std::string& text, const std::string& part) {
        save_text_model(untrained_text_model(small_text_recipe(TextTask::sentiment)), folder, Precision::f32);
        std::ofstream(folder / file) << text;
        expect_refusal(part);
    }
    void expect_refusal(const std::string& part) const {
        try {
            load_text_model(folder);
            ADD_FAILURE() << "it was taken: " << part;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    }
    nlohmann::json config() const { return nlohmann::json::parse(read(folder / "config.json")); }
};

std::vector<float> logits_of(const TextModel& model) {
    const TextSet set{model.task, model.to, 3};
    const TextTrace trace = text_forward(model, text_batch(model, draw_examples({set, TextStream::learning, 0}, 0, 3)));
    return {trace.generator->logits.begin(), trace.generator->logits.end()};
}

TEST_F(TextCheckpoint, AModelOfEveryTaskComesBackWithTheSameWordsAndNumbers) {
    for (const auto& [task, name] : text_task_names)
        for (const TextLanguage to : {TextLanguage::japanese, TextLanguage::english}) {
            Trainer<Texts> trainer(small_text_recipe(task, to), {1, 0});
            take_steps(trainer, 3);
            const TextModel model = trainer.model();
            save_text_model(model, folder, Precision::f32);
            EXPECT_TRUE(is_text_model(folder));
            const TextModel back = load_text_model(folder);
            EXPECT_TRUE(back.config == model.config) << name;
            EXPECT_EQ(back.task, task);
            EXPECT_EQ(back.to, to);
            EXPECT_EQ(back.labels, model.labels);
            EXPECT_EQ(back.source, model.source);
            EXPECT_EQ(back.target, model.target);
            EXPECT_EQ(logits_of(back), logits_of(model)) << name;
        }
}

TEST_F(TextCheckpoint, EveryVariantComesBack) {
    TextRecipe r = small_text_recipe(TextTask::translate);
    r.model.norm = Norm::before;
    r.model.activation = Activation::gelu;
    r.model.positions = Positions::learned;
    r.model.scaled = r.model.causal = r.model.names_it = false;
    const TextModel model = untrained_text_model(r);
    save_text_model(model, folder, Precision::f32);
    EXPECT_TRUE(load_text_model(folder).config == model.config);
    r.model.positions = Positions::none;
    r.model.norm = Norm::none;
    r.model.skips = false;
    save_text_model(untrained_text_model(r), folder, Precision::f32);
    EXPECT_EQ(load_text_model(folder).config.positions, Positions::none);
    EXPECT_FALSE(load_text_model(folder).config.skips);
}

TEST_F(TextCheckpoint, ATaskThatAnotherShapeDoesIsRefused) {
    const auto refused = [&](TextTask of, const char* task) {
        save_text_model(untrained_text_model(small_text_recipe(of)), folder, Precision::f32);
        nlohmann::json other = config();
        other["task"] = task;
        std::ofstream(folder / "config.json") << other;
        expect_refusal("config.json: \"task\" is \"" + std::string(task) + '"');
    };
    refused(TextTask::story, "sentiment");
    refused(TextTask::translate, "sentiment");
    refused(TextTask::sentiment, "story");
    refused(TextTask::translate, "story");
    refused(TextTask::sentiment, "translate");
    refused(TextTask::story, "translate");
}

TEST_F(TextCheckpoint, HalfPrecisionHalvesTheFileAndHardlyMovesALogit) {
    Trainer<Texts> trainer(small_text_recipe(TextTask::story), {1, 0});
    take_steps(trainer, 20);
    const TextModel model = trainer.model();
    save_text_model(model, folder, Precision::f32);
    const auto whole = fs::file_size(folder / "model.safetensors");
    save_text_model(model, folder, Precision::f16);
    EXPECT_LT(fs::file_size(folder / "model.safetensors"), whole * 6 / 10);
    const std::vector<float> a = logits_of(model), b = logits_of(load_text_model(folder));
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 0.02);
}

TEST_F(TextCheckpoint, EveryFileSaysThatVitrineWroteIt) {
    save_text_model(untrained_text_model(small_text_recipe(TextTask::sentiment)), folder, Precision::f16);
    for (const fs::path& file : files_of_text_model(folder)) EXPECT_TRUE(is_ours(file)) << file;
}

TEST_F(TextCheckpoint, HostileFilesAreRefusedWithASentence) {
    refused_with("config.json", "", "config.json");
    refused_with("config.json", "[1]", "config.json");
    refused_with("config.json", std::string(100'000, '['), "config.json");
    refused_with("config.json", R"({"model_type": "vit"})", "config.json");
    refused_with("config.json", R"({"model_type": "vitrine_text"})", "does not say");
    refused_with("vocabulary.json", "{}", "words");
    refused_with("vocabulary.json", R"({"source": "words"})", "source");
    refused_with("vocabulary.json", R"({"source": ["[PAD]", "a", "a"]})", "source");
    refused_with("vocabulary.json", R"({"source": ["[PAD]", "[BOS]", "[EOS]", "[UNK]", "[CLS]", "a"]})",
                 "source_embedding");
    refused_with("model.safetensors", "numbers", "model.safetensors");
    fs::remove(folder / "vocabulary.json");
    expect_refusal("vocabulary.json");
    fs::remove_all(folder);
    expect_refusal("folder");
}

TEST_F(TextCheckpoint, AConfigurationOfFarMoreNumbersThanTheFileHoldsIsRefusedBeforeThereIsMemoryForThem) {
    save_text_model(untrained_text_model(small_text_recipe(TextTask::sentiment)), folder, Precision::f32);
    nlohmann::json huge = config();
    huge["embedding_dim"] = 4096;
    huge["mlp_dim"] = 16384;
    huge["blocks"] = 64;
    std::ofstream(folder / "config.json") << huge;
    expect_refusal("config.json asks for");
}

TEST_F(TextCheckpoint, TheCountOfItsNumbersIsThatOfItsParameters) {
    for (const TextTask task : {TextTask::translate, TextTask::sentiment, TextTask::story}) {
        const TextModel model = untrained_text_model(small_text_recipe(task));
        std::size_t count = 0;
        for (const NamedParameter& p : parameters_of(model.weights)) count += p.parameter.size();
        EXPECT_EQ(count_text_weights(model.config), count);
    }
}

TEST_F(TextCheckpoint, ConfigurationsOutOfRangeAreRefusedWithASentence) {
    save_text_model(untrained_text_model(small_text_recipe(TextTask::sentiment)), folder, Precision::f32);
    const nlohmann::json good = config();
    const auto refused = [&](const char* key, const nlohmann::json& value) {
        nlohmann::json wrong = good;
        wrong[key] = value;
        std::ofstream(folder / "config.json") << wrong;
        expect_refusal("config.json");
    };
    for (const char* const number : {"embedding_dim", "heads", "blocks", "mlp_dim", "longest"})
        for (const nlohmann::json& value :
             {nlohmann::json(0), nlohmann::json(-1), nlohmann::json(1e9), nlohmann::json()})
            refused(number, value);
    refused("heads", 3);
    refused("embedding_dim", 15);
    refused("decoder_blocks", 1);
    refused("shape", "round");
    refused("activation", "tanh");
    refused("norm", "everywhere");
    refused("task", "sing");
    refused("labels", nlohmann::json::array());
    refused("labels", 7);
    refused("layer_norm_epsilon", -1);
    refused("names_it", true);
    nlohmann::json other = good;
    other["mlp_dim"] = 32;
    std::ofstream(folder / "config.json") << other;
    expect_refusal("encoder.1.mlp_in");
}

}  // namespace
}  // namespace vitrine
