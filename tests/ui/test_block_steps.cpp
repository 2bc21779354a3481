#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/chapters/step.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/rooms/room_parts.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/measures/weight_agreement.h"
#include "core/studies/normalisation.h"
#include "core/training/gradient_flow.h"
#include "core/training/pictures/pictures.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

TEST(Map, SwitchesNormsAndSkipsOfTheChosenBlockOff) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.tap("map.block.2");
    const int step = h.focus().step;
    h.tap("map.layer_norm.1.switch");
    EXPECT_EQ(h.what_ifs(), WhatIfs{normalise(Norm::none, 2)});
    EXPECT_TRUE(h.shows("map.block.2.plate")) << "marked as changed";
    EXPECT_FALSE(h.shows("map.block.3.plate"));
    EXPECT_FALSE(h.shows("map.layer_norm.2.switch")) << "one switch for both, which are off together";
    h.tap("map.layer_norm.1.switch");
    EXPECT_TRUE(h.what_ifs().empty());
    h.tap("map.residual.1.switch");
    EXPECT_EQ(h.what_ifs(), WhatIfs{without_skips(2)});
    h.tap("map.residual.1.switch");
    EXPECT_TRUE(h.what_ifs().empty());
    h.change()->what_ifs = {normalise(Norm::none)};
    h.settle();
    for (int block = 1; block <= h.result().model->config.blocks; ++block)
        EXPECT_TRUE(h.shows("map.block." + std::to_string(block) + ".plate")) << block;
    h.tap("map.layer_norm.1.switch");
    EXPECT_TRUE(h.what_ifs().empty()) << "what is off everywhere is on again everywhere";
    EXPECT_EQ(h.focus().step, step) << "a switch leads nowhere";
    h.tap("map.layer_norm.1");
    EXPECT_EQ(step_at(h.focus()).id, "layer_norm");
}

TEST(Map, SaysWhoseNormsAndSkipsItsSymbolsSwitch) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.tap("map.block.2");
    const auto tip = [&](const char* id) {
        h.input.move(1, 1);
        h.frame(3);
        h.hover(id);
        h.frame(60);
        return h.item("tooltip").text;
    };
    for (const auto& [id, in_block, everywhere] :
         {std::tuple{"map.layer_norm.1.switch", normalise(Norm::none, 2), normalise(Norm::none)},
          std::tuple{"map.residual.1.switch", without_skips(2), without_skips()}}) {
        for (const WhatIfs& on : {WhatIfs(), WhatIfs{in_block}}) {
            h.change()->what_ifs = on;
            h.settle();
            EXPECT_NE(tip(id).find("block 2"), std::string::npos) << tip(id);
        }
        h.change()->what_ifs = {everywhere};
        h.settle();
        EXPECT_NE(tip(id).find("all blocks"), std::string::npos) << tip(id);
    }
}

TEST(Map, ChoosesBetweenOneBlockAndAllBesideThePowerSymbolOfAPartThatIsOff) {
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
            for (const auto& [id, in_block, everywhere] :
                 {std::tuple{std::string("map.layer_norm.1"), normalise(Norm::none, 2), normalise(Norm::none)},
                  std::tuple{std::string("map.residual.1"), without_skips(2), without_skips()}}) {
                Opening state = Harness::with_image("cat");
                state.state.settings.language = language;
                Harness h(std::move(state), size);
                h.tap("map.block.2");
                EXPECT_FALSE(h.shows(id + ".all")) << "it is on";
                const Rect power = h.item(id + ".switch").rect;
                h.tap(id + ".switch");
                EXPECT_EQ(h.what_ifs(), WhatIfs{in_block});
                EXPECT_FALSE(h.shows("notice")) << "the words beside it say where it acts";
                ASSERT_TRUE(h.shows(id + ".all"));
                EXPECT_EQ(h.item(id + ".switch").rect, power) << "nothing moves";
                EXPECT_LE(h.item(id + ".all").rect.x1, power.x0);
                EXPECT_EQ(h.item(id + ".scope").value, 0);
                EXPECT_NE(h.item(id + ".scope").text.find('2'), std::string::npos);
                h.expect_readable(id + " is off in " + language);
                h.frame(20 * 60);
                h.tap(id + ".all");
                EXPECT_EQ(h.what_ifs(), WhatIfs{everywhere});
                EXPECT_EQ(h.item(id + ".scope").value, 1);
                h.press(Key::z, Key::ctrl);
                EXPECT_EQ(h.what_ifs(), WhatIfs{in_block});
                h.press(Key::z, Key::ctrl);
                EXPECT_TRUE(h.what_ifs().empty());
                EXPECT_FALSE(h.shows(id + ".all"));
                h.press(Key::y, Key::ctrl);
                h.press(Key::y, Key::ctrl);
                EXPECT_EQ(h.what_ifs(), WhatIfs{everywhere});
                h.tap(id + ".this");
                EXPECT_EQ(h.what_ifs(), WhatIfs{in_block}) << "and the other way";
                h.tap(id + ".this");
                EXPECT_EQ(h.what_ifs(), WhatIfs{in_block}) << "chosen already";
                h.tap(id + ".switch");
                EXPECT_TRUE(h.what_ifs().empty());
            }
}

TEST(Map, ChoosesTheBlocksOfAPartWhateverWasChangedSince) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.tap("map.block.2");
    h.tap("map.layer_norm.1.switch");
    h.tap("map.block.3");
    EXPECT_FALSE(h.shows("map.layer_norm.1.all")) << "on in this block";
    h.tap("map.layer_norm.1.switch");
    h.tap("map.mlp.switch");
    ASSERT_EQ(h.what_ifs().size(), 3U);
    h.tap("map.layer_norm.1.all");
    EXPECT_EQ(h.what_ifs(), (WhatIfs{remove_mlp(3), normalise(Norm::none)})) << "both blocks' changes are one";
}

TEST(LayerNormStep, TheSwitchOfAllBlocksTakesTheOneOfABlockOver) {
    Harness h(Harness::with_image("cat"), {1920, 1080});
    go_to(h, "layer_norm");
    h.tap("map.layer_norm.1.switch");
    h.tap("switch.no-norm");
    EXPECT_EQ(h.what_ifs(), WhatIfs{normalise(Norm::none)}) << "counted once";
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.what_ifs(), WhatIfs{normalise(Norm::none, 1)});
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    WhatIfs others = {remove_mlp(2), without_skips(2), normalise(Norm::after, 3)};
    put(others, normalise(Norm::none));
    EXPECT_EQ(others, (WhatIfs{remove_mlp(2), without_skips(2), normalise(Norm::none)}));
}

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
    h.change()->motion = {1, false};
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

/// Whether a line on the screen contains these words.
bool draws(Harness& h, const std::string& words) {
    return std::ranges::any_of(h.app->probe().words(),
                               [&](const Probe::Words& line) { return line.text.find(words) != std::string::npos; });
}

/// A column of a table, by its name.
std::vector<float> column_of(const Table& table, const std::string& name) {
    const auto& names = table.labels.back();
    const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    std::vector<float> column;
    for (std::size_t row = 0; at < names.size() && row < table.shape.front(); ++row)
        column.push_back(table.values[row * table.shape.back() + at]);
    return column;
}
Table saved_table(const Harness& h) { return answers_of("explore").taking.shown(h.app->context()); }

TEST(ChapterTables, OfScoresAreTheFiguresNumbersOfOneQueryAndKey) {
    Harness h;
    go_to(h, "scores");
    h.change().focus().token = 7;
    h.change().focus().key = 9;
    for (const WhatIfs& what_ifs : {WhatIfs{}, WhatIfs{without_scaling()}}) {
        h.change()->what_ifs = what_ifs;
        h.settle();
        const Table table = saved_table(h);
        const auto block = h.result().trace.block(h.focus().block);
        const auto head = static_cast<std::size_t>(h.focus().head), d = block->q.shape()[2];
        ASSERT_EQ(table.shape.front(), d + 65);
        EXPECT_EQ(table.labels.front().front(), "feature 1");
        EXPECT_EQ(table.labels.front()[d + 1], "patch 1");
        EXPECT_EQ(column_of(table, "q")[3], block->q(head, 7, 3));
        EXPECT_EQ(column_of(table, "k")[3], block->k(head, 9, 3));
        EXPECT_EQ(column_of(table, "q ⊙ k")[3], block->q(head, 7, 3) * block->k(head, 9, 3));
        EXPECT_TRUE(std::isnan(column_of(table, "q")[d])) << "a key is no feature";
        EXPECT_EQ(column_of(table, "score")[d + 9], block->scores(head, 7, 9));
        EXPECT_EQ(column_of(table, "weight")[d + 9], block->attention(head, 7, 9));
        const float root = what_ifs.empty() ? std::sqrt(static_cast<float>(d)) : 1;
        EXPECT_NEAR(column_of(table, "score without ÷ √d")[d + 9], block->scores(head, 7, 9) * root, 1e-4);
        double sum = 0;
        for (std::size_t i = d; i < d + 65; ++i) sum += static_cast<double>(column_of(table, "weight without ÷ √d")[i]);
        EXPECT_NEAR(sum, 1, 1e-5);
    }
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

TEST(NormPlaceStep, HasPowersOfTenWhereLengthsAreFarApart) {
    Harness h;
    go_to(h, "norm_place");
    EXPECT_EQ(h.item("norm_place.powers").value, 0);
    h.change()->what_ifs = {normalise(Norm::none)};
    h.settle();
    const auto [low, high] = [&] {
        float least = 1e30F, most = 0;
        for (const Trace* const trace : {&h.result().trace, &h.result().baseline})
            for (int level = 0; level <= h.result().model->config.blocks; ++level) {
                double sum = 0;
                const std::vector<float> norms = row_norms(trace->z(level));
                for (const float norm : norms) sum += static_cast<double>(norm);
                const auto mean = static_cast<float>(sum / static_cast<double>(norms.size()));
                least = std::min(least, mean), most = std::max(most, mean);
            }
        return std::pair{least, most};
    }();
    EXPECT_EQ(h.item("norm_place.powers").value, high > 1000 * low ? 1 : 0) << low << " to " << high;
    h.expect_readable("lengths without norms");
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

TEST(ChapterTables, OfALayerNormAreItsStages) {
    Harness h;
    go_to(h, "layer_norm");
    for (const Half half : {Half::attention, Half::mlp}) {
        h.change().focus().half = half;
        h.change().focus().token = 7;
        h.settle();
        const Table table = saved_table(h);
        EXPECT_EQ(table.name, half == Half::attention ? "ln1" : "ln2");
        const std::string z = half == Half::attention ? "z" : "z′";
        for (const auto& [column, figure] : {std::pair{z + " before", "norm.before"},
                                             {"(" + z + " − μ) ÷ √(σ² + ε)", "norm.scaled"},
                                             {std::string("after γ and β"), "norm.after"}}) {
            const std::vector<float> numbers = column_of(table, column);
            ASSERT_EQ(numbers.size(), 64U) << column;
            EXPECT_NEAR(moments_of(numbers).mean, h.item(figure + std::string(".mean")).value, 1e-5) << column;
            EXPECT_NEAR(moments_of(numbers).deviation, h.item(figure + std::string(".deviation")).value, 1e-5)
                << column;
        }
        EXPECT_NEAR(column_of(table, "μ").front(), h.item("norm.before.mean").value, 1e-5);
        EXPECT_NEAR(column_of(table, "σ").front(), h.item("norm.before.deviation").value, 1e-5);
    }
}

TEST(ChapterTables, OfAnActivationAreItsCurvesAndTheCountsOfItsHistogram) {
    Harness h;
    go_to(h, "activation");
    for (const bool all : {false, true}) {
        h.change().focus().all_tokens = all;
        h.settle();
        const Table table = saved_table(h);
        const std::vector<float> x = column_of(table, "x"), gelu = column_of(table, "GELU"),
                                 count = column_of(table, all ? "pre-activations of all tokens" : "pre-activations");
        EXPECT_FLOAT_EQ(gelu[10], activate(Activation::gelu, x[10]));
        EXPECT_EQ(std::accumulate(count.begin(), count.end(), 0.0F), all ? 65.0F * 128 : 128.0F);
        EXPECT_EQ(count.back(), h.item("activation.outside").value);
    }
    h.change().focus().slopes = true;
    h.settle();
    EXPECT_FLOAT_EQ(column_of(saved_table(h), "ReLU′").front(), 0);
}

TEST(ChapterTables, AreOfWhatTheFigureDrawsAndOnlyAttentionsAreOfAttention) {
    Harness h;
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        const std::string name = saved_table(h).name;
        const bool about_attention = step.id == "attention" || step.id == "attention_matrix";
        EXPECT_EQ(name.ends_with("attention"), about_attention) << step.id << ": " << name;
        if (step.id == "two_towers") continue;  // this model has no text tower
        EXPECT_FALSE(saved_table(h).values.empty()) << step.id;
    }
    go_to(h, "attention_matrix");
    EXPECT_EQ(saved_table(h).shape, (std::vector<std::size_t>{65, 65})) << "the matrix, not a row of each head";
}

TEST(ChapterTables, HaveTheHeadersAndTheNumbersOfTheRun) {
    Harness h;
    using Names = std::vector<std::string>;
    const auto table_of = [&](const char* step) {
        go_to(h, step);
        h.change().focus().token = 7;
        h.settle();
        return saved_table(h);
    };
    const auto names_of = [](const Table& table) { return table.labels.back(); };
    const auto here = [&] { return h.result().trace.block(h.focus().block); };
    const auto head = [&] { return static_cast<std::size_t>(h.focus().head); };

    Table table = table_of("qkv");
    EXPECT_EQ(names_of(table), (Names{"q", "k", "v"}));
    EXPECT_EQ(column_of(table, "k")[3], here()->k(head(), 7, 3));

    table = table_of("residual");
    EXPECT_EQ(names_of(table), (Names{"z", "attention adds", "sum"}));
    EXPECT_EQ(column_of(table, "attention adds")[5], here()->msa(7, 5));
    EXPECT_EQ(column_of(table, "sum")[5], here()->residual(7, 5));

    table = table_of("loss");
    EXPECT_EQ(names_of(table), (Names{"P", "Q", "Q − P"}));
    EXPECT_EQ(column_of(table, "Q")[4], h.result().trace.head->probabilities(0, 4));

    table = table_of("dropout");
    EXPECT_EQ(names_of(table), (Names{"x", "m", "m ⊙ x ÷ (1 − p)"}));
    EXPECT_EQ(column_of(table, "x")[3], here()->mlp.activation(7, 3));

    table = table_of("explanation");
    EXPECT_EQ(names_of(table), (Names{"A", "‖A v‖", "−Δ margin"}));
    EXPECT_EQ(column_of(table, "−Δ margin")[8], (*h.result().trial->drops)[8]);
    EXPECT_EQ(column_of(table, "A")[8], here()->attention(head(), 7, 8));

    const int last = h.result().model->config.blocks;
    const Tensor2& z = h.result().trace.z(last);
    table = table_of("depth");
    EXPECT_EQ(names_of(table).size(), static_cast<std::size_t>(last) + 1);
    EXPECT_NEAR(column_of(table, "ℓ = " + std::to_string(last))[9],
                cosine({&z(7, 0), z.shape()[1]}, {&z(9, 0), z.shape()[1]}), 1e-5);

    table = table_of("norm_place");
    EXPECT_EQ(names_of(table), (Names{"mean length of z"}));
    double length = 0;
    for (const float norm : row_norms(z)) length += static_cast<double>(norm) / static_cast<double>(z.shape()[0]);
    EXPECT_NEAR(column_of(table, "mean length of z").back(), length, 1e-3 * length);

    table = table_of("learning");
    Names wirings;
    for (const auto& row : wiring_names) wirings.emplace_back(row.name);
    EXPECT_EQ(names_of(table), wirings);
    EXPECT_FLOAT_EQ(column_of(table, wirings[1])[2], static_cast<float>((*h.result().gradient_flows)[1].norms[2]));

    table = table_of("models");
    EXPECT_EQ(names_of(table), (Names{"L", "D", "M", "h", "N", "parameters", "multiply-adds", "bytes"}));
    const Config& c = h.result().model->config;
    EXPECT_EQ(column_of(table, "D").front(), static_cast<float>(c.embedding_dim));
    EXPECT_EQ(column_of(table, "parameters").front(), static_cast<float>(h.result().model->weights.parameter_count()));
}

TEST(NormVariantsStep, ComparesBothBeforeGammaAndBetaAndSaysByHowMuch) {
    Harness h;
    go_to(h, "norm_variants");
    for (const char* const half : {"half.attention", "half.mlp"}) {
        h.tap(half);
        const Table table = saved_table(h);
        const std::vector<float> first = column_of(table, table.labels.back()[0]),
                                 second = column_of(table, table.labels.back()[1]),
                                 difference = column_of(table, "difference");
        EXPECT_NEAR(moments_of(first).deviation, 1, 1e-3) << "γ scales neither";
        for (std::size_t i = 0; i < first.size(); ++i)
            EXPECT_NEAR(second[i], static_cast<double>(first[i]) * std::sqrt(63.0 / 64.0), 1e-4);
        for (std::size_t i = 0; i < first.size(); ++i)
            EXPECT_EQ(difference[i], first[i] - second[i]) << "as its title says";
        EXPECT_NEAR(reach_of(difference), h.item("variants.largest").value, 1e-6);
        const std::string& told = h.item("variants.largest").text;
        EXPECT_NE(told.find(half == std::string("half.mlp") ? "LN₂ of block 1" : "LN₁ of block 1"), std::string::npos)
            << told;
        EXPECT_NE(told.find("0.992"), std::string::npos) << told;
    }
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

TEST(NormPlaceStep, HasItsSwitchBesideTheCurveInASmallWindow) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "norm_place");
    h.tap("norm_place.other");
    EXPECT_TRUE(contains(h.what_ifs(), normalise(Norm::after)));
    h.tap("norm_place.other");
    EXPECT_TRUE(h.what_ifs().empty());
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

}  // namespace
}  // namespace vitrine
