#include <gtest/gtest.h>

#include "app/jobs/inference.h"
#include "app/lecture/lesson.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/sessions/session.h"
#include "core/base/error.h"
#include "core/training/pictures/pictures.h"
#include "tests/book_model.h"
#include "tests/files.h"
#include "tests/gallery_choice.h"
#include "tests/small_model.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

TEST(Samples, AWordMeansAPictureOfTheSetThatItSaysElseOfTheModelsOwn) {
    EXPECT_EQ(sample_request("cat", Scenes::pictograms)->label, 6);
    EXPECT_EQ(sample_request("cat", Scenes::pictograms)->set.scenes, Scenes::pictograms);
    EXPECT_EQ(sample_request("cat", Scenes::picturebook)->set.scenes, Scenes::picturebook);
    EXPECT_EQ(sample_request("pictograms:cat", Scenes::picturebook)->set.scenes, Scenes::pictograms);
    EXPECT_EQ(sample_request("dog", Scenes::pictograms)->set.scenes, Scenes::picturebook) << "the set that has one";
    EXPECT_EQ(sample_request("cat:17:hard:256", {})->size, 256);
    EXPECT_EQ(sample_request("picturebook:cat:17:hard", {})->set.difficulty, Difficulty::hard);
    for (const Scenes scenes : {Scenes::pictograms, Scenes::picturebook})
        EXPECT_TRUE(sample_request("two alike:3", scenes)->set.pairs);
    for (const char* const word :
         {"", "nose", "cat:", "cat:x", "cat:1:odd", "cat:1:hard:9999999", "cat:1:hard:64:7", "cat:-1", "picturebook",
          "picturebook:", "picturebook:nose", "pictograms:dog", "album:cat", "picturebook:pictograms:cat"})
        EXPECT_FALSE(is_sample(word)) << word;
}

TEST(Samples, AWordThatSaysAllComesBackAndNamesItsSet) {
    for (const char* const word : {"pictograms:key:5:easy:128", "picturebook:two different:0:hard:64"})
        EXPECT_EQ(sample_word(*sample_request(word, Scenes::pictograms)), word);
    EXPECT_EQ(class_of_sample("picturebook:two alike:3"), "two alike");
    EXPECT_EQ(class_of_sample("cat"), "cat");
}

TEST(Samples, ASourceThatSaysItsSetIsTheSamePicture) {
    EXPECT_EQ(with_set({"cat", {}}, Scenes::picturebook).sample, "picturebook:cat");
    EXPECT_EQ(with_set({"cat:3", {}}, Scenes::pictograms).sample, "pictograms:cat:3");
    EXPECT_EQ(with_set({"pictograms:cat", {}}, Scenes::picturebook).sample, "pictograms:cat");
    EXPECT_EQ(with_set({"dog", {}}, Scenes::pictograms).sample, "picturebook:dog");
    EXPECT_EQ(with_set({"", "dog.png"}, Scenes::pictograms), (ImageSource{"", "dog.png"}));
}

TEST(Samples, ThePictogramsOfTheGalleryAreTheOnesTheyWere) {
    const DrawnPicture cat = draw_picture({{2026, Difficulty::normal, false}, 5, 512, 6});
    EXPECT_EQ(open_image({"pictograms:cat", {}})->full.rgb, cat.image.rgb);
}

TEST(Samples, EveryPictureOfTheGalleryIsPlainAndItsModelNamesIt) {
    const std::filesystem::path file = std::filesystem::path(VITRINE_SOURCE) / "assets/gallery.json";
    const auto gallery = nlohmann::json::parse(read(file)).get<Gallery>();
    Gallery again = gallery;
    for (const BundledModel& m : bundled_models()) choose_gallery(*open_model(source_of(m)), again);
    EXPECT_EQ(again, gallery) << "run ./dev model";
    for (const auto& [scenes, name] : scenes_names)
        for (const std::string& thing : picture_classes(false, scenes))
            EXPECT_TRUE(gallery.at(name).contains(thing)) << name << ": " << thing;
}

TEST(Samples, AModelsPicturesAreThoseItLearnedFrom) {
    const Model book = book_model({.pairs = true});
    EXPECT_EQ(pictures_of(book).scenes, Scenes::picturebook);
    EXPECT_TRUE(pictures_of(book).pairs);
    EXPECT_EQ(sample_names(pictures_of(book)).back(), "two different");
    EXPECT_EQ(pictures_of(*open_model(small_model())).scenes, Scenes::pictograms);
    Model own = book;
    own.config.labels = {"my cup", "your cup"};
    EXPECT_EQ(pictures_of(own).scenes, Scenes::picturebook) << "what it remembers";
    own.provenance.scenes.clear();
    EXPECT_EQ(pictures_of(own).scenes, bundled_pictures().scenes);
    EXPECT_EQ(pictures_of(*open_model({})).scenes, bundled_pictures().scenes);
}

TEST(Samples, ThingsThatTheFirstStartAndLessonsNameAreInEverySet) {
    std::vector<std::string> named = {"cat", "house"};
    for (const std::string& lesson : bundled_lessons())
        for (const LessonStop& stop : load_lesson(lesson).stops)
            if (stop.image && stop.image->path.empty()) named.push_back(stop.image->sample);
    for (const std::string& word : named)
        for (const auto& [scenes, name] : scenes_names) {
            const auto request = sample_request(word, scenes);
            ASSERT_TRUE(request) << word;
            EXPECT_EQ(request->set.scenes, scenes) << word << " is nothing of the " << name;
        }
}

TEST(BundledModels, OpenByTheirNamesWhereNoFileIsCalledSo) {
    for (const BundledModel& m : bundled_models()) {
        const ModelSource source = model_source(m.name, {});
        EXPECT_TRUE(source.path.empty());
        EXPECT_EQ(open_model(source)->provenance.name, m.title);
    }
    EXPECT_EQ(model_source("nose", 3).path, "nose");
    EXPECT_EQ(model_source({}, {}), ModelSource{});
    ModelSource none;
    none.bundled = "nose";
    EXPECT_THROW(open_model(none), Error);
}

TEST(Scenes, ADrawnPictureFollowsTheModelUnlessItSaysItsSet) {
    Inference inference;
    const auto shown = [&](const ModelSource& model, const std::string& sample) {
        inference.request(1, {model, {sample, {}}, {}}, {}, {.other = true});
        inference.wait();
        return inference.latest(1).result;
    };
    ModelSource book;
    book.learned = std::make_shared<const Model>(book_model({}));
    const auto small = shown(small_model(), "cat"), other = shown(book, "cat"), said = shown(book, "pictograms:cat");
    EXPECT_EQ(small->image->source.sample, "pictograms:cat");
    EXPECT_EQ(other->image->source.sample, "picturebook:cat");
    EXPECT_NE(other->image->full.rgb, small->image->full.rgb);
    EXPECT_EQ(said->image->full.rgb, small->image->full.rgb);
    EXPECT_EQ(other->image->name, "cat");
    EXPECT_EQ(shown(book, "fish")->other->sample, "house") << "the other picture is of the set, too";
    EXPECT_EQ(shown(small_model(), "dog")->image->source.sample, "picturebook:dog");
}

TEST(Scenes, ASessionSaysTheSetAndOneThatSaysNoneMeansThePictograms) {
    const auto read = [](const std::string& rest) {
        return parse_session("{\"vitrine_session\": 1" + rest + "}", "s");
    };
    EXPECT_EQ(read(", \"image\": {\"sample\": \"cat\"}").image.sample, "pictograms:cat");
    EXPECT_EQ(read(", \"image\": {\"sample\": \"cat:17:hard\"}").image.sample, "pictograms:cat:17:hard");
    EXPECT_EQ(read(", \"image\": {\"sample\": \"picturebook:cat\"}").image.sample, "picturebook:cat");
    EXPECT_EQ(read("").image.sample, "pictograms:fish");
    EXPECT_EQ(open_model(read("").model)->provenance.name, "Pictograms") << "the model that there was then";
    EXPECT_THROW(read(", \"model\": {\"bundled\": \"nose\"}"), Error);

    for (const BundledModel& m : bundled_models()) {
        Session s = read("");
        s.model = model_source(m.name, {});
        const std::string json = to_json(s);
        EXPECT_NE(json.find(std::string("\"bundled\": \"") + m.name + "\""), std::string::npos) << json;
        EXPECT_EQ(open_model(parse_session(json, "s").model)->provenance.name, m.title);
    }
}

}  // namespace
}  // namespace vitrine
