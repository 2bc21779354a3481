#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/words_beside.h"
#include "core/files/image.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/forward.h"
#include "core/words/nearness.h"
#include "core/words/text_tower.h"
#include "tests/golden_files.h"
#include "tests/ui/harness.h"

// The chapter "Two towers". Towers, cosines and losses against PyTorch: tests/test_words.cpp.

namespace vitrine {
namespace {

Opening with_towers(const std::string& kind) {
    Opening state = Harness::with_image("cat");
    state.experiment.model = {golden_folder / "words" / kind, {}};
    return state;
}

void go_to_towers(Harness& h) {
    go_to(h, "two_towers");
    h.settle();
}

const WordsBeside& beside(const Harness& h) { return *h.result().words; }

void set_temperature(Harness& h, int power) {
    h.change().focus().dials.temperature = power;
    h.settle();
}

std::string text_id(std::size_t i) { return "two_towers.text." + std::to_string(i); }

/// The features of an image, as a pass that keeps everything gives them.
Tensor2 features_of_sample(const Model& model, const std::string& sample) {
    const auto image = open_image(with_set({sample, {}}, pictures_of(model).scenes));
    const Trace trace = forward(model, preprocess(image->full, model.preprocessing, model.config).pixels);
    return features_of_image(model, *trace.head);
}

TEST(TwoTowers, ShowTheRunsOwnNumbers) {
    for (const std::string kind : {"clip", "siglip"}) {
        Harness h(with_towers(kind));
        EXPECT_FALSE(h.result().words) << "nothing is compared before the chapter is open";
        go_to_towers(h);
        const WordsBeside& w = beside(h);
        ASSERT_EQ(w.refused, "");
        ASSERT_EQ(w.texts.size(), 3U);
        const Model model = load_model(golden_folder / "words" / kind);
        const TextTower tower = open_text_tower(model);
        const Tensor2 texts = features_of_texts(tower, w.texts);
        const Tensor2 cosine = cosines_between(features_of_sample(model, "cat"), texts);
        const std::vector<float> cosines(cosine.begin(), cosine.end());
        const std::vector<float> p = probabilities_of(logits_of(cosines, scale_of(tower)), scale_of(tower));
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(h.item(text_id(i)).value, static_cast<double>(p[i]), 1e-5) << kind;
            EXPECT_EQ(h.item(text_id(i)).text, w.texts[i]);
        }
        const WordsBatch& batch = *w.batch;
        ASSERT_EQ(batch.names.size(), 6U);
        Tensor2 images = tensor2(6, texts.shape()[1]);
        for (std::size_t i = 0; i < 6; ++i) std::ranges::copy(features_of_sample(model, batch.names[i]), &images(i, 0));
        const Contrast expected =
            contrast_of(cosines_between(images, features_of_texts(tower, batch.names)), scale_of(tower));
        EXPECT_NEAR(h.item("two_towers.loss").value, expected.loss, 1e-5) << kind;
        EXPECT_EQ(h.shows("two_towers.by_text"), kind == "clip") << "SigLIP has no softmax over the images";
        EXPECT_EQ(h.shows("two_towers.sigmoid"), kind == "siglip");
        EXPECT_EQ(h.item("two_towers.text_tower").value, 2);
        EXPECT_EQ(h.item("stage.hint").text, h.app->text()("step.two_towers.hint"));
    }
}

TEST(TwoTowers, TheOrderOfTheTextsStaysAtEveryTemperature) {
    for (const std::string kind : {"clip", "siglip"}) {
        Harness h(with_towers(kind));
        go_to_towers(h);
        const WordsBeside& w = beside(h);
        ASSERT_EQ(w.probability.size(), static_cast<std::size_t>(temperature_count));
        for (const std::vector<float>& p : w.probability)
            for (std::size_t i = 0; i < p.size(); ++i)
                for (std::size_t j = 0; j < p.size(); ++j)
                    EXPECT_TRUE(w.cosine[i] <= w.cosine[j] || p[i] >= p[j]) << kind;
        const auto spread = [&](int power) {
            const auto [least, most] = std::ranges::minmax(w.probability[place_of_temperature(power)]);
            return most - least;
        };
        if (kind == "clip") {
            EXPECT_GT(spread(coldest), spread(0)) << "a small τ makes the softmax sure";
            EXPECT_LT(spread(hottest), spread(0)) << "a large one evens it out";
        }
    }
}

TEST(TwoTowers, TheSliderChangesProbabilitiesAndLossWithoutAPass) {
    Harness h(with_towers("clip"));
    go_to_towers(h);
    const int broken = NoPassHere::broken();
    const std::shared_ptr<const WordsBeside> words = h.result().words;
    for (const int power : {coldest, 3, hottest}) {
        set_temperature(h, power);
        EXPECT_EQ(h.result().words, words) << "all temperatures are there";
        EXPECT_EQ(h.item("two_towers.loss").value, words->contrast_at(power).loss);
        EXPECT_EQ(h.item(text_id(1)).value, static_cast<double>(words->probability[place_of_temperature(power)][1]));
    }
    EXPECT_EQ(NoPassHere::broken(), broken);
    set_temperature(h, 0);
    h.hover("two_towers.by_image");
    EXPECT_TRUE(h.shows("two_towers.by_image.value")) << "a cell tells its pair";
    h.tap("two_towers.temperature");
    EXPECT_NE(h.focus().dials.temperature, 0) << "the slider's middle is another temperature";
}

TEST(TwoTowers, TheAnswerIsTheTemperatureOfTheLeastLoss) {
    for (const std::string kind : {"clip", "siglip"}) {
        Harness h(with_towers(kind));
        go_to_towers(h);
        const WordsBeside& w = beside(h);
        int best = coldest;
        for (int power = coldest; power <= hottest; ++power)
            if (w.contrast_at(power).loss < w.contrast_at(best).loss) best = power;
        EXPECT_EQ(w.best_temperature(), best);
        set_temperature(h, best == hottest ? coldest : best + 1);
        EXPECT_EQ(h.item("question").value, 0);
        set_temperature(h, best);
        EXPECT_EQ(h.item("question").value, 1) << kind;
        h.door().state.answer_shown = true;
        h.frame(3);
        const std::string answer = h.item("answer").text;
        EXPECT_NE(answer.find(number_text(w.contrast_at(best).loss)), std::string::npos) << answer;
        EXPECT_NE(answer.find(number_text(w.contrast_at(0).loss)), std::string::npos) << answer;
    }
}

TEST(TwoTowers, OtherTextsAndWhatIfsShareTheTowerAndTheBatch) {
    Harness h(with_towers("clip"));
    go_to_towers(h);
    const std::shared_ptr<const WordsBeside> before = h.result().words;
    h.change().focus().lab.texts = "a dog\ntwo boats";
    h.settle();
    EXPECT_EQ(beside(h).texts, (std::vector<std::string>{"a dog", "two boats"}));
    EXPECT_EQ(beside(h).tower, before->tower);
    EXPECT_EQ(beside(h).batch, before->batch);
    EXPECT_FALSE(h.shows(text_id(2)));
    const std::vector<float> plain = beside(h).cosine;
    h.change()->what_ifs = {remove_mlp(1)};
    h.settle();
    EXPECT_NE(beside(h).cosine, plain) << "a what-if moves the image";
    EXPECT_EQ(beside(h).batch, before->batch) << "and no image of the batch";
    h.change().focus().lab.texts = " \n";
    h.settle();
    EXPECT_TRUE(h.shows("two_towers.loss")) << "without a text there is still the batch";
}

TEST(TwoTowers, AModelWithoutATextTowerSaysSoAndLeadsToModelsThatHaveOne) {
    {
        Harness h;
        go_to_towers(h);
        EXPECT_EQ(h.item("two_towers.none").text, h.app->text()("two_towers.none"));
        EXPECT_FALSE(h.shows("two_towers.loss"));
        EXPECT_FALSE(h.shows("stage.hint")) << "there is nothing to move";
        EXPECT_EQ(h.item("question").value, 0);
        EXPECT_EQ(h.item("question").text, h.app->text()("step.two_towers.question.no_tower"));
        h.press(Key::a);
        EXPECT_EQ(h.item("answer").text, h.app->text()("step.two_towers.answer.no_tower"));
        for (const double tau : {0.1, 0.01}) {  // what that answer says
            const double first = 1 / (1 + std::exp((0.2 - 0.3) / tau));
            const std::string told = tau > 0.05 ? percent_text(first) : "99.995 %";
            EXPECT_NEAR(first, std::stod(told) / 100, 5e-4);
            EXPECT_NE(h.item("answer").text.find(told.substr(0, told.find(' '))), std::string::npos) << told;
        }
        for (const char* const absent : {"The list has", "the batch below", "slider"})
            for (const Probe::Words& drawn : h.app->probe().words())
                EXPECT_EQ(drawn.text.find(absent), std::string::npos) << drawn.text;
        h.tap("two_towers.get_model");
        EXPECT_EQ(h.app->state().dialog, "get_model");
    }
    Opening state = Harness::with_image("cat");
    state.experiment.model = {golden_folder / "families/hf_clip_vision", {}};
    Harness h(std::move(state));
    go_to_towers(h);
    EXPECT_TRUE(h.shows("two_towers.none"));
    EXPECT_NE(beside(h).refused.find("has no text tower"), std::string::npos) << beside(h).refused;
}

TEST(TwoTowers, AreReadableInEveryLanguage) {
    for (const std::string kind : {"clip", "siglip"})
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
            Harness h(with_towers(kind), size);
            for (const std::string& language : language_codes()) {
                h.change()->settings.language = language;
                go_to_towers(h);
                h.expect_readable(kind + " in " + language);
                for (const char* const part : {"two_towers.loss", "two_towers.logits", "two_towers.curves"})
                    EXPECT_TRUE(h.item(part).visible) << part << " in " << language;
            }
        }
}

}  // namespace
}  // namespace vitrine
