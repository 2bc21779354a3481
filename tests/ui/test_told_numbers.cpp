#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>

#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "core/vit/experiment.h"
#include "tests/ui/pointed_cell.h"

// Numbers that a figure, its readout and the panel must not tell differently.

namespace vitrine {
namespace {

/// A number as a reader types it who reads it.
double typed(std::string words) {
    const std::string minus = "\u2212";
    if (words.starts_with(minus)) words = "-" + words.substr(minus.size());
    return std::stod(words);
}

TEST(ComputationSteps, TheNumbersThatAreWrittenGiveTheWrittenResult) {
    Harness h;
    const std::string number = "\\(?((?:\u2212)?[0-9]+\\.?[0-9]*)\\)?";
    const std::regex sum("Σ \\+ b = " + number + " \\+ " + number + " = " + number + "(?:\n|$)"),
        difference("= \\(" + number + " − " + number + "\\) / [^\n]*\n= " + number + " / "),
        scaled("· γ \\+ β = " + number + "·" + number + " \\+ " + number + " = " + number + "(?:\n|$)");
    int sums = 0, differences = 0, results = 0;
    for (const char* const step : {"patch_embedding", "layer_norm"}) {
        go_to(h, step);
        for (int feature = 0; feature < 24; ++feature) {
            h.change().focus().token = 28;
            h.change().focus().feature = feature;
            h.frame(2);
            const std::string text = h.item("computation").text;
            std::smatch m;
            if (std::regex_search(text, m, sum)) {
                EXPECT_EQ(number_text(typed(m[1]) + typed(m[2])), std::string(m[3])) << text;
                ++sums;
            }
            if (std::regex_search(text, m, difference)) {
                const double apart = typed(m[1]) - typed(m[2]);
                EXPECT_NEAR(apart, typed(m[3]), 0.006 * std::abs(apart)) << text;
                ++differences;
            }
            if (std::regex_search(text, m, scaled)) {
                EXPECT_EQ(number_text(typed(m[1]) * typed(m[2]) + typed(m[3])), std::string(m[4])) << text;
                ++results;
            }
        }
    }
    EXPECT_GT(sums, 10);
    EXPECT_GT(differences, 10);
    EXPECT_GT(results, 10);
}

TEST(LayerNormSteps, TellsTheLengthAndNeverCutsANumber) {
    Opening state = Harness::with_image("cat");
    Harness h(std::move(state), {1280, 720});
    go_to(h, "layer_norm");
    h.change().focus().block = 2;
    h.change().focus().token = 30;
    h.settle();
    const Tensor2& z = h.result().trace.z(1);
    double squares = 0;
    for (std::size_t i = 0; i < z.shape()[1]; ++i)
        squares += static_cast<double>(z(30, i)) * static_cast<double>(z(30, i));
    const std::string length = number_text(std::sqrt(squares));
    EXPECT_NE(h.item("fact.1").text.find("‖z‖"), std::string::npos) << h.item("fact.1").text;
    EXPECT_NE(h.item("fact.1").text.find(length), std::string::npos) << h.item("fact.1").text << " is not " << length;
    h.expect_readable("a layer norm");
}

TEST(AttentionMatrix, ThePanelSpeaksOfThePairUnderThePointer) {
    Harness h;
    go_to(h, "attention_matrix");
    click_cell(h, "matrix.cells", (40 + 0.5F) / 65, (10 + 0.5F) / 65);
    const std::string query = "patch 10", key = "patch 40";
    EXPECT_NE(h.item("fact.0").text.find(query), std::string::npos) << h.item("fact.0").text;
    EXPECT_NE(h.item("fact.1").text.find(key), std::string::npos) << h.item("fact.1").text;
    EXPECT_NE(h.item("readout").text.find(query), std::string::npos);
    EXPECT_NE(h.item("computation").text.find("patch 10 looks at patch 40"), std::string::npos)
        << h.item("computation").text;
}

TEST(KeptNumber, SaysThatItIsKeptGoesAlongToAnotherBlockAndIsLetGo) {
    Harness h;
    go_to(h, "heads");
    EXPECT_FALSE(h.shows("cell.kept"));
    h.tap("map.block.3");
    h.tap("heads.out.2");
    ASSERT_TRUE(h.focus().cell);
    EXPECT_EQ(h.focus().cell->head, 2);
    EXPECT_NE(h.item("cell.kept").text.find("block.3.heads[2, 0, "), std::string::npos) << h.item("cell.kept").text;
    h.tap("map.block.2");
    EXPECT_EQ(h.focus().cell->block, 2);
    EXPECT_NE(h.item("cell.kept").text.find("block.2.heads[2, 0, "), std::string::npos) << h.item("cell.kept").text;
    h.tap("cell.kept.switch");
    EXPECT_FALSE(h.focus().cell);
}

TEST(ClassTokenStep, TellsTheLengthOfTheLearnedVectorAndOfItsPlaceInTheStream) {
    Harness h;
    go_to(h, "class_token");
    const std::span<const float> learned = vector_of_class_token(*h.result().model);
    const Tensor2& z = h.result().trace.z(0);
    const auto length = [](const float* x, std::size_t n) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
        return std::sqrt(sum);
    };
    EXPECT_NE(h.item("fact.2").text.find(number_text(length(learned.data(), learned.size()))), std::string::npos);
    EXPECT_NE(h.item("fact.3").text.find(number_text(length(&z(0, 0), z.shape()[1]))), std::string::npos);
}

TEST(LayerNormStep, DrawsGammaAndBetaWithTheFourStages) {
    Harness h;
    go_to(h, "layer_norm");
    h.press(Key::space);
    h.frame(120);
    for (const char* const id : {"norm.before", "norm.centred", "norm.scaled", "norm.gamma", "norm.beta", "norm.after"})
        EXPECT_TRUE(h.item(id).visible) << id;
    h.hover("norm.gamma");
    const auto cell = h.app->workspace().selection.hovered_cell();
    ASSERT_TRUE(cell);
    EXPECT_EQ(cell->quantity, Quantity::ln1_gamma);
    h.tap("half.mlp");
    h.hover("norm.beta");
    EXPECT_EQ(h.app->workspace().selection.hovered_cell()->quantity, Quantity::ln2_beta);
    h.expect_readable("layer norm");
}

TEST(LayerNormStep, SaysNothingOfAStageThatIsStillToCome) {
    Harness h;
    go_to(h, "layer_norm");
    h.change()->motion = {0, false};
    h.frame(3);
    EXPECT_TRUE(h.shows("norm.before.mean"));
    EXPECT_FALSE(h.shows("norm.centred.mean"));
    EXPECT_FALSE(h.shows("norm.scaled.deviation"));
    h.change()->motion = {1, false};
    h.frame(3);
    EXPECT_NEAR(h.item("norm.centred.mean").value, 0, 1e-6);
    EXPECT_NEAR(h.item("norm.scaled.deviation").value, 1, 1e-4);
}

TEST(PatchEmbeddingStep, NamesTheChannelsOfEveryPicture) {
    Harness h;
    go_to(h, "patch_embedding");
    const char* const letters[] = {"R", "G", "B"};
    for (const char* const part : {"patch", "filter", "product"})
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(h.item("embedding." + std::string(part) + ".channel." + std::to_string(i)).text, letters[i]);
}

TEST(PredictionStep, NamesTheClassesOfItsLogits) {
    Harness h;
    go_to(h, "prediction");
    h.change()->motion = {1, false};
    h.frame(3);
    const Prediction best = top_predictions(*h.result().trace.head, 1).front();
    EXPECT_EQ(h.item("prediction.logit_name." + std::to_string(best.index)).text, "cat");
    const auto count = static_cast<float>(h.result().model->config.classes);
    click_cell(h, "prediction.logits", (static_cast<float>(best.index) + 0.5F) / count, 0.5F);
    EXPECT_NE(h.item("readout").text.find("cat"), std::string::npos);
    EXPECT_NE(h.item("computation").text.find("cat"), std::string::npos) << "beside head.logits[…]";
    h.expect_readable("prediction");
}

}  // namespace
}  // namespace vitrine
