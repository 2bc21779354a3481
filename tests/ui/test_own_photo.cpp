#include <gtest/gtest.h>

#include <fstream>

#include "app/rooms/explore/first_minute.h"
#include "app/ui/languages.h"
#include "tests/photo_models.h"
#include "tests/ui/harness.h"

// The way to the user's own photograph, with and without a model that knows photographs.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

constexpr const char* tiny = "facebook/deit-tiny-patch16-224";

Opening at_the_start(const std::string& language = "en") {
    Opening opening = Harness::with_image("cat");
    opening.state.dialog = "start";
    opening.state.settings.language = language;
    return opening;
}

/// Opens a file by the dialog that is shown.
void choose_photo(Harness& h, const TestFolder& folder) {
    ASSERT_EQ(h.app->state().dialog, "open_image");
    const fs::path photo = folder / "dog.ppm";
    std::ofstream(photo, std::ios::binary) << "P6 4 2 255\n" << std::string(24, 'x');
    h.carry_out(command::OpenImage{{{}, photo}});
    h.settle();
    EXPECT_EQ(h.item("top.image").text, "dog.ppm");
    EXPECT_EQ(h.focus().step, step_index("image"));
    EXPECT_EQ(h.app->state().room, "explore");
}

void expect_answered_by_tiny(Harness& h) {
    EXPECT_EQ(h.result().model->provenance.name, tiny);
    EXPECT_FALSE(h.shows("foreign"));
    EXPECT_EQ(h.app->state().error, "");
}

TEST(OwnPhoto, IsTheStartPagesFirstRowWhereAModelKnowsPhotographs) {
    const TestFolder folder;
    const OwnCache cache;
    cache.add(tiny, 1000);
    Harness h(at_the_start());
    EXPECT_EQ(h.item("start.photo").text, "Your photograph with deit-tiny-patch16-224");
    EXPECT_LT(h.item("start.photo").rect.y1, h.item("start.first_minute").rect.y0 + 1);
    EXPECT_EQ(h.app->keyboard_focus().focused(), "start.photo");
    h.tap("start.photo");
    choose_photo(h, folder);
    expect_answered_by_tiny(h);
}

TEST(OwnPhoto, IsAnsweredByTheBundledModelWithItsNoteWhereNoneDoes) {
    const TestFolder folder;
    Harness h(at_the_start());
    EXPECT_EQ(h.item("start.photo").text, "Open my photo");
    EXPECT_GT(h.item("start.photo").rect.y0, h.item("start.tour").rect.y0);
    h.tap("start.photo");
    choose_photo(h, folder);
    EXPECT_TRUE(h.shows("foreign"));
    EXPECT_FALSE(h.shows("foreign.recent"));
    EXPECT_TRUE(h.shows("foreign.help"));
}

TEST(OwnPhoto, IsOfferedByTheNoteWithThatModelThoughAnotherWasOpenedLast) {
    const TestFolder folder;
    const OwnCache cache;
    cache.add(tiny, 1000);
    Opening opening = at_the_start();
    Harness h(std::move(opening));
    std::ofstream(folder / "photo.ppm", std::ios::binary) << "P6 4 2 255\n" << std::string(24, 'x');
    h.app->open({folder / "photo.ppm"});
    h.settle();
    EXPECT_EQ(h.item("foreign.recent").text, "Answer with deit-tiny-patch16-224");
    h.tap("foreign.recent");
    expect_answered_by_tiny(h);
    h.press(Key::home);
    EXPECT_EQ(h.item("start.model.0").text, tiny) << "not the commit that its folder is called";
}

/// Vitrine's picture in place of one's own: the notice names the key, and the button itself becomes the way back.
TEST(OwnPhoto, IsAKeyOrAClickAwayFromAnExample) {
    const TestFolder folder;
    std::ofstream(folder / "photo.ppm", std::ios::binary) << "P6 4 2 255\n" << std::string(24, 'x');
    Harness h;
    h.app->open({folder / "photo.ppm"});
    h.frame(2);
    h.settle();
    h.app->ask(command::GoToChapter{"activation"});
    h.frame(3);
    h.settle();
    const std::string example = first_id(h, "edge.activation");
    ASSERT_NE(example, "");
    h.tap(example);
    EXPECT_TRUE(h.app->workspace().experiment.image.path.empty());
    EXPECT_EQ(h.what_ifs().size(), 1U);
    EXPECT_NE(h.app->state().notice.find("photo.ppm"), std::string::npos) << h.app->state().notice;
    EXPECT_NE(h.app->state().notice.find("Ctrl Z"), std::string::npos) << h.app->state().notice;
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.item("top.image").text, "photo.ppm");
    EXPECT_TRUE(h.what_ifs().empty());
    h.tap(example);
    EXPECT_EQ(h.item(example).text, h.app->text()("edge.back"));
    h.tap(example);
    EXPECT_EQ(h.item("top.image").text, "photo.ppm");
    EXPECT_EQ(h.what_ifs().size(), 1U) << "the change stays";
    EXPECT_EQ(h.item(example).text, h.app->text()("edge.short"));
}

TEST(OwnPhoto, IsWhereTheFirstMinuteEnds) {
    const TestFolder folder;
    const OwnCache cache;
    const auto at_the_end = [] {
        auto h = std::make_unique<Harness>(at_the_start(), ImVec2{1280, 720});
        h->carry_out(command::Do{"first_minute"});
        h->settle();
        h->change().focus().token = 60;
        h->change()->what_ifs = {remove_head(first_minute_block, first_minute_head)};
        h->settle();
        return h;
    };
    EXPECT_EQ(at_the_end()->item("first_minute.photo").text, "Your photo");
    cache.add(tiny, 1000);
    const auto h = at_the_end();
    EXPECT_EQ(h->item("first_minute.photo").text, "Your photo with deit-tiny-patch16-224");
    h->tap("first_minute.photo");
    choose_photo(*h, folder);
    expect_answered_by_tiny(*h);
}

TEST(OwnPhoto, IsWhereALessonOnPicturesEnds) {
    const TestFolder folder;
    const OwnCache cache;
    const auto in_the_tour = [](int stop, ImVec2 size = {1280, 720}) {
        auto h = std::make_unique<Harness>(at_the_start(), size);
        h->carry_out(command::OpenLesson{"tour"});
        h->settle();
        for (int i = 0; i < stop; ++i) h->carry_out(command::Do{"lecture.next"});
        h->settle();
        h->frame(40);
        return h;
    };
    constexpr int last = 12;
    const auto without = in_the_tour(last);
    EXPECT_EQ(without->item("lecture.progress").value, last);
    EXPECT_FALSE(without->shows("lecture.photo"));
    cache.add(tiny, 1000);
    EXPECT_FALSE(in_the_tour(last - 1)->shows("lecture.photo"));
    const std::string answer = without->shows("lecture.prediction") ? without->item("lecture.prediction").text : "";
    const auto narrow = in_the_tour(last);
    EXPECT_EQ(narrow->shows("lecture.prediction") ? narrow->item("lecture.prediction").text : "", answer)
        << "the button takes no room from the prediction";
    for (const std::string& language : language_codes()) {
        narrow->change()->settings.language = language;
        narrow->frame(5);
        EXPECT_TRUE(narrow->shows("lecture.photo"));
        narrow->expect_readable("the tour's end in " + language);
    }
    const auto h = in_the_tour(last, {1920, 1080});
    EXPECT_EQ(h->item("lecture.photo").text, "Your photo");
    h->carry_out(command::Do{"lecture.next"});
    h->frame(2);
    EXPECT_NE(h->item("notice").text.find("deit-tiny-patch16-224"), std::string::npos);
    h->tap("lecture.photo");
    EXPECT_FALSE(h->app->state().lecture.on);
    choose_photo(*h, folder);
    expect_answered_by_tiny(*h);
}

TEST(OwnPhoto, IsReadableOnTheStartPageInEveryLanguage) {
    for (const char* const name :
         {"timm/vit_tiny_patch16_224.augreg_in21k_ft_in1k", "facebook/dinov2-small-imagenet1k-1-layer"}) {
        const OwnCache cache;
        cache.add(name, 1000);
        for (const std::string& language : language_codes())
            for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
                Harness(at_the_start(language), size).expect_readable(language);
    }
}

}  // namespace
}  // namespace vitrine
