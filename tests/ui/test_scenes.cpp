#include <algorithm>

#include "app/jobs/learning.h"
#include "app/library/library.h"
#include "app/sessions/session.h"
#include "app/ui/text.h"
#include "core/measures/analysis.h"
#include "core/training/runs/example_pictures.h"
#include "tests/book_model.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

Opening with_book(const PictureSet& set = {}) {
    Opening opening = Harness::with_image("cat");
    opening.experiment.model = {};
    opening.experiment.model.learned = std::make_shared<const Model>(book_model(set));
    return opening;
}

/// How many rows the finder offers for what is typed, and the first one's words.
std::pair<int, std::string> found(Harness& h, const std::string& typed) {
    h.press(Key::k, Key::ctrl);
    h.type(typed);
    int rows = 0;
    while (h.shows("find.row." + std::to_string(rows))) ++rows;
    std::pair<int, std::string> first{rows, rows > 0 ? h.item("find.row.0").text : ""};
    h.press(Key::escape);
    return first;
}

TEST(Scenes, TheGalleryShowsTheOpenModelsOwnPictures) {
    Harness h(with_book({.pairs = true}));
    EXPECT_EQ(h.result().image->source.sample, "picturebook:cat");
    h.press(Key::o);
    for (const std::string& name : picture_classes(true, Scenes::picturebook)) EXPECT_TRUE(h.shows("sample." + name));
    h.tap("sample.dog");
    EXPECT_EQ(h.item("top.image").text, "dog");
    EXPECT_EQ(h.result().image->source.sample, "picturebook:dog");

    Harness small;
    small.press(Key::o);
    EXPECT_TRUE(small.shows("sample.rocket"));
    EXPECT_FALSE(small.shows("sample.dog"));
}

TEST(Scenes, ThePictureFollowsWhenAModelOfAnotherSetIsOpened) {
    Harness h(with_book());
    h.app->ask(command::OpenModel{model_source("pictograms-small", {})});
    h.frame(2);
    h.settle();
    EXPECT_EQ(h.result().image->source.sample, "pictograms:cat");
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.result().image->source.sample, "picturebook:cat");
}

TEST(Scenes, BesideAnotherRunThePictureStaysWhenAModelOfAnotherSetIsOpened) {
    Harness h(with_book());
    h.carry_out(command::Do{"beside.open"});
    h.settle();
    h.app->ask(command::OpenModel{model_source("pictograms-small", {})});
    h.frame(2);
    h.settle();
    EXPECT_EQ(h.result().model->provenance.name, open_model(model_source("pictograms-small", {}))->provenance.name);
    EXPECT_EQ(h.result().image->source.sample, "picturebook:cat") << "one picture through both models";
}

TEST(Scenes, ANumberThatTheNextModelHasNotIsKeptNoMore) {
    Opening opening = Harness::with_image("cat");
    opening.experiment.model = {};
    Harness h(std::move(opening));
    const int last = h.result().model->config.image_width - 1;
    h.change().focus().cell = Cell{Quantity::image, 0, 0, 0, last};
    h.frame();
    ASSERT_TRUE(h.focus().cell) << "the open model has it";
    h.app->ask(command::OpenModel{model_source("pictograms-small", {})});
    h.frame(2);
    h.settle();
    ASSERT_LT(h.result().model->config.image_width, last);
    EXPECT_FALSE(h.focus().cell);
}

TEST(Scenes, TheFinderOffersTheModelsOwnPicturesInTheWindowsWords) {
    Harness h(with_book());
    EXPECT_EQ(found(h, "teapot").first, 1);
    Harness small;
    EXPECT_EQ(found(small, "teapot").first, 0);
    EXPECT_EQ(found(small, "rocket").second, "rocket");
}

TEST(Scenes, AnotherPictureIsDrawnFromTheModelsOwnSet) {
    Harness h(with_book());
    h.press(Key::d);
    EXPECT_EQ(h.result().image->source.sample, "picturebook:cat:1001:normal:512");
    h.press(Key::o);
    const double things = h.item("draw.class").value;
    EXPECT_EQ(things, 6) << "the cat's place";
    h.press(Key::escape);
    h.app->ask(command::ChooseDrawing{"dog:1:easy:64"});
    h.frame(2);
    h.press(Key::d);
    EXPECT_EQ(h.result().image->source.sample, "picturebook:dog:2:easy:64");
    h.app->ask(command::OpenModel{model_source("pictograms-small", {})});
    h.frame(2);
    h.settle();
    h.press(Key::d);
    EXPECT_EQ(h.result().image->source.sample, "pictograms:fish:3:easy:64") << "there is no dog among the pictograms";
}

TEST(Scenes, TheWindowsSessionSaysTheSetOfItsPicture) {
    Harness h(with_book());
    EXPECT_EQ(h.app->session().image.sample, "picturebook:cat");
    Harness small;
    EXPECT_EQ(small.app->session().image.sample, "pictograms:cat");
}

TEST(Scenes, ADrawnModelsClassesAreNamedInTheWindowsLanguage) {
    Opening opening = with_book();
    opening.state.settings.language = "ja";
    Harness h(std::move(opening));
    const int best = top_predictions(*h.result().trace.head, 1).front().index;
    const std::string label = h.result().model->config.label(best);
    EXPECT_EQ(h.item("top.0").text, load_text("ja")("class." + label));
}

TEST(Scenes, ARunLearnsFromTheChosenScenesAndIsLookedAtWithTheirPictures) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    opening.state.learning.choices[0].size = LearningSize::tiny;
    opening.state.learning.two = true;
    Harness h(std::move(opening));
    const auto learns = [&] { return h.app->context().jobs().learning().latest(); };
    EXPECT_EQ(learns()[0].recipe.pictures.scenes, Scenes::pictograms) << "unless another set is chosen";
    LearningState book_runs = h.app->state().learning;
    book_runs.choices[0].scenes = Scenes::picturebook;
    h.app->ask(command::ChangeLearning{to_json(book_runs)});
    h.frame(2);
    h.settle();
    for (const RunView<Pictures>& run : learns()) {
        EXPECT_EQ(run.recipe.pictures.scenes, Scenes::picturebook) << "both runs have the same pictures";
        EXPECT_EQ(run.now->probabilities.size(), 6 * picture_classes(false, Scenes::picturebook).size());
    }
    const auto& book = example_pictures(Scenes::picturebook);
    const auto& plain = example_pictures(Scenes::pictograms);
    ASSERT_EQ(book.size(), 6U);
    EXPECT_NE(book[0].large->rgb, plain[0].large->rgb);
    EXPECT_EQ(book[1].label, 12) << "a dog beside the cat";
    const LearningState again = parse_learning(to_json(h.app->state().learning));
    EXPECT_EQ(again.choices[0].scenes, Scenes::picturebook);
    h.tap("learn.step");
    EXPECT_EQ(learns()[0].now->report.step, 1U);
}

}  // namespace
}  // namespace vitrine
