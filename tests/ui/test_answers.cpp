#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/chapters/step.h"
#include "app/ui/widgets/number.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/vit/forward.h"
#include "tests/ui/told_answers.h"

// What a chapter answers to its question is computed from the run that is shown: each number is worked out here once
// more, from the tensors of the trace alone.

namespace vitrine {
namespace {

TEST(Answers, AreNotToldOfOneSwitchWhereOthersAreOnToo) {
    Harness h;
    const std::string alone = h.app->text()("answer.alone");
    const auto with = [&](const char* step, WhatIfs what_ifs) {
        go_to(h, step);
        switch_on(h, std::move(what_ifs));
        return answer_of(h, step);
    };
    EXPECT_NE(with("position_embedding", {remove_positions(), shuffle_tokens()}), alone);
    EXPECT_EQ(with("position_embedding", {remove_positions(), shuffle_tokens(), remove_mlp(1)}), alone);
    EXPECT_NE(with("qkv", {value_is_query()}), alone);
    EXPECT_EQ(with("qkv", {value_is_query(), remove_mlp(1)}), alone);
    EXPECT_EQ(with("norm_place", {normalise(Norm::after), remove_mlp(1)}), alone);
    go_to(h, "explanation");
    switch_on(h, {});
    const auto block = h.result().baseline.block(h.focus().block);
    std::size_t patch = 1;
    const auto head = static_cast<std::size_t>(h.focus().head), query = static_cast<std::size_t>(h.focus().token);
    for (std::size_t j = 2; j < 65; ++j)
        if (block->attention(head, query, j) > block->attention(head, query, patch)) patch = j;
    EXPECT_EQ(with("explanation", {remove_token(static_cast<int>(patch)), remove_mlp(1)}), alone);
}

TEST(Answers, BeforeOrAfterStatesTheLengthsOfThisRun) {
    Harness h;
    go_to(h, "norm_place");
    EXPECT_FALSE(done(h));
    switch_on(h, {normalise(Norm::after)});
    EXPECT_TRUE(done(h));
    const std::string answer = answer_of(h, "norm_place");
    for (const Trace* const trace : {&h.result().baseline, &h.result().trace}) {
        const Tensor2& z = trace->z(4);
        double sum = 0;
        for (std::size_t i = 0; i < z.shape()[0]; ++i) sum += std::sqrt(product_of(row(z, i), row(z, i)));
        expect_says(answer, sum / static_cast<double>(z.shape()[0]));
    }
    EXPECT_TRUE(h.shows("switches.trained")) << "what a switch in a trained model cannot show";
}

TEST(Answers, QkvTellsWhatTheValueBecomes) {
    Harness h;
    h.change().focus().token = 20;
    h.change().focus().head = 2;
    go_to(h, "qkv");
    h.change().focus().head = 3;
    EXPECT_FALSE(done(h)) << "another head is no answer";
    h.change().focus().head = 2;
    const auto block = h.result().baseline.block(1);
    const std::size_t d = block->q.shape()[2];
    const double before = cosine_of(numbers(&block->q(2, 20, 0), d), numbers(&block->v(2, 20, 0), d));
    switch_on(h, {value_is_query()});
    EXPECT_TRUE(done(h));
    const std::string answer = answer_of(h, "qkv");
    expect_says(answer, before);
    expect_says(answer, 1.0);
}

TEST(Answers, ScoresOfTheMatrixBecomeSymmetricTheWeightsDoNot) {
    Harness h;
    const Tensor3& s = h.result().baseline.block(1)->scores;
    double most = 0;
    for (std::size_t i = 0; i < s.shape()[1]; ++i)
        for (std::size_t j = 0; j < i; ++j)
            most = std::max(most, std::abs(static_cast<double>(s(0, i, j)) - static_cast<double>(s(0, j, i))));
    expect_says(answer_of(h, "attention_matrix"), most);
    switch_on(h, {key_is_query()});
    EXPECT_FALSE(done(h)) << "the scores were not looked at";
    h.change().focus().scores = true;
    EXPECT_TRUE(done(h));
    const auto block = h.result().trace.block(1);
    double scores = 0, weights = 0;
    for (std::size_t i = 0; i < s.shape()[1]; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            scores = std::max(scores, std::abs(static_cast<double>(block->scores(0, i, j) - block->scores(0, j, i))));
            weights =
                std::max(weights, std::abs(static_cast<double>(block->attention(0, i, j) - block->attention(0, j, i))));
        }
    EXPECT_LT(scores, 1e-4);
    EXPECT_GT(weights, 1e-2);
}

TEST(Answers, MlpSpeaksOfTheMostActiveUnitWhicheverIsChosen) {
    Harness h;
    h.change().focus().token = 20;
    go_to(h, "mlp");
    const auto block = h.result().trace.block(1);
    const Tensor2& a = block->mlp.activation;
    const int unit = first_largest(row(a, 20));
    Numbers on_patches;
    for (std::size_t t = 1; t < a.shape()[0]; ++t)
        on_patches.push_back(static_cast<double>(a(t, static_cast<std::size_t>(unit))));
    const int patch = first_largest(on_patches);
    h.change().focus().unit = unit == 5 ? 6 : 5;
    EXPECT_FALSE(done(h)) << "any other unit is no answer";
    const std::string answer = answer_of(h, "mlp");
    expect_says(answer, "unit " + std::to_string(unit + 1));
    expect_says(answer, "patch " + std::to_string(patch + 1));
    expect_says(answer, on_patches[static_cast<std::size_t>(patch)]);
    h.change().focus().unit = unit;
    EXPECT_TRUE(done(h));
}

TEST(Answers, AChosenBlockFilterOrUnitIsToldToBeCorrectOrNotYet) {
    struct Row {
        const char* step;
        int Focus::*choice;
        int first, count;
    };
    for (const Row& row :
         {Row{"patch_embedding", &Focus::feature, 0, 64}, Row{"class_token", &Focus::block, 1, 4},
          Row{"residual", &Focus::block, 1, 4}, Row{"mlp", &Focus::unit, 0, 128}, Row{"depth", &Focus::block, 1, 4}}) {
        Harness h;
        go_to(h, row.step);
        h.change().focus().token = 20;  // which decides nothing yet
        h.settle();
        h.frame(3);
        if (h.shows("guess.told")) {
            EXPECT_EQ(h.item("guess.told").value, 1) << row.step;
        }
        int correct = 0;
        for (int i = row.first; i < row.first + row.count; ++i) {
            h.change().focus().*row.choice = i;
            h.frame(3);
            if (!h.shows("guess.told")) continue;  // the one with which the chapter was entered
            if (h.item("guess.told").value == 0) continue;
            ++correct;
            EXPECT_TRUE(done(h)) << row.step;
            const std::string told = h.item("guess.told").text;
            const std::string number = told.substr(told.find_last_of(' ') + 1);
            if (row.step != std::string_view("residual")) {  // its words end with those after the number
                EXPECT_NE(answer_of(h, row.step).find(number), std::string::npos) << told;
            }
        }
        EXPECT_EQ(correct, 1) << row.step << " has one correct answer";
    }
}

TEST(Answers, DepthFindsTheBlockInWhichTheClassTokenApproachesThePatches) {
    Harness h;
    Numbers likeness;
    for (int l = 0; l <= 4; ++l) {
        const Tensor2& z = h.result().trace.z(l);
        double sum = 0;
        for (std::size_t t = 1; t < z.shape()[0]; ++t) sum += cosine_of(row(z, 0), row(z, t));
        likeness.push_back(sum / static_cast<double>(z.shape()[0] - 1));
    }
    std::size_t best = 1;
    for (std::size_t l = 2; l < likeness.size(); ++l)
        if (likeness[l] - likeness[l - 1] > likeness[best] - likeness[best - 1]) best = l;
    h.change().focus().block = best == 1 ? 2 : 1;
    const std::string answer = answer_of(h, "depth");
    expect_says(answer, "block " + std::to_string(best));
    expect_says(answer, likeness[best - 1]);
    expect_says(answer, likeness[best]);
    EXPECT_FALSE(done(h)) << "another block is chosen";
    h.change().focus().block = static_cast<int>(best);
    EXPECT_TRUE(done(h));
}

TEST(Answers, ResidualAndHeadsSpeakOfThisRun) {
    Harness h;
    Numbers ratios = {0};
    for (int l = 1; l <= 4; ++l) {
        const auto block = h.result().baseline.block(l);
        const Tensor2& z = h.result().baseline.z(l - 1);
        double sum = 0;
        for (std::size_t t = 0; t < z.shape()[0]; ++t)
            sum += std::sqrt(product_of(row(block->msa, t), row(block->msa, t)) / product_of(row(z, t), row(z, t)));
        ratios.push_back(sum / static_cast<double>(z.shape()[0]));
    }
    const int most = first_largest(ratios);
    const std::string residual = answer_of(h, "residual");
    expect_says(residual, "block " + std::to_string(most));
    expect_says(residual, ratios[static_cast<std::size_t>(most)]);

    const auto block = h.result().baseline.block(1);
    double largest = 0;
    const Parameter projection = h.result().model->weights.blocks[0].projection.weight.stored();
    std::size_t head = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        double squares = 0;
        for (std::size_t r = 0; r < 64; ++r) {
            double x = 0;
            for (std::size_t j = 0; j < 16; ++j)
                x += static_cast<double>(projection(r * 64 + i * 16 + j)) * static_cast<double>(block->heads(i, 0, j));
            squares += x * x;
        }
        if (squares > largest) largest = squares, head = i;
    }
    const std::string heads = answer_of(h, "heads");
    expect_says(heads, "Head " + std::to_string(head + 1));
    expect_says(heads, std::sqrt(largest));
}

TEST(Answers, LayerNormNamesTheClassOfThisRunOnceTheNormsAreOff) {
    Harness h;
    const std::string before = answer_of(h, "layer_norm");
    switch_on(h, {normalise(Norm::none)});
    EXPECT_TRUE(done(h));
    const Tensor2& now = h.result().trace.head->probabilities;
    const int best = first_largest(row(now, 0));
    const std::string answer = answer_of(h, "layer_norm");
    EXPECT_TRUE(answer.starts_with(before));
    const std::string added = answer.substr(before.size());
    expect_says(added, h.result().model->config.label(best));
    expect_says(added, probability_text(static_cast<double>(now(0, static_cast<std::size_t>(best)))));
    switch_on(h, {normalise(Norm::none), remove_mlp(1)});
    EXPECT_EQ(answer_of(h, "layer_norm"), before) << "another change is on, too";
}

TEST(Answers, ScoresStatesTheRowWithAndWithoutTheDivision) {
    Harness h;
    go_to(h, "scores");
    const Tensor3& s = h.result().baseline.block(1)->scores;
    const std::string answer = answer_of(h, "scores");
    for (const double factor : {1.0, 4.0}) {  // √d = 4
        Numbers weights;
        double sum = 0;
        for (std::size_t j = 0; j < s.shape()[2]; ++j)
            weights.push_back(std::exp(factor * static_cast<double>(s(0, 0, j))));
        for (const double w : weights) sum += w;
        double entropy = 0;
        for (double& w : weights) {
            w /= sum;
            entropy -= w > 0 ? w * std::log(w) : 0;
        }
        expect_says(answer, *std::max_element(weights.begin(), weights.end()));
        expect_says(answer, entropy);
    }
}

TEST(Answers, AttentionFindsThePatchThatAnyHeadWeighsMost) {
    Harness h;
    const auto block = h.result().trace.block(1);
    float most = 0;
    std::size_t patch = 0, head = 0;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 1; j < 65; ++j)
            if (block->attention(i, 0, j) > most) most = block->attention(i, 0, j), patch = j, head = i;
    const std::string answer = answer_of(h, "attention");
    expect_says(answer, "patch " + std::to_string(patch));
    expect_says(answer, percent_text(static_cast<double>(most)));
    expect_says(answer, "head " + std::to_string(head + 1));
    h.change().focus().token = static_cast<int>(patch == 1 ? 2 : patch - 1);
    EXPECT_FALSE(done(h));
    h.change().focus().token = static_cast<int>(patch);
    EXPECT_TRUE(done(h));
}

/// An answer that waits for switches has them at hand: at 1280 × 720 "Try it" is scrolled away.
TEST(Answers, ThatWaitForSwitchesHaveAButtonThatSwitchesThemOn) {
    const std::pair<const char*, WhatIfs> rows[] = {
        {"position_embedding", {remove_positions(), shuffle_tokens()}},
        {"qkv", {value_is_query()}},
        {"norm_place", {normalise(Norm::after)}},
    };
    for (const auto& [step, wanted] : rows) {
        Harness h(Harness::with_image("cat"), {1280, 720});
        go_to(h, step);
        h.tap("question.answer");
        h.frame(3);
        const std::string waits = h.item("answer").text;
        h.tap("answer.switch_on");
        EXPECT_EQ(h.what_ifs(), wanted) << step;
        h.frame(3);
        EXPECT_NE(h.item("answer").text, waits) << step;
        EXPECT_FALSE(h.shows("answer.switch_on")) << step;
        EXPECT_EQ(h.item("question").value, 1) << step << ": done";
        h.press(Key::z, Key::ctrl);
        EXPECT_TRUE(h.what_ifs().empty()) << "one change";
    }
}

TEST(Answers, WithOneSwitchOnOfferTheOtherOne) {
    Harness h(Harness::with_image("cat"), {1920, 1080});
    go_to(h, "position_embedding");
    switch_on(h, {shuffle_tokens()});
    h.press(Key::a);
    EXPECT_NE(h.item("answer.switch_on").text.find("positions"), std::string::npos) << h.item("answer.switch_on").text;
    h.tap("answer.switch_on");
    EXPECT_EQ(h.what_ifs(), (WhatIfs{shuffle_tokens(), remove_positions()}));
}

}  // namespace
}  // namespace vitrine
