#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/rooms/explore/steps/step.h"
#include "app/rooms/figures/computation.h"
#include "app/ui/languages.h"
#include "core/files/safetensors.h"
#include "core/measures/analysis.h"
#include "core/studies/normalisation.h"
#include "core/vit/what_ifs.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

BlockTrace block_of(const Harness& h, int block) { return *h.result().trace.block(block); }

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
        add(e + "cls_token", w.class_token, {1, 1, size(c.embedding_dim)});
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
            h.app->state().settings.language = language;
            for (const Step& step : curriculum()) {
                h.focus().step = step_index(step.id);
                h.frame(2);
                for (const float time : {0.0F, 0.3F, 0.7F, 1.0F}) {
                    h.app->workspace().motion = {time, false};
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
            h.app->state().settings.language = language;
            for (const Step& step : curriculum()) {
                h.focus().step = step_index(step.id);
                h.frame(3);
                h.app->workspace().motion = {1, false};
                h.frame(2);
                h.expect_readable(std::string(step.id) + ", " + language + " at " + std::to_string(display.scale));
            }
        }
    }
}

TEST(ImageStep, TheWordsUnderAPhotographThatIsNotSquareLieOverNothing) {
    const TestFolder folder;
    const std::vector<std::pair<fs::path, std::string>> photos = {{folder / "wide.ppm", "1200 800"},
                                                                  {folder / "high.ppm", "300 1200"}};
    for (const auto& [file, size] : photos)
        std::ofstream(file, std::ios::binary) << "P6 " << size << " 255\n" << std::string(3 * 1200 * 800, 'x');
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}, ImVec2{800, 600}})
        for (const auto& photo : photos) {
            Harness h(Harness::with_image("cat"), size);
            h.app->open({photo.first});
            h.settle();
            for (const std::string& language : language_codes()) {
                h.app->state().settings.language = language;
                for (const char* const step : {"image", "prediction"}) {
                    go_to(h, step);
                    const std::string where = language + " at " + std::to_string(size.x) + ", " + step;
                    h.expect_readable(photo.second + ", " + where);
                }
                go_to(h, "image");
                const Rect source = h.item("image.source_words").rect, seen = h.item("image.seen_words").rect;
                EXPECT_FALSE(source.overlaps(seen));
                EXPECT_LE(seen.y1, h.item("image.channel.0").rect.y0);
            }
        }
}

TEST(ImageStep, NamesTheColoursAsTheModelTakesThem) {
    const fs::path model = fs::path(VITRINE_GOLDEN) / "models/tiny_hf";
    for (const auto& [key, first] : {std::pair("do_convert_rgb", "R  "), std::pair("do_flip_channel_order", "B  ")}) {
        const TestFolder folder;
        for (const char* const name : {"config.json", "model.safetensors"}) fs::copy(model / name, folder / name);
        std::ofstream(folder / "preprocessor_config.json") << R"({"size": 32, ")" << key << R"(": true})";
        Opening opening = Harness::with_image("cat");
        opening.experiment.model = {folder.path(), {}};
        opening.selection.focus.step = step_index("image");
        Harness h(std::move(opening));
        h.hover("image.pixels");
        h.frame(2);
        const std::string told = h.item("readout").text;
        const std::string line = told.substr(told.find('\n') + 1);
        EXPECT_TRUE(line.starts_with(first)) << told;
        const int level = std::stoi(line.substr(3));
        std::string value = line.substr(line.find("→") + std::string("→  ").size());
        if (value.starts_with("−")) value.replace(0, std::string("−").size(), "-");
        EXPECT_NEAR(std::stof(value), (static_cast<float>(level) / 255 - 0.5F) / 0.5F, 0.01F) << told;
    }
}

TEST(Steps, AreDrawnForAModelOfTheSizeOfViTBase) {
    const RandomFolder folder(vit_base());
    Opening state = Harness::with_image("cat");
    state.experiment.model = {folder.path, {}};
    Harness h(std::move(state));
    ASSERT_EQ(h.result().model->config.tokens(), 197);
    for (const Step& step : curriculum()) {
        h.focus().step = step_index(step.id);
        h.frame(3);
        expect_words(h, std::string(step.id));
    }
    go_to(h, "heads");
    h.tap("heads.row.7");
    EXPECT_EQ(h.focus().head, 7);
    go_to(h, "attention_matrix");
    EXPECT_NEAR(h.item("matrix.sum").value, 1, 1e-5);
    go_to(h, "scores");
    h.focus().token = 90;
    h.frame(2);
    EXPECT_EQ(h.item("scores.score").value, static_cast<double>(block_of(h, 1).scores(7, 90, 1)));
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
    c.qkv_bias = false;
    const auto model = std::make_shared<Model>(random_model(c, 3));
    for (BlockWeights& b : model->weights.blocks) b.query.bias = b.key.bias = b.value.bias = {};
    Opening opening = Harness::with_image("cat");
    opening.experiment.model.learned = model;
    Harness h(std::move(opening));
    go_to(h, "models");
    const auto parameters = static_cast<double>(model->weights.parameter_count());
    EXPECT_EQ(h.item("models.open.parameters").value, parameters);
    h.tap("models.open");
    EXPECT_EQ(h.focus().dials.shape.patches(), 392) << "14 × 28; the square of as many pixels has 361";
    EXPECT_EQ(h.item("models.own.parameters").value, parameters);
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
            const std::string id = "switch." + to_word(i);
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
    h.focus().dials.dropout = 0.5F;
    h.frame(3);
    EXPECT_EQ(h.item("question").value, 1);
    EXPECT_TRUE(h.app->state().settings.answered.contains("dropout"));
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
    h.app->workspace().motion = {0.5F, false};
    h.frame(2);
    EXPECT_EQ(h.item("prediction.logit").value, logit);
}

TEST(LayerNormStep, StatesMeanAndDeviationOfEveryStage) {
    Harness h;
    go_to(h, "layer_norm");
    h.press(Key::space);
    h.frame(100);
    EXPECT_NEAR(h.item("norm.before.mean").value, static_cast<double>(block_of(h, 1).ln1.mean(0)), 1e-5);
    EXPECT_NEAR(h.item("norm.centred.mean").value, 0, 1e-5);
    EXPECT_NEAR(h.item("norm.scaled.deviation").value, 1, 1e-4);
    h.tap("half.mlp");
    EXPECT_NEAR(h.item("norm.before.mean").value, static_cast<double>(block_of(h, 1).ln2.mean(0)), 1e-5);
    h.tap("norm.mean_map");
    EXPECT_GT(h.focus().token, 0) << "a click on the map chooses its token";
}

TEST(NormVariantsStep, GroupsTheCubeAsEachNormDoes) {
    Harness h;
    go_to(h, "norm_variants");
    const Tensor3& cube = *h.result().batch;
    ASSERT_EQ(cube.shape()[1], 65U) << "all tokens";
    ASSERT_EQ(cube.shape()[2], 64U) << "all features";
    std::vector<float> row(&cube(0, 0, 0), &cube(0, 0, 0) + cube.shape()[2]);
    EXPECT_NEAR(h.item("cube.mean").value, moments_of(row).mean, 1e-6);
    h.tap("cube.batch");
    std::vector<float> column;
    for (std::size_t i = 0; i < cube.shape()[0]; ++i)
        for (std::size_t t = 0; t < cube.shape()[1]; ++t) column.push_back(cube(i, t, 0));
    EXPECT_NEAR(h.item("cube.mean").value, moments_of(column).mean, 1e-6);
    h.tap("cube.image.0");
    EXPECT_GT(h.focus().cube, 0);
}

TEST(NormVariantsStep, WhereSheetsLieOverOneAnotherTheNearestIsPointedAt) {
    Harness h;
    go_to(h, "norm_variants");
    h.app->workspace().motion = {1, false};
    h.frame(2);
    const Rect near = h.item("cube.image.0").rect, far = h.item("cube.image.1").rect;
    const Rect both{std::max(near.x0, far.x0), std::max(near.y0, far.y0), std::min(near.x1, far.x1),
                    std::min(near.y1, far.y1)};
    ASSERT_GT(both.width(), 2) << "they do";
    h.input.move(both.centre().x, both.centre().y);
    h.frame(3);  // which refuses two readouts
    h.input.button(0, true);
    h.input.button(0, false);
    h.frame(4);
    EXPECT_GT(h.focus().cube, 0);
    constexpr int drawn = 5 * 6;  // tokens and features of a sheet
    EXPECT_LT(h.focus().cube, drawn) << "it is a number of the first image";
}

TEST(ScoresStep, ShowsTheRunsOwnScoreForTheTwoChosenTokens) {
    Harness h;
    go_to(h, "scores");
    h.app->workspace().motion = {1, false};
    h.tap("scores.query");
    const int query = h.focus().token;
    h.tap("scores.key");
    const int key = h.focus().key;
    EXPECT_GT(query, 0);
    EXPECT_GT(key, 0);
    EXPECT_EQ(h.item("scores.score").value, static_cast<double>(block_of(h, 1).scores(
                                                0, static_cast<std::size_t>(query), static_cast<std::size_t>(key))));
    EXPECT_LT(h.item("scores.row_without.entropy").value, h.item("scores.row.entropy").value)
        << "without ÷ √d the row is sharper";
}

TEST(AttentionMatrixStep, ZoomsByTheWheelAndBecomesSymmetricWithKeysThatAreQueries) {
    Harness h;
    go_to(h, "attention_matrix");
    EXPECT_EQ(h.item("matrix.window").value, 65);
    EXPECT_GT(h.item("matrix.asymmetry").value, 0.01);
    h.hover("matrix.cells");
    h.input.wheel(0, 3);
    h.frame(3);
    EXPECT_LT(h.item("matrix.window").value, 65);
    h.double_tap("matrix.cells");
    EXPECT_EQ(h.item("matrix.window").value, 65);
    h.tap("matrix.before");
    EXPECT_TRUE(h.focus().scores);
    h.app->workspace().experiment.what_ifs = {key_is_query()};
    h.settle();
    EXPECT_LT(h.item("matrix.asymmetry").value, 1e-4);
}

TEST(HeadsStep, SaysWhatEachHeadAddsAndSwitchesItOff) {
    Harness h;
    go_to(h, "heads");
    const auto norms = row_norms(head_contributions(block_of(h, 1), h.result().model->weights.blocks[0].projection, 0));
    for (std::size_t head = 0; head < 4; ++head)
        EXPECT_EQ(h.item("heads.row." + std::to_string(head) + ".norm").value, static_cast<double>(norms[head]));
    h.tap("heads.row.2.switch");
    EXPECT_TRUE(contains(h.what_ifs(), remove_head(1, 2)));
    EXPECT_EQ(h.item("heads.row.2.norm").value, 0);
}

TEST(ResidualStep, ShowsTheSkipRatioOfTheChosenBlock) {
    Harness h;
    go_to(h, "residual");
    EXPECT_EQ(h.item("residual.ratio").value, skip_ratios(h.result().trace)[0].attention);
    h.tap("half.mlp");
    EXPECT_EQ(h.item("residual.ratio").value, skip_ratios(h.result().trace)[0].mlp);
}

TEST(MlpStep, ListsTheUnitsThatAnswerMostAndShowsOneOnTheImage) {
    Harness h;
    go_to(h, "mlp");
    const auto& active = block_of(h, 1).mlp.activation;
    const int best = largest({&active(0, 0), active.shape()[1]}, 1).front();
    const std::string id = "mlp.unit." + std::to_string(best);
    EXPECT_EQ(h.item(id + ".value").value, static_cast<double>(active(0, static_cast<std::size_t>(best))));
    h.tap(id);
    EXPECT_EQ(h.focus().unit, best);
}

TEST(ActivationStep, FollowsTheUnitAndDrawsTheSamplesThatAreAskedFor) {
    Harness h;
    go_to(h, "activation");
    EXPECT_EQ(h.item("activation.x").value, static_cast<double>(block_of(h, 1).mlp.hidden(0, 0)));
    const double few = h.item("activation.deviation").value;
    h.focus().dials.samples = 4000;
    h.frame(2);
    EXPECT_LT(h.item("activation.deviation").value, few);
    h.tap("activation.derivatives");
    EXPECT_TRUE(h.focus().slopes);
    h.tap("activation.all");
    const auto& hidden = block_of(h, 1).mlp.hidden;
    const auto below = std::count_if(hidden.begin(), hidden.end(), [](float x) { return x < 0; });
    EXPECT_EQ(h.item("activation.below").value, static_cast<double>(below) / static_cast<double>(hidden.size()));
}

TEST(LossStep, TakesWhatWasDrawnForTheTrueClassUntilAnotherIsChosen) {
    Harness h;
    go_to(h, "loss");
    const auto said = [&] {
        return h.result()
            .model->config.labels[static_cast<std::size_t>(true_class_of(h.result(), h.app->workspace().selection))];
    };
    EXPECT_EQ(said(), "cat");
    h.press(Key::o);
    h.tap("sample.rocket");
    h.settle();
    EXPECT_EQ(said(), "rocket");
    h.tap("loss.next");
    EXPECT_NE(said(), "rocket");
}

TEST(LossStep, IsTheCrossEntropyOfTheClassThatIsClicked) {
    Harness h;
    go_to(h, "loss");
    h.tap("loss.class.3");
    EXPECT_EQ(h.focus().dials.true_class, 3);
    const Tensor2& logits = h.result().trace.head->logits;
    EXPECT_EQ(h.item("loss.value").value, cross_entropy({logits.data(), logits.size()}, 3));
    h.tap("loss.next");
    EXPECT_EQ(h.focus().dials.true_class, 4);
    EXPECT_EQ(h.item("loss.slope.4").value, static_cast<double>(h.result().trace.head->probabilities(0, 4) - 1.0F));
}

TEST(ClassTokenAndDepthSteps, LeadToTheBlockThatIsClicked) {
    Harness h;
    go_to(h, "depth");
    h.tap("depth.level.3");
    EXPECT_EQ(h.focus().block, 3);
    h.hover("top.selection");
    EXPECT_NEAR(h.item("depth.length").value, static_cast<double>(summarise({&h.result().trace.z(3)(0, 0), 64}).norm),
                1e-4);
    go_to(h, "class_token");
    h.tap("class_token.turn");
    EXPECT_EQ(h.focus().block, 2) << "the middle of ℓ = 0 … 4";
}

TEST(ExplanationStep, TakesTheBrightestPatchAwayAndTellsWhatThatDid) {
    Harness h;
    go_to(h, "explanation");
    EXPECT_FALSE(h.shows("explanation.effect.probability"));
    h.tap("explanation.remove");
    ASSERT_EQ(h.what_ifs().size(), 1U);
    const int best = top_predictions(*h.result().baseline.head, 1).front().index;
    const double change = static_cast<double>(prediction_of(*h.result().trace.head, best).probability) -
                          static_cast<double>(prediction_of(*h.result().baseline.head, best).probability);
    EXPECT_NEAR(h.item("explanation.effect.probability").value, change, 1e-9);
}

TEST(ModelsStep, CountsTheOpenModelAsTheFileDoesAndTakesAShapeByClick) {
    Harness h;
    go_to(h, "models");
    EXPECT_EQ(h.item("models.open.parameters").value, static_cast<double>(h.result().model->weights.parameter_count()));
    h.tap("models.large");
    EXPECT_EQ(h.focus().dials.shape.width, 1024);
}

}  // namespace
}  // namespace vitrine
