#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/chapters/step.h"
#include "app/rooms/room_parts.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/measures/weight_agreement.h"
#include "core/studies/normalisation.h"
#include "core/training/gradient_flow.h"
#include "tests/ui/saved_table.h"

// The tables of the chapters: the numbers of their figures, as they are saved.

namespace vitrine {
namespace {

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
    EXPECT_EQ(names_of(table), (Names{"L", "D", "M", "h", "N", "parameters", "multiply-adds", "bytes",
                                      "weights: embedding", "weights: positions", "weights: attention", "weights: mlp",
                                      "weights: norms", "weights: classifier"}));
    const Config& c = h.result().model->config;
    EXPECT_EQ(column_of(table, "D").front(), static_cast<float>(c.embedding_dim));
    EXPECT_EQ(column_of(table, "parameters").front(), static_cast<float>(h.result().model->weights.parameter_count()));
    EXPECT_EQ(table.labels.front().back(), h.app->text()("models.own")) << "the name of its row in the figure";
    float sum = 0;
    for (const char* const part : {"embedding", "positions", "attention", "mlp", "norms", "head"}) {
        const std::string column = std::string(part) == "head" ? "classifier" : part;
        const float count = column_of(table, "weights: " + column).front();
        EXPECT_EQ(count, static_cast<float>(h.item("models.weights." + std::string(part)).value)) << part;
        sum += count;
    }
    EXPECT_EQ(sum, column_of(table, "parameters").front());
}

}  // namespace
}  // namespace vitrine
