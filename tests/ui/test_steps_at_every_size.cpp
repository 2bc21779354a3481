#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/rooms/figures/change_figure.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "core/vit/what_ifs.h"
#include "tests/test_folder.h"
#include "tests/ui/written.h"

// What chapters and what-ifs tell in windows of every size.

namespace vitrine {
namespace {

TEST(WhatIfs, TellTheirEffectInLettersAsLargeAsTheProbability) {
    constexpr float rounding = 0.1F;  // px
    for (const ImVec2 size : {small_window, large_window}) {
        Harness h(Harness::with_image("cat"), size);
        open_changes(h);
        h.change()->what_ifs = {remove_positions()};
        for (const char* const step : {"prediction", "explanation", "attention"}) {
            go_to(h, step);
            const float probability = height_of(h, percent_text(h.item("top.0").value)) - rounding;
            ASSERT_GT(probability, 5);
            for (const char* const number : {"change.logit", "change.margin", "change.loss"})
                EXPECT_GE(height_of(h, h.item(number).text), probability) << number << " in " << step;
            h.expect_readable(step);
        }
        go_to(h, "prediction");
        EXPECT_GE(height_of(h, h.item("prediction.change.loss").text), height_of(h, "cat") * 0.9F);
        EXPECT_FALSE(h.shows("prediction.change.probability")) << "its bar tells it";
        go_to(h, "explanation");
        EXPECT_EQ(h.shows("explanation.effect.probability"), size.x == large_window.x)
            << "there is no bar; beside small maps the panel alone tells it";
    }
}

TEST(WhatIfs, ThatLeaveTheModelSureSaySoAndOfferAnotherPictureBelowTheEffect) {
    Harness h(Harness::with_image("cat"), small_window);
    open_changes(h);
    const AnswerChange before_and_after{0, 0, {.probability = 0.9995}, {.probability = 0.9990}};
    EXPECT_TRUE(is_still_sure(before_and_after));
    EXPECT_FALSE(is_still_sure({0, 0, {.probability = 0.9995}, {.probability = 0.95}}));
    EXPECT_FALSE(is_still_sure({0, 0, {.probability = 0.5}, {.probability = 0.5}})) << "it was in doubt";
    const std::string sure = h.app->text()("change.still_sure", {{"class", "cat"}});
    int told = 0;
    for (const Intervention& what_if : {remove_mlp(1), remove_mlp(2), remove_positions(), remove_head(1, 0)}) {
        h.change()->what_ifs = {what_if};
        h.settle();
        const bool still = is_still_sure(*change_of(h.result()));
        EXPECT_EQ(h.item("change.title").text == sure, still);
        told += still;
        if (!h.shows("edge.try")) continue;
        const float under = h.item("edge.try").rect.y0 - h.item("change.margin_is").rect.y1;
        EXPECT_GE(under, 0) << "it stands below the effect";
        EXPECT_LT(under, 24) << "right below it";
    }
    EXPECT_GT(told, 0) << "none of them leaves the model sure";
    h.tap("edge.try");
    EXPECT_NE(h.app->workspace().experiment.image.sample, "cat");
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.app->workspace().experiment.image.sample, "cat") << "one undo leads back";
}

TEST(ClassToken, HasNoPatchAndThePictureOfOneSaysSo) {
    Harness h;
    go_to(h, "patch_embedding");
    h.change().focus().token = 0;
    h.settle();
    const std::string told = h.item("embedding.token").text;
    EXPECT_EQ(told, h.app->text()("embedding.instead", {{"patch", "patch 1"}, {"token", "CLS"}}));
    EXPECT_TRUE(is_written(h, told));
    EXPECT_EQ(h.item("fact.0").text, "token = patch 1") << "the numbers are of what is drawn";
    h.change().focus().token = 5;
    h.settle();
    EXPECT_EQ(h.item("embedding.token").text.find("CLS"), std::string::npos);
}

TEST(Map, ShowsTheWholePartThatIsLitInEveryLanguage) {
    for (const std::string& language : language_codes()) {
        Opening state = Harness::with_image("cat");
        state.state.settings.language = language;
        Harness h(std::move(state), small_window);
        for (const char* const step : {"explanation", "models", "image", "learning"}) {
            go_to(h, step);
            const Probe::Item& node = h.item(std::string("map.") + step);
            EXPECT_TRUE(node.visible) << step << " in " << language;
            EXPECT_GE(node.rect.height(), 18) << step << " is cut in " << language;
        }
    }
}

TEST(PatchesStep, AsksForAPatchWithinTheFrame) {
    for (const std::string& language : language_codes()) {
        Opening state = Harness::with_image("cat");
        state.state.settings.language = language;
        Harness h(std::move(state), small_window);
        go_to(h, "patches");
        h.change().focus().token = 0;
        h.settle();
        const Probe::Item frame = h.item("patches.point");
        std::size_t lines = 0;
        for (const Probe::Words& drawn : h.app->probe().words()) {
            if (frame.text.find(drawn.text) == std::string::npos || !drawn.rect.overlaps(frame.rect)) continue;
            ++lines;
            EXPECT_GE(drawn.rect.x0, frame.rect.x0) << language;
            EXPECT_LE(drawn.rect.x1, frame.rect.x1) << language;
        }
        EXPECT_GE(lines, 1U) << language;
    }
}

TEST(PositionStep, KeepsItsScaleClearOfTheVectorsBelow) {
    for (const ImVec2 size : {small_window, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "position_embedding");
        const float title = h.item("position.sum").rect.y0 - 0.022F * size.y;  // a line above the bars
        EXPECT_GT(title - h.item("position.range").rect.y1, 4) << size.x;
    }
}

TEST(ClassToken, HasAPositionOfItsOwnAndTheMapIsOfThat) {
    Harness h;
    go_to(h, "position_embedding");
    for (const int token : {0, 7}) {
        h.change().focus().token = token;
        h.settle();
        const Parameter& positions = h.result().model->weights.position;
        const std::size_t d = positions.shape()[1];
        float nearest = -1;
        for (std::size_t patch = 1; patch < positions.shape()[0]; ++patch)
            nearest = std::max(nearest,
                               cosine({&positions(static_cast<std::size_t>(token), 0), d}, {&positions(patch, 0), d}));
        EXPECT_NEAR(h.item("position.of").value, static_cast<double>(nearest), 1e-5);
        EXPECT_NE(h.item("position.of").text.find(token == 0 ? "CLS" : "patch 7"), std::string::npos);
    }
    EXPECT_EQ(h.item("fact.0").text, "token = patch 7");
}

TEST(AttentionMaps, SayWhoLooksInTheSameWordsInEveryWindow) {
    for (const ImVec2 size : {small_window, ImVec2{1024, 640}, large_window}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "attention");
        h.change().focus().token = 60;
        h.settle();
        const std::string whole = h.app->text()("matrix.looked", {{"token", "patch 60"}});
        const auto& words = h.app->probe().words();
        const auto is_title = [&](const Probe::Words& drawn) {
            return drawn.text == h.app->text()("matrix.of_head", {{"head", "1"}, {"words", whole}}) ||
                   drawn.text == h.app->text()("matrix.of_head_short", {{"head", "1"}, {"words", whole}});
        };
        EXPECT_TRUE(std::any_of(words.begin(), words.end(), is_title)) << whole << " of which head, at " << size.x;
        h.expect_readable("attention at " + std::to_string(static_cast<int>(size.x)));
    }
}

TEST(AttentionMaps, NameTheHeadInOneFormInBothTitles) {
    for (const ImVec2 size : {small_window, ImVec2{1600, 900}, large_window})
        for (const std::string& language : language_codes()) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            Harness h(std::move(state), size);
            go_to(h, "attention");
            for (const int token : {0, 60}) {
                h.change().focus().token = token;
                h.settle();
                int whole = 0, shorter = 0;
                for (const Probe::Words& drawn : h.app->probe().words()) {
                    whole += drawn.text.starts_with(h.app->text()("matrix.of_head", {{"head", "1"}, {"words", ""}}));
                    shorter +=
                        drawn.text.starts_with(h.app->text()("matrix.of_head_short", {{"head", "1"}, {"words", ""}}));
                }
                EXPECT_GE(whole + shorter, size.x > small_window.x ? 2 : 1);  // a small window has one of both maps
                EXPECT_TRUE(whole == 0 || shorter == 0)
                    << whole << " and " << shorter << " at " << size.x << " in " << language;
            }
        }
}

TEST(ModelsStep, CallsWeightsByOneWord) {
    for (const ImVec2 size : {small_window, large_window}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "models");
        bool counted = false;
        for (const Probe::Words& drawn : h.app->probe().words()) {
            if (!h.item("stage").rect.contains(drawn.rect.centre())) continue;
            EXPECT_EQ(drawn.text.find("arameters"), std::string::npos) << drawn.text;
            counted |= drawn.text.find(" weights · ") != std::string::npos;
        }
        EXPECT_TRUE(counted);
    }
}

TEST(AttentionMaps, TurnRoundWithoutMovingTheSwitchThatDoesIt) {
    for (const ImVec2 size : {small_window, large_window})
        for (const std::string& language : language_codes()) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            Harness h(std::move(state), size);
            go_to(h, "attention");
            const Rect before = h.item("attention.looked_at").rect;
            h.tap("attention.looked_at");
            EXPECT_TRUE(h.focus().looked_at);
            EXPECT_EQ(h.item("attention.looked_at").rect.y0, before.y0) << language << " at " << size.x;
            EXPECT_EQ(h.item("attention.looked_at").rect.x0, before.x0) << language << " at " << size.x;
        }
}

TEST(AttentionMaps, ThatAreDarkTellTheirLargestWeightAndWhatHelps) {
    Opening state = Harness::with_image("cat");
    state.experiment.model = {};
    Harness h(std::move(state), small_window);
    go_to(h, "attention");
    h.tap("scope.block");
    int dark = 0;
    for (const auto& [id, item] : h.app->probe().items())
        if (id.starts_with("attention.largest.")) {
            ++dark;
            EXPECT_LT(item.value, 0.2 * h.item("attention.scale").value) << id;
            EXPECT_TRUE(item.visible);
        }
    ASSERT_GT(dark, 0) << "no map of this picture is dark";
    EXPECT_NE(h.item("attention.dark").text.find(h.app->text()("scope.head_short")), std::string::npos);
    h.expect_readable("dark maps");
    h.tap("scope.head");
    EXPECT_FALSE(h.shows("attention.dark"));
    for (int head = 0; head < h.result().model->config.heads; ++head) {
        const std::string number = std::to_string(head);
        if (!h.shows("attention.largest." + number)) continue;  // too narrow for all of them
        const Rect told = h.item("attention.largest." + number).rect, map = h.item("attention.most." + number).rect;
        EXPECT_EQ(h.item("attention.largest." + number).value, h.item("attention.most." + number).value);
        EXPECT_GE(told.y0, map.y1) << "below the map of head " << head;
        EXPECT_NEAR(told.x1, map.x1, 1) << head;
    }
    EXPECT_TRUE(h.shows("attention.own"));
    h.expect_readable("weak maps");
    h.press(Key::enter);
    ASSERT_TRUE(h.focus().solo);
    EXPECT_FALSE(h.shows("attention.largest.0")) << "the colour bar says it";
}

TEST(AttentionMaps, WithRangesOfTheirOwnAllTellTheirLargestWeightOrNone) {
    for (const std::string& language : language_codes())
        for (const ImVec2 size : {small_window, large_window}) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            state.experiment.model = {};
            Harness h(std::move(state), size);
            go_to(h, "attention");
            h.tap("scope.head");
            int told = 0;
            for (const auto& [id, item] : h.app->probe().items()) told += id.starts_with("attention.largest.");
            const int heads = h.result().model->config.heads;
            EXPECT_TRUE(told == heads || (told == 0 && size.x < large_window.x)) << told << " in " << language;
            h.expect_readable("largest weights in " + language);
            if (told == 0) continue;
            h.hover("attention.largest.1");
            EXPECT_NE(h.item("readout").text.find(number_text(h.item("attention.largest.1").value)), std::string::npos)
                << h.item("readout").text;
        }
}

TEST(AttentionMaps, ThatAreDarkTellTheirLargestWeightBesideTheChosenPatch) {
    Opening state = Harness::with_image("cat");
    state.experiment.what_ifs = {remove_positions()};
    Harness h(std::move(state), small_window);
    go_to(h, "attention");
    h.tap("scope.block");
    const Config& c = h.result().model->config;
    const int last = c.grid_height() - 1;
    int seen = 0;
    for (int i = 0; i < 3 * c.blocks; ++i) {
        const int row = i % 3 == 0 ? 0 : last, column = i % 3 == 1 ? c.grid_width() - 1 : 0;
        h.change().focus().block = 1 + i / 3;
        h.change().focus().token = c.token_of(row * c.grid_width() + column);
        h.settle();
        for (int head = 0; head < c.heads; ++head) {
            const std::string id = "attention.largest." + std::to_string(head);
            if (!h.shows(id)) continue;
            const Rect map = h.item("attention.most." + std::to_string(head)).rect;
            const float wide = map.width() / static_cast<float>(c.grid_width()),
                        high = map.height() / static_cast<float>(c.grid_height());
            const float x = map.x0 + wide * static_cast<float>(column), y = map.y0 + high * static_cast<float>(row);
            ++seen;
            EXPECT_FALSE(h.item(id).rect.overlaps({x + 1, y + 1, x + wide - 1, y + high - 1})) << id;
        }
    }
    EXPECT_GT(seen, 0) << "no map is dark";
}

/// "at most 5.71 × 10⁻⁴" is wider than a map of a small window; then a sign stands for the words.
TEST(AttentionMaps, ThatAreDarkTellTheirLargestWeightHoweverLongItIs) {
    for (const std::string& language : language_codes()) {
        Opening state = Harness::with_image("cat");
        state.state.settings.language = language;
        state.experiment.what_ifs = {remove_positions()};
        Harness h(std::move(state), small_window);
        go_to(h, "attention");
        h.tap("scope.block");
        const double end = h.item("attention.scale").value;
        for (int head = 0; head < h.result().model->config.heads; ++head) {
            const std::string number = std::to_string(head);
            // A colour by the square root reaches 0.4 of the scale at 0.16 of its end.
            EXPECT_EQ(h.shows("attention.largest." + number), h.item("attention.most." + number).value < 0.16 * end)
                << "head " << head << " in " << language;
        }
        h.expect_readable("dark maps in " + language);
    }
}

TEST(LayerNormStep, CallsWhatItTakesByOneLetterInEquationPictureAndNumbers) {
    for (const std::string& language : language_codes()) {
        Opening state = Harness::with_image("cat");
        state.state.settings.language = language;
        Harness h(std::move(state));
        go_to(h, "layer_norm");
        const auto before = [&](const std::string& input) {
            return h.app->text()("norm.before", {{"input", input}, {"token", "CLS"}});
        };
        EXPECT_TRUE(is_written(h, before("z"))) << language;
        EXPECT_NE(h.app->text()("step.layer_norm.equation").find("LN(z)ᵢ = γᵢ (zᵢ − μ)"), std::string::npos);
        EXPECT_EQ(h.item("fact.1").text.substr(0, 7), "‖z‖") << language;
        h.change().focus().half = Half::mlp;
        h.settle();
        EXPECT_TRUE(is_written(h, before("z′"))) << language;
    }
}

}  // namespace
}  // namespace vitrine
