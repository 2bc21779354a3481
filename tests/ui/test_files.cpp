#include <gtest/gtest.h>

#include <fstream>

#include "app/library/library.h"
#include "app/sessions/kept_sessions.h"
#include "app/workspace/recent.h"
#include "core/files/image.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/slow_disk.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(folder);
        Opening opening = Harness::with_image("cat");
        opening.state.settings.export_folder = folder.string();
        opening.state.settings.image_folder = folder.string();
        opening.state.settings.lesson_folder = folder.string();
        h = std::make_unique<Harness>(std::move(opening));
    }

    /// A picture that opens.
    fs::path picture(const char* name) {
        std::ofstream(folder / name, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
        return folder / name;
    }
    std::size_t sessions() const {
        std::size_t count = 0;
        for (const auto& entry : fs::directory_iterator(folder))
            count += entry.path().extension() == ".vitrine" ? 1 : 0;
        return count;
    }
    void press_shifted(Key key) {
        h->input.key(glfw_number(Key::ctrl), true);
        h->input.key(glfw_number(Key::shift), true);
        h->input.key(glfw_number(key), true);
        h->input.key(glfw_number(key), false);
        h->input.key(glfw_number(Key::shift), false);
        h->input.key(glfw_number(Key::ctrl), false);
        h->frame(10);
        h->settle();
    }
    void write_over(const std::string& words) {
        h->press(Key::a, Key::ctrl);
        h->type(words);
    }

    const TestFolder own;
    const fs::path folder = own / "files";
    std::unique_ptr<Harness> h;
};

TEST_F(Files, SavingAsksForANameOnceThenSaysWhatAndWhereAndOverwritesItsOwnSession) {
    EXPECT_FALSE(h->shows("notice"));
    h->press(Key::s, Key::ctrl);
    const fs::path file = folder / "cat-image.vitrine";
    ASSERT_EQ(h->item("dialog").text, "dialog.save_as");
    EXPECT_EQ(h->item("save_as.file").text, "cat-image");
    EXPECT_EQ(h->item("save_as.path").text, file.string()) << "what will be written";
    EXPECT_FALSE(fs::exists(file));
    h->press(Key::enter);
    ASSERT_TRUE(fs::exists(file));
    EXPECT_EQ(h->item("notice").text, "Session saved: " + file.string());
    h->frame(60 * 6);
    EXPECT_FALSE(h->shows("notice")) << "it goes by itself";
    h->press(Key::right);
    h->press(Key::s, Key::ctrl);
    EXPECT_FALSE(h->shows("dialog"));
    EXPECT_EQ(sessions(), 1U) << "its own session is written again";
    EXPECT_EQ(load_session(file).focus.step, 1);
    h->app->ask(command::OpenImage{{"mug", {}}});
    h->settle();
    h->press(Key::s, Key::ctrl);
    EXPECT_EQ(h->item("dialog").text, "dialog.save_as") << "another picture's session is another file";
    h->press(Key::enter);
    EXPECT_EQ(sessions(), 2U);
    EXPECT_EQ(load_session(file).image.sample, "pictograms:cat");
}

TEST_F(Files, ASlowDiskKeepsNoFrameWaitingAndWhatWasSavedIsToldOnceItIsThere) {
    SlowDisk disk(*h);
    const fs::path file = folder / "mine.vitrine", figure = folder / "figure.svg";
    h->app->ask(command::SaveSession{file});
    h->app->ask(command::ExportPicture{.part = "stage", .format = "svg", .name = "figure"});
    h->frame(6);
    EXPECT_FALSE(fs::exists(file));
    EXPECT_FALSE(fs::exists(figure));
    EXPECT_FALSE(h->shows("notice"));
    EXPECT_TRUE(h->app->context().workspaces.own_session().empty()) << "it is no file yet";
    h->app->ask(command::ExportPicture{.part = "stage", .format = "svg", .name = "figure"});
    h->frame(4);
    disk.go_on();
    h->settle();
    EXPECT_EQ(load_session(file), h->app->session());
    EXPECT_EQ(h->app->context().workspaces.own_session(), file);
    EXPECT_TRUE(read(figure).ends_with("</svg>\n"));
    EXPECT_TRUE(fs::exists(folder / "figure-2.svg")) << "the second takes no other's place";
    for (const fs::path& written : {figure, folder / "figure-2.svg"})
        EXPECT_NE(h->item("notice").text.find(h->app->text()("export.written", {{"file", written.string()}})),
                  std::string::npos)
            << h->item("notice").text;
}

TEST_F(Files, AWindowClosesOnceAllIsWrittenAndNotWhereThatFails) {
    const fs::path taken = folder / "taken.vitrine", mine = folder / "mine.vitrine";
    fs::create_directories(taken / "deep");
    SlowDisk disk(*h);
    h->app->ask(command::SaveSession{mine});
    h->app->ask(command::SaveSession{taken});
    h->frame(2);
    disk.go_on();
    EXPECT_FALSE(h->app->may_close());
    EXPECT_TRUE(fs::exists(mine));
    EXPECT_NE(h->app->error().find("taken.vitrine"), std::string::npos) << h->app->error();
    EXPECT_EQ(h->app->context().workspaces.own_session(), mine) << "what could be written";
    EXPECT_TRUE(h->app->may_close()) << "who wants to, all the same";
}

TEST_F(Files, WhatCannotBeSavedKeepsTheDialogThatAskedForAName) {
    fs::create_directories(folder / "taken.vitrine" / "deep");
    press_shifted(Key::s);
    write_over((folder / "taken").string());
    h->tap("save_as.save");
    EXPECT_NE(h->app->error().find("taken.vitrine"), std::string::npos) << h->app->error();
    EXPECT_EQ(h->app->state().dialog, "save_as");
}

TEST_F(Files, TheExportDialogSaysWhereASessionGoesAndCanNameAnother) {
    h->press(Key::e, Key::ctrl);
    EXPECT_EQ(h->item("export.session_file").text, (folder / "cat-image.vitrine").string());
    h->tap("export.save_as");
    ASSERT_EQ(h->item("dialog").text, "dialog.save_as");
    write_over("first lecture");
    EXPECT_EQ(h->item("save_as.path").text, (folder / "first lecture.vitrine").string());
    h->tap("save_as.save");
    ASSERT_TRUE(fs::exists(folder / "first lecture.vitrine"));
    h->press(Key::e, Key::ctrl);
    EXPECT_EQ(h->item("export.session_file").text, (folder / "first lecture.vitrine").string());
    h->tap("export.save");
    EXPECT_EQ(sessions(), 1U);
}

TEST_F(Files, ASessionThatWasOpenedIsTheOneThatIsSaved) {
    Session s = h->app->session();
    save_session(s, folder / "lecture 3.vitrine");
    h->app->open({folder / "lecture 3.vitrine"});
    h->settle();
    h->press(Key::right);
    h->press(Key::s, Key::ctrl);
    EXPECT_EQ(sessions(), 1U);
    EXPECT_EQ(load_session(folder / "lecture 3.vitrine").focus.step, 1);
}

TEST_F(Files, APathTypedAboveTheFilesLeadsToItsFolderOrOpensItsFile) {
    fs::create_directories(folder / "below");
    picture("below/mine.ppm");
    h->press(Key::o);
    EXPECT_EQ(h->item("browser.folder").value, 1);
    h->tap("browser.folder");
    write_over((folder / "nowhere").string());
    EXPECT_EQ(h->item("browser.folder").value, 0) << "there is none";
    h->press(Key::enter);
    ASSERT_EQ(h->item("dialog").text, "dialog.open_image");
    h->tap("browser.folder");
    write_over("\"" + (folder / "below").string() + "\" ");
    h->press(Key::enter);
    h->frame(2);
    EXPECT_EQ(h->item("browser.folder").text, (folder / "below").string());
    h->tap("browser.folder");
    write_over((folder / "below" / "mine.ppm").string());
    h->press(Key::enter);
    h->settle();
    EXPECT_FALSE(h->shows("dialog"));
    EXPECT_EQ(h->item("top.image").text, "mine.ppm");
}

TEST_F(Files, SaveAsAsksForAnotherNameAndBeforeItReplaces) {
    press_shifted(Key::s);
    ASSERT_EQ(h->item("dialog").text, "dialog.save_as");
    EXPECT_EQ(h->item("save_as.file").text, "cat-image");
    write_over((folder / "mine").string());
    h->press(Key::enter);
    EXPECT_FALSE(h->shows("dialog"));
    ASSERT_TRUE(fs::exists(folder / "mine.vitrine"));
    EXPECT_EQ(h->item("notice").text, "Session saved: " + (folder / "mine.vitrine").string());
    std::ofstream(folder / "yours.vitrine") << "another's";
    press_shifted(Key::s);
    EXPECT_EQ(h->item("save_as.path").text, (folder / "mine.vitrine").string());
    write_over((folder / "yours.vitrine").string());
    h->press(Key::enter);
    EXPECT_EQ(h->item("save_as.words").value, 1) << "Enter alone replaces nothing";
    EXPECT_EQ(fs::file_size(folder / "yours.vitrine"), 9U);
    h->tap("save_as.save");
    EXPECT_GT(fs::file_size(folder / "yours.vitrine"), 9U);
    h->press(Key::s, Key::ctrl);
    EXPECT_EQ(sessions(), 2U) << "that is its own now";
}

TEST_F(Files, OpenCoversImagesModelsSessionsAndLessonsWithRecentOnes) {
    picture("mine.ppm");
    std::ofstream(folder / "short.txt") << "lesson: Short\nstep: patches\n";
    h->press(Key::s, Key::ctrl);
    h->press(Key::enter);
    h->press(Key::o, Key::ctrl);
    EXPECT_EQ(h->item("dialog").text, "dialog.open_session");
    EXPECT_EQ(h->item("browser.recent.0").text, "cat-image.vitrine");
    h->tap("browser.kind.images");
    EXPECT_EQ(h->item("dialog").text, "dialog.open_image");
    EXPECT_FALSE(h->shows("browser.recent.0"));
    h->tap("browser.item.0");
    EXPECT_EQ(h->item("top.image").text, "mine.ppm");
    h->press(Key::o);
    EXPECT_EQ(h->item("browser.recent.0").text, "mine.ppm");
    h->tap("browser.kind.lessons");
    EXPECT_EQ(h->item("dialog").text, "dialog.open_lesson");
    EXPECT_EQ(h->item("browser.item.0").text, "short.txt");
    h->tap("browser.item.0");
    EXPECT_TRUE(h->app->state().lecture.on);
    EXPECT_EQ(h->focus().step, step_index("patches"));
    h->press(Key::l);
    h->frame(60);
    h->press(Key::o, Key::ctrl);
    h->tap("browser.recent.0");
    EXPECT_EQ(h->item("top.image").text, "cat") << "the session is open again";
    h->press(Key::m);
    h->tap("browser.kind.sessions");
    EXPECT_EQ(h->item("dialog").text, "dialog.open_session");
    h->tap("browser.kind.models");
    EXPECT_EQ(h->item("dialog").text, "dialog.open_model");
    const Settings& settings = h->app->state().settings;
    EXPECT_EQ(recent_files(settings, FileKind::image).size(), 1U);
    EXPECT_EQ(recent_files(settings, FileKind::lesson).size(), 1U);
    EXPECT_EQ(recent_files(settings, FileKind::session).size(), 1U);
}

TEST_F(Files, TheBrowserShowsAFileThatWasWrittenSinceItWasOpenLast) {
    h->press(Key::o, Key::ctrl);
    ASSERT_EQ(h->item("dialog").text, "dialog.open_session");
    EXPECT_FALSE(h->shows("browser.item.0"));
    h->press(Key::escape);
    ASSERT_FALSE(h->shows("dialog"));
    h->press(Key::s, Key::ctrl);
    h->press(Key::enter);
    ASSERT_EQ(sessions(), 1U);
    h->press(Key::o, Key::ctrl);
    EXPECT_EQ(h->item("browser.item.0").text, "cat-image.vitrine");
    h->press(Key::escape);
    fs::remove(folder / "cat-image.vitrine");
    h->press(Key::o, Key::ctrl);
    EXPECT_FALSE(h->shows("browser.item.0")) << "what is gone is not offered";
}

TEST_F(Files, AFailedOpenLeavesTheBrowserOpenAndTheNextSuccessTakesTheErrorAway) {
    std::ofstream(folder / "a.jpg") << "this is text";
    picture("b.ppm");
    h->press(Key::o);
    h->tap("browser.item.0");
    EXPECT_NE(h->app->error().find("a.jpg"), std::string::npos);
    EXPECT_EQ(h->item("dialog").text, "dialog.open_image") << "the browser is there for another choice";
    EXPECT_TRUE(h->item("error.close").visible) << "and the error lies over it";
    h->tap("browser.item.1");
    EXPECT_EQ(h->app->error(), "");
    EXPECT_FALSE(h->shows("dialog"));
    EXPECT_EQ(h->item("top.image").text, "b.ppm");
}

TEST_F(Files, APictureThatIsOpenedAgainIsReadAgainOnlyWhereItsFileHasChanged) {
    const fs::path file = picture("mine.ppm");
    const auto open = [&] {
        h->app->open({file});
        h->frame(2);
        h->settle();
    };
    open();
    h->press(Key::s, Key::ctrl);
    h->press(Key::enter);
    ASSERT_EQ(sessions(), 1U);
    const auto first = h->result().image;
    const Experiment before = h->app->workspace().experiment;
    open();
    EXPECT_EQ(h->result().image, first);
    EXPECT_EQ(h->app->workspace().experiment, before) << "which is no step of undo";

    std::ofstream(file, std::ios::binary) << "P6 2 2 255\nABCDEFGHIJKL";
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(5));
    h->tap("map.mlp.switch");
    EXPECT_EQ(h->result().image, first) << "a what-if exchanges nothing under the reader";
    open();
    const auto reread = h->result().image;
    EXPECT_NE(reread->full.rgb, first->full.rgb);
    EXPECT_EQ(h->item("top.image").text, "mine.ppm");
    open();
    EXPECT_EQ(h->result().image, reread) << "once";
    h->press(Key::s, Key::ctrl);
    EXPECT_EQ(sessions(), 1U) << "it is the session that was saved";
    for (int i = 0; i < 2; ++i) h->press(Key::z, Key::ctrl);
    EXPECT_EQ(h->app->error(), "");
    EXPECT_TRUE(h->what_ifs().empty());
    EXPECT_EQ(h->result().image->full.rgb, reread->full.rgb) << "there is no other picture any more";
}

TEST_F(Files, EscapeTakesTheErrorAwayBeforeTheBrowser) {
    std::ofstream(folder / "a.jpg") << "this is text";
    h->press(Key::o);
    h->tap("browser.item.0");
    ASSERT_NE(h->app->error(), "");
    h->press(Key::escape);
    EXPECT_EQ(h->app->error(), "");
    EXPECT_TRUE(h->shows("dialog"));
    h->press(Key::escape);
    EXPECT_FALSE(h->shows("dialog"));
}

/// What stopped a lecturer: a .jpg that is text, then a good photo, two clicks, and undo.
TEST_F(Files, UndoNeverTriesAFailedOpenAgainAndNeverSticks) {
    std::ofstream(folder / "a.jpg") << "this is text";
    picture("b.ppm");
    h->app->open({folder / "a.jpg"});
    h->settle();
    h->app->open({folder / "b.ppm"});
    h->settle();
    h->tap("map.mlp.switch");
    h->tap("token.5");
    for (int i = 0; i < 6; ++i) {
        h->press(Key::z, Key::ctrl);
        EXPECT_EQ(h->app->error(), "") << "at the undo " << i;
    }
    EXPECT_EQ(h->item("top.image").text, "cat");
    EXPECT_TRUE(h->what_ifs().empty());
    for (int i = 0; i < 6; ++i) h->press(Key::y, Key::ctrl);
    EXPECT_EQ(h->item("top.image").text, "b.ppm");
    EXPECT_EQ(h->what_ifs().size(), 1U);
}

TEST_F(Files, TheOpenDialogStaysWhereItIsWhateverIsToBeOpened) {
    h->app->ask(command::ShowDialog{"open_image"});
    h->frame(3);
    const Rect first = h->item("dialog").rect;
    for (const char* const dialog : {"open_model", "open_session", "open_lesson"}) {
        h->app->ask(command::ShowDialog{dialog});
        h->frame(3);
        EXPECT_EQ(h->item("dialog").rect.x0, first.x0) << dialog;
        EXPECT_EQ(h->item("dialog").rect.y1, first.y1) << dialog;
    }
}

TEST_F(Files, RecoveryNamesImageStepAndTime) {
    Session s = h->app->session();
    s.image = {"sun", {}};
    s.focus.step = step_index("qkv");
    save_session(s, folder / "autosave-1.vitrine");
    s.image = {"mug", {}};
    s.room = "laboratory";
    save_session(s, folder / "autosave-2.vitrine");
    h->door().state.left = kept_sessions({folder / "autosave-1.vitrine", folder / "autosave-2.vitrine"});
    h->app->ask(command::ShowDialog{"recover"});
    h->frame(3);
    EXPECT_TRUE(h->item("recover.restore").text.starts_with("sun · Query, key, value · "));
    EXPECT_TRUE(h->item("recover.restore.1").text.starts_with("mug · " + h->app->text()("lab.heads.title") + " · "));
    const std::string time = h->item("recover.restore").text.substr(h->item("recover.restore").text.rfind(' ') + 1);
    EXPECT_EQ(time.size(), 5U) << time;
    h->tap("recover.restore.1");
    EXPECT_EQ(h->item("top.image").text, "mug");
    EXPECT_EQ(h->app->state().room, "laboratory");
    EXPECT_FALSE(fs::exists(folder / "autosave-2.vitrine"));
    EXPECT_TRUE(fs::exists(folder / "autosave-1.vitrine")) << "the other one is still there for the taking";
    h->app->ask(command::ShowDialog{"recover"});
    h->frame(3);
    h->tap("recover.discard");
    EXPECT_TRUE(fs::exists(folder / "autosave-1.vitrine")) << "as long as the notice offers to undo it";
    h->app->take_in(arrival::Notice{});
    h->frame(2);
    EXPECT_FALSE(fs::exists(folder / "autosave-1.vitrine"));
    h->app->ask(command::Recover{folder / "autosave-9.vitrine"});
    h->frame(2);
    EXPECT_NE(h->app->error(), "");
}

/// A photograph that is not square is not shown as if it were.
TEST_F(Files, ThePageOfTheImageSaysThatAPhotoIsSquashed) {
    std::ofstream(folder / "wide.ppm", std::ios::binary) << "P6 4 2 255\n" << std::string(24, 'x');
    h->app->open({folder / "wide.ppm"});
    h->settle();
    go_to(*h, "image");
    EXPECT_NE(h->item("image.seen_words").text.find("squashed to 50"), std::string::npos)
        << h->item("image.seen_words").text;
    h->app->ask(command::OpenImage{{"cat", {}}});
    h->settle();
    EXPECT_EQ(h->item("image.seen_words").text.find("squashed"), std::string::npos);
}

TEST(Recent, TheNewestComeFirstOnceEachAndNotForEver) {
    const TestFolder folder;
    Settings s;
    for (int i = 0; i < 20; ++i) {
        const fs::path file = folder / (std::to_string(i) + ".png");
        std::ofstream(file) << "x";
        remember(s, FileKind::image, file);
    }
    remember(s, FileKind::image, folder / "15.png");
    EXPECT_EQ(s.recent["images"].size(), 12U);
    EXPECT_EQ(fs::path(s.recent["images"][0]).filename(), "15.png");
    EXPECT_EQ(fs::path(s.recent["images"][1]).filename(), "19.png");
    fs::remove(folder / "15.png");
    EXPECT_EQ(recent_files(s, FileKind::image).size(), 11U) << "what is gone is not offered";
    EXPECT_TRUE(recent_files(s, FileKind::model).empty());
    Settings back = *parse_settings(to_json(s));
    EXPECT_EQ(back.recent, s.recent);
}

TEST(ErrorsOverDialogs, AnErrorIsAboveAnOpenDialogAndIsDismissedThere) {
    for (const char* const dialog : {"get_model", "help", "find", "lessons"}) {
        Harness h(Harness::with_image("cat"), {1280, 720});
        h.carry_out(command::ShowDialog{dialog});
        h.settle();
        const Rect whole = h.item("dialog").rect;
        h.app->report_error("the picture cannot be read; " + std::string(300, 'x'));
        h.frame(4);
        EXPECT_LE(h.item("error").rect.y1, h.item("dialog").rect.y0) << dialog << ": its buttons stay free";
        EXPECT_LE(h.item("dialog").rect.y1, 720) << dialog;
        h.tap("error.close");
        h.frame(3);
        EXPECT_EQ(h.app->state().error, "") << dialog;
        EXPECT_NE(h.app->state().dialog, "") << dialog << " stays open";
        EXPECT_EQ(h.item("dialog").rect.y0, whole.y0) << dialog;
        EXPECT_EQ(h.item("dialog").rect.y1, whole.y1) << dialog;
    }
}

TEST(FileDialogs, AClickBesideOneClosesItUnlessSomethingWouldBeLost) {
    for (const char* const dialog : {"help", "lessons", "language", "open_image", "take_away", "glossary"}) {
        Harness h(Harness::with_image("cat"), {1920, 1080});
        h.carry_out(command::ShowDialog{dialog});
        h.settle();
        h.frame(4);
        const auto click = [&](Point at) {
            h.input.move(at.x, at.y);
            h.frame(2);
            h.input.button(0, true);
            h.input.button(0, false);
            h.frame(4);
        };
        const Rect rect = h.item("dialog").rect;
        click({rect.x0 + 3, rect.y1 - 3});
        EXPECT_EQ(h.app->state().dialog, dialog) << "a click inside";
        click({rect.x0 - 30, rect.centre().y});
        EXPECT_EQ(h.app->state().dialog, "") << dialog;
    }
    for (const char* const dialog : {"save_as", "get_model"}) {
        Harness h(Harness::with_image("cat"), {1920, 1080});
        h.carry_out(command::ShowDialog{dialog});
        h.settle();
        h.frame(4);
        const Rect rect = h.item("dialog").rect;
        h.input.move(rect.x0 - 30, rect.centre().y);
        h.frame(2);
        h.input.button(0, true);
        h.input.button(0, false);
        h.frame(4);
        EXPECT_EQ(h.app->state().dialog, dialog) << "what was typed or is loading stays";
    }
}

TEST(FileDialogs, ThePathOfAPhotoIsNotOfferedForAModel) {
    Harness h;
    const std::string photo = fs::path(VITRINE_SOURCE) / "tests/ui/images/key.png";
    h.carry_out(command::ShowDialog{"open_image"});
    h.settle();
    h.tap("browser.folder");
    h.press(Key::a, Key::ctrl);
    h.type(photo);
    h.press(Key::enter);
    h.settle();
    EXPECT_EQ(h.item("top.image").text, "key.png");
    for (const char* const dialog : {"open_model", "open_image"}) {
        h.carry_out(command::ShowDialog{dialog});
        h.settle();
        EXPECT_EQ(h.item("browser.folder").text.find("key.png"), std::string::npos) << dialog;
        EXPECT_TRUE(fs::is_directory(h.item("browser.folder").text)) << dialog;
    }
}

}  // namespace
}  // namespace vitrine
