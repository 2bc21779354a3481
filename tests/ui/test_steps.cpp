#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/chapters/step.h"
#include "app/ui/languages.h"
#include "core/files/safetensors.h"
#include "core/vit/what_ifs.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

void expect_words(Harness& h, const std::string& where) {
    for (const auto& [id, item] : h.app->probe().items())
        EXPECT_EQ(item.text.find("⟦"), std::string::npos) << where << ": " << id << " shows " << item.text;
}

/// A Hugging Face folder of random weights; removed with the object.
class RandomFolder {
public:
    explicit RandomFolder(const Config& c) {
        const Model model = random_model(c, 5);
        const Weights& w = model.weights;
        const std::string e = "vit.embeddings.";
        add(e + "cls_token", w.leading, {1, 1, size(c.embedding_dim)});
        add(e + "position_embeddings", w.position, {1, size(c.tokens()), size(c.embedding_dim)});
        add(e + "patch_embeddings.projection.weight", w.patch_embedding.weight,
            {size(c.embedding_dim), 3, size(c.patch_size), size(c.patch_size)});
        add(e + "patch_embeddings.projection.bias", w.patch_embedding.bias, {});
        for (std::size_t i = 0; i < w.blocks.size(); ++i) {
            const BlockWeights& b = w.blocks[i];
            const std::string p = "vit.encoder.layer." + std::to_string(i) + ".";
            norm(p + "layernorm_before", b.ln1);
            linear(p + "attention.attention.query", b.query);
            linear(p + "attention.attention.key", b.key);
            linear(p + "attention.attention.value", b.value);
            linear(p + "attention.output.dense", b.projection);
            norm(p + "layernorm_after", b.ln2);
            linear(p + "intermediate.dense", b.mlp_in);
            linear(p + "output.dense", b.mlp_out);
        }
        norm("vit.layernorm", w.norm);
        linear("classifier", w.classifier);
        write_safetensors(path / "model.safetensors", tensors_);
        std::ofstream(path / "config.json")
            << R"({"model_type": "vit", "hidden_size": )" << c.embedding_dim << R"(, "num_hidden_layers": )" << c.blocks
            << R"(, "num_attention_heads": )" << c.heads << R"(, "intermediate_size": )" << c.mlp_dim
            << R"(, "hidden_act": "gelu", "layer_norm_eps": 1e-6, "image_size": )" << c.image_height
            << R"(, "patch_size": )" << c.patch_size << R"(, "num_channels": 3})";
        std::ofstream(path / "preprocessor_config.json")
            << R"({"do_resize": true, "do_normalize": true, "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5], "resample": 2, "size": )"
            << c.image_height << "}";
    }

    const TestFolder own;
    const fs::path path = own.path();

private:
    static std::size_t size(int n) { return static_cast<std::size_t>(n); }
    void add(const std::string& name, const Parameter& p, std::vector<std::size_t> shape) {
        tensors_.push_back({name, shape.empty() ? p.shape() : std::move(shape), p.data()});
        kept_.push_back(p);
    }
    void linear(const std::string& name, const LinearWeights& w) {
        add(name + ".weight", w.weight, {});
        add(name + ".bias", w.bias, {});
    }
    void norm(const std::string& name, const LayerNormWeights& w) {
        add(name + ".weight", w.gamma, {});
        add(name + ".bias", w.beta, {});
    }

    std::vector<NamedTensor> tensors_;
    std::vector<Parameter> kept_;
};

Config vit_base() {
    Config c;
    c.image_height = c.image_width = 224;
    c.patch_size = 16;
    c.embedding_dim = 768;
    c.heads = 12;
    c.blocks = 12;
    c.mlp_dim = 3072;
    c.classes = 1000;
    return c;
}

TEST(Steps, AreDrawnForEveryModelLanguageAndMomentWithoutAMissingWord) {
    const fs::path models = fs::path(VITRINE_GOLDEN) / "models";
    for (const fs::path& model : {fs::path(), models / "tiny_hf", models / "plain_hf"}) {
        Opening state = Harness::with_image("cat");
        state.experiment.model = {model, {}};
        Harness h(std::move(state), {1280, 720});
        for (const std::string& language : language_codes()) {
            h.change()->settings.language = language;
            for (const Step& step : curriculum()) {
                h.change().focus().step = step_index(step.id);
                h.frame(2);
                for (const float time : {0.0F, 0.3F, 0.7F, 1.0F}) {
                    h.change()->motion = {time, false};
                    h.frame();
                }
                expect_words(h, std::string(step.id) + " in " + language);
                EXPECT_TRUE(h.shows("question")) << step.id;
            }
        }
    }
}

TEST(Steps, AreReadableInAnyLanguageAtTheSmallestSizeAndWithLargeType) {
    struct Display {
        ImVec2 size;
        float scale;
    };
    for (const Display& display :
         {Display{{1280, 720}, 1.0F}, Display{{1920, 1080}, 1.5F}, Display{{800, 600}, 1.0F},
          Display{{3840, 2160}, 1.0F}, Display{{1920, 1080}, 0.8F}, Display{{1920, 1080}, 2.0F}}) {
        Opening state = Harness::with_image("cat");
        state.state.settings.scale = display.scale;
        Harness h(std::move(state), display.size);
        for (const std::string& language : language_codes()) {
            h.change()->settings.language = language;
            for (const Step& step : curriculum()) {
                h.change().focus().step = step_index(step.id);
                h.frame(3);
                h.change()->motion = {1, false};
                h.frame(2);
                const std::string where =
                    std::string(step.id) + ", " + language + " at " + std::to_string(display.scale);
                h.expect_readable(where);
                if (display.size.x < 1280 || display.scale > 1)
                    continue;  // the stage is not narrower than its least width
                for (const ImGuiWindow* const window : windows_with("zone.stage"))
                    EXPECT_EQ(window->ScrollMax.x, 0) << where << ": the stage scrolls sideways";
            }
        }
    }
}

TEST(Steps, AreDrawnForAModelOfTheSizeOfViTBase) {
    const RandomFolder folder(vit_base());
    Opening state = Harness::with_image("cat");
    state.experiment.model = {folder.path, {}};
    Harness h(std::move(state));
    ASSERT_EQ(h.result().model->config.tokens(), 197);
    for (const Step& step : curriculum()) {
        h.change().focus().step = step_index(step.id);
        h.frame(3);
        expect_words(h, std::string(step.id));
    }
    go_to(h, "heads");
    h.tap("heads.row.7");
    EXPECT_EQ(h.focus().head, 7);
    go_to(h, "attention_matrix");
    EXPECT_NEAR(h.item("matrix.sum").value, 1, 1e-5);
    go_to(h, "scores");
    h.change().focus().token = 90;
    h.frame(2);
    EXPECT_EQ(h.item("scores.score").value,
              static_cast<double>(block_of(h, h.focus().block).scores(7, 90, static_cast<std::size_t>(h.focus().key))));
}

TEST(Steps, CountTheOpenModelAsItIsWithoutQkvBiasAndForAnOblongImage) {
    Config c;
    c.image_height = 14 * 2;
    c.image_width = 28 * 2;
    c.patch_size = 2;
    c.embedding_dim = 12;
    c.heads = 3;
    c.blocks = 2;
    c.mlp_dim = 20;
    c.classes = 5;
    c.query_bias = c.key_bias = c.value_bias = false;
    const auto model = std::make_shared<Model>(random_model(c, 3));
    Opening opening = Harness::with_image("cat");
    opening.experiment.model.learned = model;
    Harness h(std::move(opening));
    go_to(h, "models");
    const auto parameters = static_cast<double>(model->weights.parameter_count());
    EXPECT_EQ(h.item("models.open.parameters").value, parameters);
    h.tap("models.open");
    EXPECT_EQ(h.focus().dials.shape, Shape());
    EXPECT_EQ(config_of(shape_of(c)).patches(), 392) << "14 × 28; the square of as many pixels has 361";
    EXPECT_EQ(h.item("models.own.parameters").value, parameters);
}

TEST(Steps, CountAModelOfOtherSizesWithAllElseThatTheOpenOneHas) {
    Config c;
    c.image_height = c.image_width = 32;
    c.patch_size = 8;
    c.embedding_dim = 12;
    c.heads = 3;
    c.blocks = 2;
    c.mlp_dim = 20;
    c.classes = 5;
    c.layer_scale = true;
    Opening opening = Harness::with_image("cat");
    opening.experiment.model.learned = std::make_shared<Model>(random_model(c, 3));
    Harness h(std::move(opening));
    go_to(h, "models");
    Shape halved = shape_of(c);
    halved.patch = 4;
    h.change().focus().dials.shape = halved;
    h.frame(2);
    c.patch_size = 4;
    EXPECT_EQ(h.item("models.own.parameters").value, static_cast<double>(random_model(c, 3).weights.parameter_count()));
    h.tap("models.tiny");
    h.tap("models.open");
    EXPECT_EQ(h.item("models.chosen").text, "open");
}

TEST(Steps, WriteOutTheNumberUnderThePointerAndKeepTheOneThatIsClicked) {
    Harness h;
    go_to(h, "mlp");
    h.hover("mlp.out");
    const auto cell = h.app->workspace().selection.hovered_cell();
    ASSERT_TRUE(cell);
    EXPECT_EQ(cell->quantity, Quantity::mlp_out);
    const float value = block_of(h, 1).mlp.out(0, static_cast<std::size_t>(cell->column));
    EXPECT_EQ(h.item("computation").value, static_cast<double>(value));
    EXPECT_NE(h.item("computation").text.find("128 products"), std::string::npos) << h.item("computation").text;
    const std::string feature = std::to_string(cell->column + 1);
    EXPECT_EQ(h.item("computation").text.find("MLP · Block 1 · CLS · feature " + feature), 0U)
        << "what it is, in words: " << h.item("computation").text;
    h.tap("mlp.out");
    h.hover("top.selection");
    ASSERT_TRUE(h.focus().cell);
    EXPECT_EQ(h.item("computation").value, static_cast<double>(value)) << "it stays when the pointer leaves";
    h.press(Key::escape);
    EXPECT_FALSE(h.focus().cell);
}

TEST(Steps, AHoveredSymbolLightsUpTheThingAndTheThingItsSymbol) {
    Harness h;
    go_to(h, "qkv");
    h.hover("qkv.k");
    EXPECT_EQ(h.app->workspace().selection.hovered_symbol(), "k");
    EXPECT_EQ(h.item("equation.k").value, 1) << "the symbol is lit";
    h.hover("equation.v");
    EXPECT_EQ(h.app->workspace().selection.hovered_symbol(), "v");
}

TEST(Steps, SwitchesChangeTheRunAndCanBeTurnedBack) {
    Harness h({Harness::with_image("cat")}, {1920, 1500});
    for (const Step& step : curriculum()) {
        if (step.switches == nullptr) continue;
        go_to(h, step.id);
        for (const Intervention& i : step.switches(h.result(), h.focus())) {
            const std::string id = "switch." + to_word(i, h.result().model->config);
            ASSERT_TRUE(h.shows(id)) << step.id;
            if (!h.item(id).visible) continue;  // below the fold: the keyboard scrolls there
            h.tap(id);
            EXPECT_TRUE(contains(h.what_ifs(), i)) << id;
            EXPECT_NE(h.result().trace.head, h.result().baseline.head) << id << " changes the run";
            h.tap(id);
            EXPECT_TRUE(h.what_ifs().empty()) << id;
        }
    }
}

TEST(Steps, TheAnswerIsShownByAKeyAndTheQuestionIsDoneWhenTheLearnerActs) {
    Harness h;
    go_to(h, "dropout");
    EXPECT_FALSE(h.shows("answer"));
    h.press(Key::a);
    EXPECT_TRUE(h.app->state().answer_shown);
    h.press(Key::a);
    EXPECT_FALSE(h.app->state().answer_shown);
    h.tap("dropout.new");
    h.tap("dropout.new");
    h.tap("dropout.new");
    EXPECT_EQ(h.item("question").value, 0) << "any click is no answer";
    h.change().focus().dials.dropout = 0.5F;
    h.frame(3);
    EXPECT_EQ(h.item("question").value, 1);
    EXPECT_TRUE(h.app->state().settings.answered.contains("dropout"));
}

TEST(Steps, AChapterThatOpensOnAHeadOfItsChoiceGivesTheReadersOwnBack) {
    Harness h;
    h.change().focus().head = 3;
    go_to(h, "explanation");
    const int chosen = h.focus().head, block = h.focus().block;
    ASSERT_TRUE(chosen != 3 || block != 1);
    go_to(h, "attention");
    EXPECT_EQ(h.focus().head, 3);
    EXPECT_EQ(h.focus().block, 1);
    go_to(h, "explanation");
    h.change().focus().head = chosen == 0 ? 1 : 0;
    go_to(h, "attention");
    EXPECT_EQ(h.focus().head, chosen == 0 ? 1 : 0) << "the reader chose it there";
    EXPECT_EQ(h.focus().block, block);
}

TEST(Steps, TheAttentionOfAllWhoLookAtATokenIsCalledThat) {
    Harness h;
    go_to(h, "attention");
    const std::string usual = h.item("stage.hint").text;
    h.change().focus().looked_at = true;
    h.frame(3);
    EXPECT_NE(h.item("stage.hint").text, usual);
}

TEST(Steps, CopyTheirCodeByAKey) {
    Harness h;
    go_to(h, "scores");
    h.press(Key::c);
    EXPECT_NE(std::string(ImGui::GetClipboardText()).find("S = q @ k.transpose(1, 2)"), std::string::npos);
}

TEST(Steps, ScrubTheirMotionWithoutChangingWhatIsTrue) {
    Harness h;
    go_to(h, "prediction");
    const double logit = h.item("prediction.logit").value;
    h.change()->motion = {0.5F, false};
    h.frame(2);
    EXPECT_EQ(h.item("prediction.logit").value, logit);
}

}  // namespace
}  // namespace vitrine
