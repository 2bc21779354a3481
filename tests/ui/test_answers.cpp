#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/chapters/step.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/ui/widgets/number.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/training/gradient_flow.h"
#include "core/vit/forward.h"
#include "tests/ui/harness.h"

// What a chapter answers to its question is computed from the run that is shown: each number is worked out here once
// more, from the tensors of the trace alone.

namespace vitrine {
namespace {

using Numbers = std::vector<double>;

std::string answer_of(Harness& h, std::string_view id) {
    go_to(h, id);
    h.door().state.answer_shown = true;
    h.frame(3);
    return h.item("answer").text;
}

bool done(Harness& h) {
    h.settle();
    h.frame(3);
    return h.item("question").value == 1;
}

void expect_says(const std::string& answer, const std::string& words) {
    EXPECT_NE(answer.find(words), std::string::npos) << "'" << answer << "' does not say " << words;
}
/// Sums in another order may fall on the other side of where the last digit changes.
void expect_says(const std::string& answer, double number) {
    for (const double near : {number * (1 - 3e-4), number * (1 + 3e-4)})
        if (answer.find(number_text(near)) != std::string::npos) return;
    expect_says(answer, number_text(number));
}

void switch_on(Harness& h, const WhatIfs& what_ifs) {
    h.change()->what_ifs = what_ifs;
    h.settle();
    h.frame(3);
}

template <class Row>
Numbers numbers(const Row* row, std::size_t count) {
    return {row, row + count};
}
Numbers row(const Tensor2& t, std::size_t i) { return numbers(&t(i, 0), t.shape()[1]); }
double product_of(const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}
double cosine_of(const Numbers& a, const Numbers& b) {
    return product_of(a, b) / std::sqrt(product_of(a, a) * product_of(b, b));
}
int first_largest(const Numbers& a) { return static_cast<int>(std::max_element(a.begin(), a.end()) - a.begin()); }

TEST(Answers, ImageNamesTheLevelThatBecomesZeroAndAsksForAPixelOfIt) {
    Harness h;
    const std::string answer = answer_of(h, "image");
    expect_says(answer, 255.0 * static_cast<double>(h.result().model->preprocessing.mean[0]));
    const Tensor3& x = h.result().baseline.embedding->image;
    std::size_t nearest = 0, farthest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::abs(x.data()[i]) < std::abs(x.data()[nearest])) nearest = i;
        if (std::abs(x.data()[i]) > std::abs(x.data()[farthest])) farthest = i;
    }
    expect_says(answer, std::abs(static_cast<double>(x.data()[nearest])));
    const auto choose = [&](std::size_t i) {
        const std::size_t columns = x.shape()[2];
        h.change().focus().cell =
            Cell{Quantity::image, 0, 0, static_cast<int>(i / columns), static_cast<int>(i % columns)};
    };
    choose(farthest);
    EXPECT_FALSE(done(h)) << "a pixel far from 0";
    choose(nearest);
    EXPECT_TRUE(done(h));
}

TEST(Answers, PatchesAsksForTheEndOfARow) {
    Harness h;
    const Config& c = h.result().model->config;
    const int columns = c.image_width / c.patch_size, rows = c.image_height / c.patch_size;
    const std::string answer = answer_of(h, "patches");
    for (const int number : {columns, columns + 1}) expect_says(answer, "number " + std::to_string(number));
    expect_says(answer, std::to_string(columns) + " positions");
    for (const int token : {0, 1, columns - 1, columns + 1, rows * columns - 1, rows * columns}) {
        h.change().focus().token = token;
        EXPECT_FALSE(done(h)) << token;
    }
    h.change().focus().token = 3 * columns;
    EXPECT_TRUE(done(h)) << "the end of another row will do";
}

TEST(Answers, PatchEmbeddingFindsTheFilterThatAnswersMost) {
    Harness h;
    go_to(h, "patch_embedding");
    const Model& model = *h.result().model;
    const Config& c = model.config;
    h.change().focus().token = 20;
    const Tensor3& image = h.result().baseline.embedding->image;
    const int patch = 19, top = patch / c.grid_width() * c.patch_size, left = patch % c.grid_width() * c.patch_size;
    const LinearWeights& e = model.weights.patch_embedding;
    int best = 0;
    double most = 0, value = 0;
    for (int filter = 0; filter < c.embedding_dim; ++filter) {
        double sum = static_cast<double>(e.bias(static_cast<std::size_t>(filter)));
        std::size_t i = static_cast<std::size_t>(filter) * static_cast<std::size_t>(c.patch_dim());
        for (int channel = 0; channel < c.channels; ++channel)
            for (int y = 0; y < c.patch_size; ++y)
                for (int x = 0; x < c.patch_size; ++x)
                    sum +=
                        static_cast<double>(e.weight(i++)) *
                        static_cast<double>(image(static_cast<std::size_t>(channel), static_cast<std::size_t>(top + y),
                                                  static_cast<std::size_t>(left + x)));
        if (std::abs(sum) > most) most = std::abs(value = sum), best = filter;
    }
    const std::string answer = answer_of(h, "patch_embedding");
    expect_says(answer, "filter " + std::to_string(best + 1));
    expect_says(answer, value);
    h.change().focus().feature = (best + 1) % c.embedding_dim;
    EXPECT_FALSE(done(h));
    h.change().focus().feature = best;
    EXPECT_TRUE(done(h));
}

TEST(Answers, ClassTokenComparesTheClassTokensOfTwoPictures) {
    for (const char* const sample : {"cat", "house", "fish"}) {
        Harness h(Harness::with_image(sample));
        const Model& model = *h.result().model;
        const std::vector<std::string> names = sample_names({});
        const std::string other = names[sample == names[0] ? 1 : 0];
        const Trace trace = forward(
            model, preprocess(open_image({"pictograms:" + other, {}})->full, model.preprocessing, model.config).pixels);
        Numbers alike;
        for (int l = 0; l <= model.config.blocks; ++l)
            alike.push_back(cosine_of(row(h.result().trace.z(l), 0), row(trace.z(l), 0)));
        EXPECT_NEAR(alike[0], 1, 1e-6) << "both begin as the same vector";
        std::size_t best = 1;
        for (std::size_t l = 2; l < alike.size(); ++l)
            if (alike[l - 1] - alike[l] > alike[best - 1] - alike[best]) best = l;
        const std::string answer = answer_of(h, "class_token");
        expect_says(answer, "block " + std::to_string(best));
        expect_says(answer, alike[best - 1]);
        expect_says(answer, alike[best]);
        expect_says(answer, other);
        h.change().focus().block = best == 1 ? 2 : 1;
        EXPECT_FALSE(done(h));
        h.change().focus().block = static_cast<int>(best);
        EXPECT_TRUE(done(h));
    }
}

TEST(Answers, ClassTokensAreComparedWithTheSameWhatIfs) {
    Harness h;
    go_to(h, "class_token");
    switch_on(h, {remove_positions(), remove_mlp(1)});
    const Model& model = *h.result().model;
    const auto other = open_image({"pictograms:" + h.result().other->sample, {}});
    const Trace trace = forward(model, preprocess(other->full, model.preprocessing, model.config).pixels, {},
                                h.result().experiment.what_ifs);
    for (int level = 0; level <= model.config.blocks; ++level)
        EXPECT_EQ(row(h.result().other->read, static_cast<std::size_t>(level)), row(trace.z(level), 0));
    switch_on(h, {});
    EXPECT_NE(row(h.result().other->read, 1), row(trace.z(1), 0)) << "and without, once they are gone";
}

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

TEST(Answers, PositionsComparesThisPictureWithAndWithoutPlaceAndOrder) {
    Harness h;
    EXPECT_EQ(answer_of(h, "position_embedding").find('%'), std::string::npos) << "nothing was tried yet";
    switch_on(h, {remove_positions()});
    const Tensor2 in_order = h.result().trace.head->probabilities;
    EXPECT_FALSE(done(h)) << "half of what it asks";
    switch_on(h, {remove_positions(), shuffle_tokens()});
    EXPECT_TRUE(done(h));
    const Tensor2 &before = h.result().baseline.head->probabilities, &after = h.result().trace.head->probabilities;
    for (std::size_t i = 0; i < after.size(); ++i) EXPECT_NEAR(after(0, i), in_order(0, i), 1e-4) << "an unordered set";
    const int best = first_largest(row(before, 0));
    const std::string answer = answer_of(h, "position_embedding");
    expect_says(answer, probability_text(static_cast<double>(before(0, static_cast<std::size_t>(best)))));
    expect_says(answer, probability_text(static_cast<double>(after(0, static_cast<std::size_t>(best)))));
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

TEST(Answers, PredictionFindsTheHeadThatAddsMostAndSaysWhatIsLeftWithoutIt) {
    for (const char* const sample : {"cat", "house"}) {
        Harness h(Harness::with_image(sample));
        const Model& model = *h.result().model;
        const Trace& run = h.result().baseline;
        const auto block = run.block(4);
        const Parameter projection = model.weights.blocks[3].projection.weight.stored();
        const auto best = static_cast<std::size_t>(first_largest(row(run.head->logits, 0)));
        const Numbers z = row(run.z(4), 0);
        const double mean = [&] {
            double sum = 0;
            for (const double x : z) sum += x;
            return sum / 64;
        }();
        double variance = static_cast<double>(model.config.layer_norm_epsilon);
        for (const double x : z) variance += (x - mean) * (x - mean) / 64;
        Numbers adds;
        for (std::size_t head = 0; head < 4; ++head) {
            Numbers added(64, 0.0);
            for (std::size_t i = 0; i < 64; ++i)
                for (std::size_t j = 0; j < 16; ++j)
                    added[i] += static_cast<double>(projection(i * 64 + head * 16 + j)) *
                                static_cast<double>(block->heads(head, 0, j));
            double own = 0;
            for (const double x : added) own += x / 64;
            double logit = 0;
            for (std::size_t i = 0; i < 64; ++i)
                logit += static_cast<double>(model.weights.norm.gamma(i)) * (added[i] - own) / std::sqrt(variance) *
                         static_cast<double>(model.weights.classifier.weight(best * 64 + i));
            adds.push_back(logit);
        }
        const int head = first_largest(adds);
        EXPECT_EQ(answer_of(h, "prediction").find('%'), std::string::npos) << "nothing was tried yet";
        switch_on(h, {remove_head(4, (head + 1) % 4)});
        EXPECT_FALSE(done(h)) << "another head is no answer";
        switch_on(h, {remove_head(4, head)});
        EXPECT_TRUE(done(h));
        const std::string answer = answer_of(h, "prediction");
        expect_says(answer, "Head " + std::to_string(head + 1));
        expect_says(answer, adds[static_cast<std::size_t>(head)]);
        for (const Trace* const trace : {&h.result().baseline, &h.result().trace}) {
            Numbers logits = row(trace->head->logits, 0);
            const double own = logits[best];
            logits[best] = -1e30;
            expect_says(answer, own - logits[static_cast<std::size_t>(first_largest(logits))]);
            expect_says(answer, probability_text(static_cast<double>(trace->head->probabilities(0, best))));
        }
    }
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

TEST(Answers, LossFindsTheFirstClassThatSurprisesMoreThanAGuessWould) {
    for (const char* const sample : {"cat", "key"}) {
        Harness h(Harness::with_image(sample));
        go_to(h, "loss");
        const Numbers logits = row(h.result().trace.head->logits, 0);
        const double guess = std::log(static_cast<double>(logits.size()));
        double sum = 0;
        for (const double x : logits) sum += std::exp(x);
        Numbers losses;
        for (const double x : logits) losses.push_back(std::log(sum) - x);
        std::size_t first = losses.size();
        for (std::size_t i = 0; i < losses.size(); ++i)
            if (losses[i] > guess && (first == losses.size() || losses[i] < losses[first])) first = i;
        ASSERT_LT(first, losses.size());
        const auto beyond = std::ranges::count_if(losses, [&](double loss) { return loss > guess; });
        const std::string answer = answer_of(h, "loss");
        expect_says(answer, h.result().model->config.label(static_cast<int>(first)));
        expect_says(answer, losses[first]);
        expect_says(answer, guess);
        expect_says(answer, std::to_string(beyond) + " of the " + std::to_string(losses.size()));
        h.change().focus().dials.true_class = first_largest(losses);
        EXPECT_FALSE(done(h)) << "the least probable class";
        h.change().focus().dials.true_class = static_cast<int>(first);
        EXPECT_TRUE(done(h));
    }
}

TEST(Answers, LearningFindsThatSkipConnectionsAloneChangeTheGradientLeastOnEverySample) {
    for (const BundledModel& bundled : bundled_models()) {
        const PictureSet set = pictures_of(*open_model(source_of(bundled)));
        for (const std::string& sample : sample_names(set)) {
            SCOPED_TRACE(sample);
            const auto flows = gradient_flows(*open_image(with_set({sample, {}}, set.scenes))->display);
            const auto lost = [&](Wiring wiring) {
                const auto& norms = std::ranges::find(flows, wiring, &GradientFlow::wiring)->norms;
                return std::log10(norms.back() / norms.front());
            };
            for (const auto& [wiring, name] : wiring_names)
                EXPECT_TRUE(wiring == Wiring::no_norm || std::abs(lost(Wiring::no_norm)) < std::abs(lost(wiring)))
                    << name;
            EXPECT_GT(lost(Wiring::no_skips), 0) << "norms alone lose some of it";
            EXPECT_GT(lost(Wiring::neither), 20) << "and neither nearly all";
        }
    }
    Harness h;
    go_to(h, "learning");
    const std::string answer = answer_of(h, "learning");
    const auto& norms = std::ranges::find(*h.result().gradient_flows, Wiring::no_norm, &GradientFlow::wiring)->norms;
    expect_says(answer, h.app->text()("gradients.wiring.no_norm"));
    expect_says(answer, norms.back());
    expect_says(answer, norms.front());
    h.change().focus().dials.wiring = Wiring::neither;
    EXPECT_FALSE(done(h));
    h.change().focus().dials.wiring = Wiring::no_norm;
    EXPECT_TRUE(done(h));
}

TEST(Answers, WithoutNormsEveryBundledModelNamesOneClassForAllItsSamples) {
    for (const BundledModel& bundled : bundled_models()) {
        SCOPED_TRACE(bundled.name);
        const auto model = open_model(source_of(bundled));
        const PictureSet set = pictures_of(*model);
        std::set<int> named;
        for (const std::string& sample : sample_names(set)) {
            const auto image = open_image(with_set({sample, {}}, set.scenes));
            const std::vector<Intervention> off = {normalise(Norm::none)};
            const Trace run =
                forward(*model, preprocess(image->full, model->preprocessing, model->config).pixels, {}, off);
            named.insert(top_predictions(*run.head, 1).front().index);
        }
        EXPECT_EQ(named.size(), 1U);
    }
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

TEST(Answers, ExplanationTellsTheChangeThatTheBrightestPatchMakes) {
    Harness h;
    go_to(h, "explanation");
    const auto block = h.result().baseline.block(1);
    std::size_t patch = 1;
    for (std::size_t j = 2; j < 65; ++j)
        if (block->attention(0, 0, j) > block->attention(0, 0, patch)) patch = j;
    const float weight = block->attention(0, 0, patch);
    switch_on(h, {remove_token(static_cast<int>(patch))});
    EXPECT_TRUE(done(h));
    const Tensor2 &before = h.result().baseline.head->probabilities, &after = h.result().trace.head->probabilities;
    const auto best = static_cast<std::size_t>(first_largest(row(before, 0)));
    const std::string answer = answer_of(h, "explanation");
    expect_says(answer, "patch " + std::to_string(patch));
    expect_says(answer, percent_text(static_cast<double>(weight)));
    expect_says(answer,
                share_change_text(static_cast<double>(before(0, best)), static_cast<double>(after(0, best)), "pp"));
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
