#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/chapters/step.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "core/measures/analysis.h"
#include "tests/ui/written.h"

// The steps of a block, with the embedding before it and the prediction after it.

namespace vitrine {
namespace {

/// What the sentence says of a run must hold in it.
TEST(Sentences, FollowTheChange) {
    struct Row {
        const char* step;
        WhatIfs what_ifs;
        const char* ending;
    };
    const std::vector<Row> rows = {
        {"position_embedding", {remove_positions()}, "off"},
        {"layer_norm", {normalise(Norm::none)}, "off_everywhere"},
        {"layer_norm", {normalise(Norm::none, 1)}, "off"},
        {"residual", {without_skips()}, "off_everywhere"},
        {"residual", {without_skips(1)}, "off"},
        {"heads", {without_skips(1)}, "off"},
        {"scores", {without_scaling()}, "undivided"},
        {"qkv", {key_is_query()}, "keys"},
        {"qkv", {value_is_query()}, "values"},
        {"qkv", {key_is_query(), value_is_query()}, "one"},
    };
    for (const char* const language : {"en", "ja", "ko"}) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = language;
        Harness h(std::move(opening), {1280, 720});
        for (const auto& [step, what_ifs, ending] : rows) {
            go_to(h, step);
            const std::string key = std::string("step.") + step + ".sentence";
            EXPECT_EQ(h.item("stage.sentence").text, h.app->text()(key)) << step;
            h.change()->what_ifs = what_ifs;
            h.settle();
            h.frame(3);
            EXPECT_EQ(h.item("stage.sentence").text, h.app->text()(key + "_" + ending)) << step;
            if (std::string(language) == "en") h.expect_readable(step);
            h.change()->what_ifs = {};
            h.settle();
        }
        go_to(h, "layer_norm");
        h.change()->what_ifs = {normalise(Norm::none, 2)};
        h.settle();
        EXPECT_EQ(h.item("stage.sentence").text, h.app->text()("step.layer_norm.sentence")) << "of block 1";
    }
}

/// Whether a line on the screen contains these words.
bool draws(Harness& h, const std::string& words) {
    return std::ranges::any_of(h.app->probe().words(),
                               [&](const Probe::Words& line) { return line.text.find(words) != std::string::npos; });
}

TEST(ScoresStep, KeepsItsPhotographsOnASlideWithoutTheHint) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "scores");
    const std::string hint = without_markup(h.app->text()("scores.choose"));
    const float before = h.item("scores.query").rect.y0;
    h.door().state.figure = {.bare = true};
    h.frame(4);
    for (const char* const picture : {"scores.query", "scores.key"}) {
        ASSERT_TRUE(h.shows(picture));
        EXPECT_TRUE(h.item(picture).visible) << picture;
    }
    EXPECT_TRUE(draws(h, h.app->text()("scores.query", {{"token", "CLS"}}))) << "not clipped";
    EXPECT_LT(h.item("scores.query").rect.y0, before) << "the hint's room is the pictures'";
    EXPECT_FALSE(draws(h, hint.substr(0, 12)));
}

TEST(BlockSteps, SayWhatTheNormLeavesWhereItIsOff) {
    Harness h;
    go_to(h, "qkv");
    EXPECT_TRUE(draws(h, "LN(z) of CLS"));
    go_to(h, "residual");
    EXPECT_TRUE(draws(h, "‖MSA(LN(z))‖"));
    h.change()->what_ifs = {normalise(Norm::none)};
    h.settle();
    EXPECT_TRUE(draws(h, "‖MSA(z)‖"));
    h.tap("half.mlp");
    EXPECT_TRUE(draws(h, "‖MLP(z′)‖"));
    go_to(h, "qkv");
    EXPECT_TRUE(draws(h, "z of CLS (norm off)"));
    EXPECT_FALSE(draws(h, "LN(z) of CLS"));
    h.change()->what_ifs = {normalise(Norm::after)};
    h.settle();
    EXPECT_TRUE(draws(h, "z of CLS, "));
    EXPECT_FALSE(draws(h, "LN(z) of CLS"));
}

TEST(QkvStep, ShowsTheMatrixThatThisRunMultipliesBy) {
    Harness h;
    go_to(h, "qkv");
    const BlockWeights& w = h.result().model->weights.blocks[0];
    const auto first = [](const LinearWeights& of) { return static_cast<double>(of.weight.stored()(0)); };
    EXPECT_EQ(h.item("qkv.value").value, first(w.value));
    EXPECT_TRUE(h.shows("equation.WV"));
    h.change()->what_ifs = {value_is_query()};
    h.settle();
    EXPECT_EQ(h.item("qkv.value").value, first(w.query));
    EXPECT_EQ(h.item("qkv.value").text.find("V = Q: WQ"), 0U) << h.item("qkv.value").text;
    EXPECT_EQ(h.item("qkv.key").value, first(w.key));
    EXPECT_FALSE(h.shows("equation.WV")) << "the run has no use for it";
    EXPECT_TRUE(h.shows("equation.WK"));
    h.change()->what_ifs = {key_is_query(2)};
    h.settle();
    EXPECT_EQ(h.item("qkv.key").value, first(w.key)) << "it acts on another block";
}

TEST(PositionStep, SaysThatItsMapsAreNotUsedWithoutPositions) {
    Harness h;
    go_to(h, "position_embedding");
    EXPECT_FALSE(draws(h, "not added in this run"));
    h.tap("position.switch_all");
    EXPECT_FALSE(draws(h, "not added in this run"))
        << "as everywhere, a name leads; only the symbol beside it switches";
    h.tap("position.switch_all.switch");
    EXPECT_TRUE(draws(h, "not added in this run"));
    EXPECT_TRUE(draws(h, h.app->text()("scope.fixed"))) << "the map is drawn on its scale all the same";
}

TEST(ClassTokenStep, CallsOneNumberByOneNameAndCountsThePositionIn) {
    Harness h;
    go_to(h, "class_token");
    const std::string& turn = h.app->text()("fact.turn");
    EXPECT_TRUE(draws(h, turn));
    EXPECT_FALSE(draws(h, h.app->text()("class_token.turn")));
    EXPECT_TRUE(draws(h, h.app->text()("class_token.length_placed")));
    h.change()->what_ifs = {remove_positions()};
    h.settle();
    EXPECT_FALSE(draws(h, h.app->text()("class_token.length_placed"))) << "there is no position in it";
}

TEST(Equations, OfEveryVariantHaveWordsOfTheirOwn) {
    Harness h;
    for (const Step& step : curriculum())
        for (const std::string& id : other_equations(step))
            EXPECT_TRUE(h.app->text().has("equation." + id + "_words")) << id;
}

TEST(ScoresStep, OpensOnTheKeyWithTheLargestWeightAndKeepsAChosenOne) {
    Harness h;
    go_to(h, "scores");
    const auto row = attention_row(block_of(h, 1), h.focus().head, h.focus().token);
    EXPECT_EQ(h.focus().key, largest(row, 1).front());
    EXPECT_EQ(h.item("scores.weight").value, static_cast<double>(std::ranges::max(row)));
    h.change().focus().key = 7;
    go_to(h, "qkv");
    go_to(h, "scores");
    EXPECT_EQ(h.focus().key, 7) << "the reader's own";
}

TEST(ScoresStep, ShowsTheRunsOwnScoreForTheTwoChosenTokens) {
    Harness h;
    go_to(h, "scores");
    h.change()->motion = {1, false};
    h.tap("scores.query");
    const int query = h.focus().token;
    h.tap("scores.key");
    const int key = h.focus().key;
    EXPECT_GT(query, 0);
    EXPECT_GT(key, 0);
    EXPECT_EQ(h.item("scores.score").value, static_cast<double>(block_of(h, 1).scores(
                                                0, static_cast<std::size_t>(query), static_cast<std::size_t>(key))));
    EXPECT_EQ(h.item("scores.row.range").value, h.item("scores.row_without.range").value) << "one scale";
    EXPECT_NE(h.item("scores.row.range").text.find(number_text(h.item("scores.row.range").value)), std::string::npos);
    EXPECT_LT(h.item("scores.row_without.entropy").value, h.item("scores.row.entropy").value)
        << "without ÷ √d the row is sharper";
}

/// The median lightness of the colours of all weights of a block, 0 … 255, on one scale for its heads.
double median_lightness(const BlockTrace& block, float high) {
    const ColourScale scale{ColourMap::sequential, 0, high, Curve::root};
    std::vector<double> all;
    for (const float weight : block.attention) {
        const Color c = colour_at(scale, weight, ThemeKind::dark);
        all.push_back(0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b);
    }
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    return all[all.size() / 2];
}

TEST(AttentionMatrixStep, IsNotDarkOnAnyPicture) {
    Opening state = Harness::with_image("cat");
    state.experiment.model = {};
    Harness h(std::move(state));
    std::vector<ImageSource> images;
    for (const std::string& name : sample_names(pictures_of(*h.result().model))) images.push_back({name, {}});
    images.push_back({{}, std::filesystem::path(VITRINE_SOURCE) / "tests/ui/images/mug.png"});
    images.push_back({{}, std::filesystem::path(VITRINE_SOURCE) / "tests/ui/images/key.png"});
    go_to(h, "attention_matrix");
    for (const ImageSource& image : images) {
        h.carry_out(command::OpenImage{image});
        h.settle();
        const auto block = h.result().trace.block(1);
        const auto high = static_cast<float>(h.item("matrix.range").value);
        const double light = median_lightness(*block, high), before = median_lightness(*block, 1);
        EXPECT_GT(light, 40) << image.sample << image.path << " beside " << before;
        std::size_t above = 0;
        for (const float weight : block->attention) above += weight > high;
        EXPECT_LT(above, block->attention.size() / 40) << "hardly a weight is beyond the scale";
        const std::string& told = h.item("matrix.range").text;
        EXPECT_NE(told.find(number_text(static_cast<double>(h.result().measures.reach[0]->largest_attention))),
                  std::string::npos)
            << told;
    }
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
    h.change()->what_ifs = {key_is_query()};
    h.settle();
    EXPECT_EQ(h.item("matrix.asymmetry").value, 0);
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

TEST(ResidualStep, SaysWhatGoesOnWithoutASkipAndWithTheNormBehindTheSum) {
    Harness h;
    go_to(h, "residual");
    const auto says = [&](const char* key) { return draws(h, h.app->text()(key)); };
    EXPECT_TRUE(says("residual.strip_sum"));
    EXPECT_FALSE(says("residual.strip_sum_alone"));
    h.change()->what_ifs = {without_skips()};
    h.settle();
    EXPECT_FALSE(says("residual.strip_sum")) << "there is no sum";
    EXPECT_TRUE(says("residual.strip_sum_alone"));
    EXPECT_TRUE(says("residual.strip_branch_alone"));
    EXPECT_TRUE(says("residual.output"));
    h.change()->what_ifs = {normalise(Norm::after)};
    h.settle();
    EXPECT_TRUE(says("residual.strip_sum_normed"));
    EXPECT_TRUE(says("residual.strip_branch"));
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
    h.change().focus().dials.samples = 4000;
    h.frame(2);
    EXPECT_LT(h.item("activation.deviation").value, few);
    h.tap("activation.derivatives");
    EXPECT_TRUE(h.focus().slopes);
    h.tap("activation.all");
    const auto& hidden = block_of(h, 1).mlp.hidden;
    const auto below = std::count_if(hidden.begin(), hidden.end(), [](float x) { return x < 0; });
    EXPECT_EQ(h.item("activation.below").value, static_cast<double>(below) / static_cast<double>(hidden.size()));
}

TEST(ActivationStep, NamesDerivativesWithAPrime) {
    Harness h;
    go_to(h, "activation");
    EXPECT_EQ(h.item("activation.legend.ReLU").text, "ReLU");
    h.tap("activation.derivatives");
    EXPECT_EQ(h.item("activation.legend.ReLU").text, "ReLU′");
}

TEST(PredictionStep, ListsTheClassesThatFitAndSaysHowMany) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "prediction");
        h.change()->motion = {1, false};
        h.frame(3);
        const int classes = h.result().model->config.classes,
                  listed = static_cast<int>(h.item("prediction.listed").value);
        EXPECT_GT(listed, 5);
        EXPECT_LE(h.item("prediction.class." + std::to_string(listed - 1)).rect.y1, h.item("stage").rect.y1);
        EXPECT_FALSE(h.shows("prediction.class." + std::to_string(listed)));
        const std::string words = std::to_string(listed) + " of " + std::to_string(classes);
        EXPECT_EQ(h.item("prediction.listed").text.find(words) != std::string::npos, listed < classes);
    }
}

TEST(DepthStep, MapsTakeTheRoomOfALargeWindow) {
    Harness h;
    go_to(h, "depth");
    EXPECT_GT(h.item("depth.level.0").rect.width(), 180);
}

TEST(ResidualStep, NamesItsCurvesInEveryWindowAndLanguage) {
    for (const std::string& language : language_codes())
        for (const ImVec2 size : {small_window, large_window}) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            Harness h(std::move(state), size);
            go_to(h, "residual");
            EXPECT_EQ(h.item("residual.ratio.legend").value, 2) << language << " " << size.x;
            h.expect_readable("residual in " + language);
        }
}

}  // namespace
}  // namespace vitrine
