#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "app/chapters/step.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/rooms/figures/change_figure.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "core/measures/weight_agreement.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/forward.h"
#include "core/vit/readout.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

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
                h.change()->settings.language = language;
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

TEST(LossStep, ListsAllClassesAndScrollsToTheChosenOne) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "loss");
        const int count = h.result().model->config.classes;
        EXPECT_EQ(h.item("loss.classes").text, std::to_string(count) + " classes");
        for (int i = 0; i < count; ++i) {
            h.tap("loss.next");
            h.frame(3);
            const std::string row = "loss.class." + std::to_string(h.focus().dials.true_class.value_or(-1));
            EXPECT_TRUE(h.shows(row) && h.item(row).visible) << row << " at " << size.x;
        }
        h.expect_readable("the list of classes");
    }
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
    const std::string off = ".off." + std::to_string(h.what_ifs().front().where.token.value_or(-1));
    EXPECT_TRUE(h.shows("explanation.weights" + off) && h.shows("explanation.moved" + off)) << off;
}

TEST(ExplanationStep, SaysHowMarginAndProbabilityCanMoveInOppositeDirectionsWhereTheyDo) {
    const TestFolder folder;
    int apart = 0, together = 0;
    for (const unsigned side : {4U, 16U, 64U}) {  // of noise, about which the model is in doubt
        unsigned state = side;
        std::string pixels;
        for (unsigned i = 0; i < 3 * side * side; ++i) {
            state = state * 1664525U + 1013904223U;
            pixels += static_cast<char>(state >> 24);
        }
        const std::string size = std::to_string(side);
        const fs::path file = folder / (size + ".ppm");
        std::ofstream(file, std::ios::binary) << "P6 " << size << " " << size << " 255\n" << pixels;
        Harness h(Harness::with_image("cat"), {1280, 720});
        h.app->open({file});
        h.settle();
        go_to(h, "explanation");
        const Config c = h.result().model->config;
        for (int block = 1; block <= c.blocks; ++block)
            for (int head = 0; head < c.heads; ++head) {
                h.change().focus().block = block;
                h.change().focus().head = head;
                h.settle();
                ASSERT_TRUE(h.result().trial);
                const WeightTrial& trial = *h.result().trial;
                ASSERT_EQ(trial.map, map_of(h.focus()));
                const bool differ = std::ranges::any_of(
                    std::array{trial.without_bright, trial.without_dark}, [](const AnswerChange& change) {
                        return change.margin() * change.probability() < 0 &&
                               std::min(std::abs(change.margin()), std::abs(change.probability())) >= 5e-4;
                    });
                const std::string& told = h.item("explanation.verdict").text;
                EXPECT_EQ(told.find(h.app->text()("explanation.apart")) != std::string::npos, differ) << told;
                if (differ && apart == 0) h.expect_readable("margin against probability");
                (differ ? apart : together) += 1;
            }
    }
    EXPECT_GT(apart, 0);
    EXPECT_GT(together, 0);
}

TEST(ExplanationStep, SaysWhetherTheBrightestPatchMattersAndADarkOneBeside) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        h.change().focus().token = 9;
        h.settle();
        h.app->ask(command::GoToChapter{"explanation"});
        h.settle();
        h.frame(3);
        EXPECT_EQ(h.focus().token, 0) << "the class token is what the head reads";
        const auto expect_told = [&] {
            ASSERT_TRUE(h.result().trial);
            const WeightTrial& trial = *h.result().trial;
            EXPECT_EQ(trial.map, map_of(h.focus()));
            const std::string& told = h.item("explanation.verdict").text;
            EXPECT_EQ(h.item("explanation.verdict").value, trial.without_bright.margin());
            for (const AnswerChange& change : {trial.without_bright, trial.without_dark}) {
                const std::string points =
                    std::abs(change.probability()) < next_to_nothing
                        ? point_change_text(change.probability())
                        : share_change_text(change.before.probability, change.now.probability, "pp");
                EXPECT_NE(told.find(points), std::string::npos) << told;
                EXPECT_NE(told.find(number_text(change.now.margin)), std::string::npos) << told;
            }
            EXPECT_TRUE(h.item("explanation.verdict").visible);
            h.expect_readable("the verdict");
        };
        expect_told();
        const std::string first = h.item("explanation.agree").text;
        EXPECT_TRUE(first.starts_with(
            h.app->text()("explanation.agree_least", {{"block", std::to_string(h.focus().block)},
                                                      {"head", std::to_string(h.focus().head + 1)},
                                                      {"token", "CLS"},
                                                      {"value", number_text(h.item("explanation.agree").value)}})))
            << first;
        h.change().focus().head = (h.focus().head + 1) % h.result().model->config.heads;
        h.settle();
        h.frame(3);
        expect_told();
        EXPECT_NE(h.item("explanation.agree").text.find(std::to_string(h.focus().head + 1)), std::string::npos);
        go_to(h, "attention");
    }
}

TEST(ExplanationStep, ShowsTheDropInTheMarginWithoutEachPatch) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "explanation");
    ASSERT_TRUE(h.result().trial && h.result().trial->drops);
    const auto drops = h.result().trial->drops;
    EXPECT_TRUE(h.shows("explanation.drops"));
    const std::string& told = h.item("explanation.agree").text;
    const double rank = rank_of_drops(*h.result().trial, h.result().model->config, h.result().baseline);
    EXPECT_NE(told.find(number_text(rank)), std::string::npos) << told;

    h.change().focus().head = (h.focus().head + 1) % h.result().model->config.heads;
    h.settle();
    h.frame(3);
    EXPECT_EQ(h.result().trial->drops, drops) << "they are those of every head: not computed again";
    const int token = h.result().trial->bright;
    h.tap("explanation.remove");
    const double of_unchanged = rank_of_drops(*h.result().trial, h.result().model->config, h.result().baseline);
    const std::string changed =
        h.app->text()("explanation.drops_agree_unchanged", {{"value", number_text(of_unchanged)}});
    EXPECT_NE(h.item("explanation.agree").text.find(changed), std::string::npos) << h.item("explanation.agree").text;
    const double change = -change_of(h.result())->margin();
    EXPECT_NEAR((*drops)[static_cast<std::size_t>(token)], change, 1e-4);
}

TEST(ExplanationStep, SaysThatItMeasuresWhereANumberIsNotThereYet) {
    Harness h(Harness::with_image("cat"));
    const std::string& measuring = h.app->text()("explanation.drops_measuring");
    h.app->ask(command::GoToChapter{"explanation"});
    for (int i = 0; i < 20; ++i) {
        h.frame();
        if (!h.shows("explanation.agree")) continue;
        const std::string& told = h.item("explanation.agree").text;
        EXPECT_TRUE(told.find("…") == std::string::npos || told.find(measuring) != std::string::npos) << told;
    }
    h.settle();
    EXPECT_EQ(h.item("explanation.agree").text.find(measuring), std::string::npos);
}

TEST(ExplanationStep, GivesTheReadersOwnQueryBackOnLeaving) {
    Harness h;
    h.change().focus().token = 9;
    h.settle();
    h.app->ask(command::GoToChapter{"explanation"});
    h.settle();
    EXPECT_EQ(h.focus().token, 0);
    h.app->ask(command::GoToChapter{"attention"});
    h.settle();
    EXPECT_EQ(h.focus().token, 9);
}

TEST(ExplanationStep, GivesTheReadersOwnHeadBackAfterAClickOnAPatch) {
    Harness h(Harness::with_image("cat"));
    h.change().focus().block = 3;
    h.change().focus().head = 2;
    h.settle();
    const Focus before = h.focus();
    h.app->ask(command::GoToChapter{"explanation"});
    h.settle();
    ASSERT_NE(map_of(h.focus()).at, map_of(before).at);
    h.tap("explanation.weights");
    ASSERT_NE(h.focus().token, before.token) << "a patch was chosen";
    const int chosen = h.focus().token;
    h.app->ask(command::GoToChapter{"models"});
    h.settle();
    EXPECT_EQ(map_of(h.focus()), (PlacedMap{map_of(before).at, chosen})) << "what was chosen stays, the rest returns";
}

TEST(ExplanationStep, OpensOnTheHeadWhoseWeightsAndWhatTheyMoveAgreeLeast) {
    for (const char* const sample : {"cat", "tree", "sun"}) {
        Harness h(Harness::with_image(sample));
        const Trace& run = h.result().baseline;
        double least = 2;
        int block = 0, head = 0;
        for (int l = 1; l <= run.blocks(); ++l)
            for (int i = 0; i < h.result().model->config.heads; ++i) {
                const double agreement = rank_correlation(attention_row(*run.block(l), i, h.focus().token),
                                                          value_weighted_norms(*run.block(l), i, h.focus().token));
                if (agreement < least) least = agreement, block = l, head = i;
            }
        h.app->ask(command::GoToChapter{"explanation"});
        h.settle();
        h.frame(3);
        EXPECT_EQ(h.focus().block, block) << sample;
        EXPECT_EQ(h.focus().head, head) << sample;
        EXPECT_NEAR(h.item("explanation.agree").value, least, 1e-6);
        h.change().focus().head = (head + 1) % h.result().model->config.heads;
        h.frame(3);
        EXPECT_NE(h.focus().head, head) << "and stays where the user looks";
    }
}

TEST(ExplanationStep, InTheHeadThatIsShownFirstAnotherPatchIsBrightestOnMostSamples) {
    const auto model = open_model(source_of(bundled_model("model")));
    const Config& c = model->config;
    int others = 0;
    for (int i = 0; i < c.classes; ++i) {
        const DrawnPicture picture = draw_picture(*sample_request(c.label(i), Scenes::picturebook));
        const Trace run = forward(*model, preprocess(picture.image, model->preprocessing, c).pixels);
        const int query = read_tokens(c).first;
        const PlacedHead least = least_agreeing_head(run, query);
        const auto block = run.block(least.block);
        const auto brightest = [&](const auto& map) { return largest(c.patches_of(map), 1); };
        if (brightest(attention_row(*block, least.head, query)) !=
            brightest(value_weighted_norms(*block, least.head, query)))
            ++others;
    }
    EXPECT_GT(2 * others, c.classes) << others;
}

TEST(DepthStep, PlotsWhatItsQuestionAsksFor) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "depth");
        const Config& c = h.result().model->config;
        const int block = c.blocks - 1;
        h.change().focus().block = block;
        h.frame(3);
        const Tensor2& z = h.result().trace.z(block);
        const auto row = [&](int token) {
            return std::span<const float>{&z(static_cast<std::size_t>(token), 0), z.shape()[1]};
        };
        double mean = 0;
        for (int patch = 0; patch < c.patches(); ++patch)
            mean += static_cast<double>(cosine(row(0), row(c.token_of(patch)))) / c.patches();
        EXPECT_NEAR(h.item("depth.likeness").value, mean, 1e-5);
        EXPECT_NE(h.item("depth.likeness").text.find("CLS"), std::string::npos);
        h.expect_readable("the plots of depth");
    }
}

TEST(DepthStep, ShowsThatTokensBecomeOneWithoutSkipConnections) {
    Harness h;
    go_to(h, "depth");
    h.change().focus().block = 3;
    h.frame(3);
    const double with = h.item("depth.together").value;
    EXPECT_FALSE(h.shows("depth.legend.plain"));
    EXPECT_NEAR(with, mean_pair_cosine(h.result().trace.z(3)), 1e-9);
    h.change()->what_ifs = {without_skips()};
    h.settle();
    h.frame(3);
    EXPECT_GT(h.item("depth.together").value, 0.99);
    EXPECT_LT(with, 0.6);
    EXPECT_EQ(h.item("depth.legend.plain").text, h.app->text()("depth.as_it_is"));
    h.expect_readable("three lines");
}

TEST(ModelsStep, CountsTheOpenModelAsTheFileDoesAndTakesAShapeByClick) {
    Harness h;
    go_to(h, "models");
    EXPECT_EQ(h.item("models.open.parameters").value, static_cast<double>(h.result().model->weights.parameter_count()));
    h.tap("models.large");
    EXPECT_EQ(h.focus().dials.shape.width, 1024);
}

TEST(ModelsStep, BeginsWithTheOpenModelUntilAnotherShapeIsChosen) {
    Harness h;
    go_to(h, "models");
    EXPECT_EQ(h.item("models.chosen").text, "open") << "one row is highlighted, the open model's";
    EXPECT_NE(h.item("models.share").text.find(h.result().model->provenance.name), std::string::npos);
    EXPECT_NE(h.item("models.share").text.find("of the multiply-adds"), std::string::npos) << "it says of what";
    const auto answered = [&] { return h.item("question").value; };
    EXPECT_EQ(answered(), 0) << "its P is 8, and nobody has halved it";
    EXPECT_EQ(h.focus().dials.shape, Shape()) << "a lesson or a command line does not name what nobody chose";
    for (int Shape::*const other : {&Shape::width, &Shape::image, &Shape::blocks}) {
        Shape shape = shape_of(h.result().model->config);
        shape.*other *= 2;
        h.change().focus().dials.shape = shape;
        h.settle();
        EXPECT_EQ(answered(), 0) << "another slider does not answer it";
    }
    h.change().focus().dials.shape = Shape();
    h.settle();
    h.tap("models.base");
    h.frame(2);
    EXPECT_EQ(h.item("models.chosen").text, "base");
    EXPECT_EQ(h.item("models.share").text.rfind("ViT-Base/16", 0), 0U) << h.item("models.share").text;
    h.change().focus().dials.shape = Shape();
    h.frame(2);
    EXPECT_EQ(h.item("models.chosen").text, "open");
    h.carry_out(command::OpenModel{source_of(bundled_models()[1])});
    h.settle();
    EXPECT_EQ(h.item("models.chosen").text, "open") << "the bar follows the model";
    h.tap("models.large");
    h.frame(2);
    EXPECT_EQ(h.item("models.chosen").text, "large");
    EXPECT_EQ(h.item("models.share").text.rfind("ViT-Large/16", 0), 0U) << h.item("models.share").text;
    h.carry_out(command::OpenModel{source_of(bundled_models()[0])});
    h.settle();
    EXPECT_EQ(h.item("models.chosen").text, "large") << "what was chosen stays";
    h.change().focus().dials.shape.patch = 8;
    h.settle();
    EXPECT_EQ(answered(), 1);
}

}  // namespace
}  // namespace vitrine
