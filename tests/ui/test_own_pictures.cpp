#include <cstdlib>

#include "app/platform/user.h"
#include "tests/drawn_folder.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/slow_disk.h"

namespace vitrine {
namespace {

/// A window on which a folder of drawn pictures was dropped.
struct Dropped {
    TestFolder folder;
    Harness h;

    template <class FolderOf>
    Dropped(const std::vector<int>& classes, int of_each, FolderOf folder_of) : h(opening()) {
        draw_into(folder / "my things", classes, of_each, folder_of);
        h.app->open({folder / "my things"});
        h.settle();
        h.settle();
    }

    Opening opening() const {
        Opening o = Harness::with_image("cat");
        o.state.settings.model_folder = (folder / "kept").string();
        return o;
    }
};

std::string by_class(int label, int /*number*/) { return label == 6 ? "cats" : "houses"; }

TEST(OwnPicturesDialog, TellsHowManyHeldOutPicturesAreNamedRightly) {
    Dropped d({6, 1}, 12, by_class);
    EXPECT_GE(d.h.item("own.held_out").value, 5.0 / 6) << d.h.item("own.held_out").text;
    EXPECT_NE(d.h.item("own.held_out").text.find("of 6"), std::string::npos);
    EXPECT_TRUE(d.h.shows("own.knows"));
    EXPECT_FALSE(d.h.shows("own.chance"));
}

TEST(OwnPicturesDialog, TheModelIsExploredWithItsNewClasses) {
    Dropped d({6, 1}, 12, by_class);
    d.h.tap("own.open");
    d.h.settle();
    ASSERT_TRUE(d.h.app->shown().result);
    EXPECT_EQ(d.h.app->shown().result->model->config.labels, (std::vector<std::string>{"cats", "houses"}));
    EXPECT_EQ(d.h.app->shown().result->model->provenance.name, "my things");
    EXPECT_FALSE(d.h.shows("own.open"));
}

TEST(OwnPicturesDialog, TheModelIsKeptAsAFolder) {
    Dropped d({6, 1}, 12, by_class);
    d.h.tap("own.save");
    d.h.frame(2);
    EXPECT_TRUE(d.h.shows("own.told"));
    EXPECT_TRUE(std::filesystem::exists(d.folder / "kept" / "my things" / "model.safetensors"));
}

TEST(OwnPicturesDialog, TheModelCountsAsKeptOnceItIsThere) {
    Dropped d({6, 1}, 12, by_class);
    SlowDisk disk(d.h);
    d.h.app->ask(command::Do{"own.save"});
    d.h.frame(3);
    EXPECT_FALSE(d.h.shows("own.told"));
    d.h.app->ask(command::Do{"own.stop"});
    d.h.frame(3);
    EXPECT_TRUE(d.h.shows("own.unsaved")) << "it may not come to be";
    disk.go_on();
    d.h.settle();
    EXPECT_TRUE(d.h.shows("own.told"));
    EXPECT_FALSE(d.h.shows("own.unsaved"));
    EXPECT_TRUE(d.h.app->may_close());
}

TEST(OwnPicturesDialog, WhatARecordingKeepsInItsScratchFolderIsAskedAboutOnceItIsOver) {
    Dropped d({6, 1}, 12, by_class);
    draw_into(d.folder / "others", {6, 1}, 12, by_class);
    Harness& h = d.h;
    const auto play = [&](const std::vector<Command>& commands) {
        std::vector<std::string> lines;
        for (const Command& each : commands) lines.push_back(to_line(each, h.app->context().workspace().config()));
        h.app->play(lines);
        h.wait_until([&] { return !h.app->busy(); });
        h.settle();
    };
    play({command::Do{"own.save"}, command::LearnOwnPictures{d.folder / "others"}});
    EXPECT_TRUE(std::filesystem::exists(h.app->context().scratch->path() / "my things"));
    EXPECT_EQ(h.app->state().own_folder, d.folder / "others") << "what is played goes on as it was recorded";
    play({command::Do{"own.save"}});
    EXPECT_TRUE(h.shows("own.told"));
    EXPECT_FALSE(h.app->may_close()) << "its folder goes with the window";
    h.frame(3);
    h.tap("closing.save");
    EXPECT_TRUE(h.app->wants_to_quit());
    EXPECT_TRUE(std::filesystem::exists(d.folder / "kept" / "others" / "model.safetensors"));
}

TEST(OwnPicturesDialog, AWindowWhoseModelIsNotKeptAsksBeforeItCloses) {
    Dropped d({6, 1}, 12, by_class);
    EXPECT_FALSE(d.h.app->may_close());
    d.h.frame(3);
    EXPECT_TRUE(d.h.shows("closing.save"));
    d.h.press(Key::escape);
    EXPECT_FALSE(d.h.app->wants_to_quit());
    d.h.app->ask(command::Do{"own"});
    d.h.frame(3);
    d.h.tap("own.save");
    EXPECT_TRUE(d.h.app->may_close());
}

TEST(OwnPicturesDialog, TheModelIsKeptBeforeTheWindowCloses) {
    Dropped d({6, 1}, 12, by_class);
    EXPECT_FALSE(d.h.app->may_close());
    d.h.frame(3);
    d.h.tap("closing.save");
    EXPECT_TRUE(d.h.app->wants_to_quit());
    EXPECT_TRUE(std::filesystem::exists(d.folder / "kept" / "my things" / "model.safetensors"));
}

TEST(OwnPicturesDialog, SaysWhenTheFeaturesKnowNothing) {
    Dropped d({6, 1, 7, 2}, 16, [](int label, int i) { return (label + i) % 2 == 0 ? "red" : "blue"; });
    EXPECT_TRUE(d.h.shows("own.chance"));
    EXPECT_FALSE(d.h.shows("own.knows"));
}

TEST(OwnPicturesDialog, TooFewPicturesAreASentence) {
    Dropped d({6, 1}, 3, by_class);
    EXPECT_NE(d.h.app->error().find("has 3 pictures"), std::string::npos) << d.h.app->error();
}

TEST(OwnPicturesDialog, SaysWhenTooFewAreHeldOutToSayAnything) {
    Dropped d({6, 1}, 5, by_class);
    EXPECT_EQ(d.h.item("own.held_out").text.find("finds nothing"), std::string::npos);
    EXPECT_TRUE(d.h.shows("own.too_few"));
    EXPECT_FALSE(d.h.shows("own.chance"));
}

TEST(OwnPicturesDialog, AnErrorIsGoneOnceWhatItWasAboutSucceeds) {
    Dropped d({6, 1}, 3, by_class);
    ASSERT_NE(d.h.app->error(), "");
    const std::filesystem::path enough = d.folder / "enough";
    draw_into(enough, {6, 1}, 8, by_class);
    d.h.app->open({enough});
    d.h.settle();
    d.h.settle();
    EXPECT_TRUE(d.h.shows("own.held_out"));
    EXPECT_EQ(d.h.app->error(), "");
}

TEST(OwnPicturesDialog, AnotherFolderBeginsAgainOnceWhatWasLearnedIsSaved) {
    Dropped d({6, 1}, 12, by_class);
    d.h.tap("own.save");
    d.h.frame(2);
    d.h.tap("own.stop");
    d.h.frame(2);
    EXPECT_TRUE(d.h.shows("own.folder"));
    EXPECT_FALSE(d.h.shows("own.held_out"));
}

TEST(OwnPicturesDialog, AnotherFolderAsksBeforeItLetsGoOfWhatNobodySaved) {
    Dropped d({6, 1}, 12, by_class);
    EXPECT_FALSE(d.h.shows("own.unsaved"));
    d.h.tap("own.stop");
    d.h.frame(2);
    EXPECT_TRUE(d.h.shows("own.unsaved"));
    EXPECT_TRUE(d.h.shows("own.held_out"));
    EXPECT_EQ(d.h.item("own.stop").text, d.h.app->text()("own.lose"));
    d.h.tap("own.stop");
    d.h.frame(2);
    EXPECT_TRUE(d.h.shows("own.folder"));
    EXPECT_FALSE(d.h.shows("own.held_out"));
}

/// The dialog of a window whose home is the folder of a test, with something typed as the folder.
struct Typed {
    TestFolder folder;
    const std::string home_before = home_folder().string();
    Harness h{Harness::with_image("cat")};

    Typed() {
        setenv("HOME", folder.path().c_str(), 1);
        draw_into(folder / "mypics", {6, 1}, 8, by_class);
        h.app->ask(command::Do{"own"});
        h.frame(3);
    }
    ~Typed() { setenv("HOME", home_before.c_str(), 1); }
    Typed(const Typed&) = delete;
    Typed& operator=(const Typed&) = delete;

    void type(const std::string& path) {
        h.tap("own.folder");
        for (const char c : path) h.input.character(static_cast<unsigned char>(c));
        h.frame(static_cast<int>(path.size()) + 2);
    }
};

TEST(OwnPicturesDialog, ATildeIsTheHomeFolderAndEnterTrains) {
    Typed t;
    t.type("~/mypics");
    t.h.press(Key::enter);
    t.h.settle();
    t.h.settle();
    EXPECT_EQ(t.h.app->error(), "");
    EXPECT_EQ(t.h.app->state().own_folder, t.folder / "mypics");
    EXPECT_TRUE(t.h.shows("own.held_out"));
}

TEST(OwnPicturesDialog, AFolderThatIsNotThereIsASentence) {
    Typed t;
    t.type("~/nothing");
    t.h.press(Key::enter);
    t.h.settle();
    EXPECT_EQ(t.h.app->error(), (t.folder / "nothing").string() + ": there is no such folder; check the path");
    EXPECT_TRUE(t.h.shows("own.folder"));
}

TEST(OwnPicturesDialog, TheFolderIsChosenInTheBrowser) {
    Typed t;
    t.h.change()->settings.image_folder = t.folder.path().string();
    t.h.tap("own.choose");
    t.h.frame(3);
    ASSERT_EQ(t.h.app->state().dialog, "own_folder");
    t.h.tap("browser.item.0");
    t.h.frame(3);
    t.h.tap("images.use");
    t.h.frame(3);
    EXPECT_EQ(t.h.app->state().dialog, "own");
    EXPECT_EQ(t.h.item("own.folder").text, (t.folder / "mypics").string());
    t.h.tap("own.learn");
    t.h.settle();
    t.h.settle();
    EXPECT_TRUE(t.h.shows("own.held_out"));
}

TEST(OwnPicturesDialog, AFolderThatIsDroppedWaitsForWhatNobodySaved) {
    Dropped d({6, 1}, 12, by_class);
    const std::filesystem::path other = d.folder / "other things";
    draw_into(other, {6, 1}, 12, by_class);
    d.h.app->open({other});
    d.h.settle();
    EXPECT_TRUE(d.h.shows("own.unsaved"));
    EXPECT_TRUE(d.h.shows("own.held_out")) << "nothing is lost";
    d.h.tap("own.stop");
    d.h.frame(2);
    EXPECT_EQ(d.h.item("own.folder").text, other.string());
    EXPECT_TRUE(d.h.shows("own.folder"));
    EXPECT_FALSE(d.h.shows("own.held_out"));
}

}  // namespace
}  // namespace vitrine
