#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "app/frame/draft.h"
#include "app/sessions/kept_sessions.h"
#include "tests/ui/own_lessons.h"

namespace vitrine {
namespace {

/// The state in the words of a session, its settings, what learns and what lies over the window.
std::string state_in_words(Harness& h) {
    std::string words = to_json(h.app->session()) + to_json(h.app->state().learning) + h.app->state().dialog;
    for (const auto& [name, value] : changed_settings(Settings(), h.app->state().settings))
        words += name + "=" + value + "\n";
    return words + (h.app->state().lecture.on ? "lecturing" : "") + std::to_string(h.app->state().lecture.stop);
}

/// A visit with keys, clicks, the finder, what-ifs, undo, the laboratory, a drop and a lecture.
void wander(Harness& h) {
    h.press(Key::right);
    h.press(Key::down);
    h.press(Key::digit_2);
    h.tap("map.mlp.switch");
    h.tap("token.14");
    h.press(Key::x);
    h.press(Key::z, Key::ctrl);
    h.press(Key::f3);
    h.press(Key::right);
    h.press(Key::p);
    h.tap("lab.tab.lens");
    h.press(Key::s);
    h.press(Key::t);
    h.press(Key::k, Key::ctrl);
    h.type("Step: Softmax");
    h.press(Key::escape);
    h.app->ask(command::OpenImage{{"mug", {}}});
    h.settle();
    h.press(Key::f2);
    h.press(Key::d);
    h.tap("section.words");
    h.press(Key::f4);
    h.tap("learn.tab.own");
    h.tap("learn.skips");
    h.press(Key::f2);
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    h.press(Key::page_down);
    h.frame(100);  // its motion comes to its end
    h.press(Key::page_down);
    h.press(Key::n);
    h.press(Key::l);
    h.frame(60);
    h.app->ask(command::GoToChapter{"attention"});
    h.settle();
    h.hover("map.head.3");
    h.press(Key::x);
    h.press(Key::down);
    h.frame(60);
    h.press(Key::down);
    h.frame(60);
    h.press(Key::z, Key::ctrl);
}

TEST(Shell, ARecordingPlayedInAFreshWindowGivesTheSameState) {
    std::vector<std::string> lines;
    std::string wanted, before_that;
    {
        Harness h;
        for (const Command& command : commands_to(h.app->context()))
            lines.push_back(to_line(command, h.app->context().workspace().config()));
        h.app->listen(
            [&](const Command& command) { lines.push_back(to_line(command, h.app->context().workspace().config())); });
        wander(h);
        wanted = state_in_words(h);
        h.app->listen({});
        h.press(Key::z, Key::ctrl);
        before_that = state_in_words(h);
    }
    ASSERT_GT(lines.size(), 25U);
    Opening other = Harness::with_image("sun");
    other.state.settings.language = "ja";
    other.state.settings.motion = false;
    Harness fresh(std::move(other));
    fresh.app->play(lines);
    for (std::size_t i = 0; i < 20 * lines.size() && fresh.app->busy(); ++i) fresh.settle();
    EXPECT_EQ(fresh.app->error(), "");
    EXPECT_EQ(state_in_words(fresh), wanted);
    fresh.press(Key::z, Key::ctrl);
    EXPECT_EQ(state_in_words(fresh), before_that) << "the history is the same, too";
}

TEST(Shell, ARecordingBeginsWithTheUsersEpsilon) {
    std::vector<std::string> lines;
    {
        Opening opening = Harness::with_image("cat");
        opening.experiment.model.epsilon = 0.5F;
        Harness h(std::move(opening));
        for (const Command& command : commands_to(h.app->context()))
            lines.push_back(to_line(command, h.app->context().workspace().config()));
    }
    Harness fresh;
    fresh.app->play(lines);
    for (std::size_t i = 0; i < 20 * lines.size() && fresh.app->busy(); ++i) fresh.settle();
    EXPECT_EQ(fresh.app->error(), "");
    EXPECT_EQ(fresh.result().model->config.layer_norm_epsilon, 0.5F);
}

TEST(Shell, ALineThatMeansNothingIsToldAndEndsTheRecording) {
    Harness h;
    h.app->play({"[\"enter-room\",\"laboratory\"]", "[\"fly\"]", "[\"enter-room\",\"learn\"]"});
    for (int i = 0; i < 6; ++i) h.settle();
    EXPECT_NE(h.app->error().find("fly"), std::string::npos);
    EXPECT_EQ(h.app->state().room, "laboratory");
}

TEST(Shell, WhatARecordingSaysIsNotTakenOnTrust) {
    Harness h;
    h.app->ask(command::Look{{{"block", "900"}, {"token", "5000"}}});
    h.frame(2);
    EXPECT_EQ(h.focus().block, h.result().model->config.blocks);
    h.app->ask(command::ShowDialog{"nothing"});
    h.frame(2);
    EXPECT_EQ(h.app->state().dialog, "");
    EXPECT_NE(h.app->error().find("nothing"), std::string::npos);
    h.app->ask(command::EnterRoom{"cellar"});
    h.frame(2);
    EXPECT_EQ(h.app->state().room, "explore");
    EXPECT_NE(h.app->error().find("cellar"), std::string::npos);
}

TEST(Shell, ARecordedImageThatIsNoneIsToldAndTheOldOneStays) {
    for (const char* const sample : {"", "nothing of ours", "cat:1:hard:9999999"}) {
        Harness h;
        h.app->ask(command::OpenImage{{sample, {}}});
        h.settle();
        EXPECT_NE(h.app->error().find("is not a sample"), std::string::npos) << sample;
        EXPECT_EQ(h.app->workspace().experiment.image.sample, "cat");
    }
}

TEST(Shell, ARecordedLookAtANumberThatTheModelHasNotPinsNone) {
    Harness h;
    h.app->ask(command::Look{{{"cell", "block.60.q:0.1.2"}}});
    h.settle();
    EXPECT_FALSE(h.focus().cell);
    h.app->ask(command::Look{{{"cell", "block.2.q:0.1.2"}}});
    h.settle();
    EXPECT_TRUE(h.focus().cell);
}

/// All files below a folder with what they hold.
std::map<std::filesystem::path, std::string> files_below(const std::filesystem::path& folder) {
    std::map<std::filesystem::path, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        files[entry.path()] = entry.is_regular_file() ? read(entry.path()) : "";
    return files;
}

TEST(Shell, ARecordingThatIsPlayedWritesIntoItsScratchFolderAlone) {
    const TestFolder home;
    const std::filesystem::path session = home / "mine.vitrine", lesson = home / "my.lesson",
                                left = home / "autosave-0a1b.vitrine", chosen = home / "exports",
                                stranger = home / "autostart";
    write(session, "a shopping list");
    write(lesson, three_stops);
    Harness h;
    save_session(h.app->session(), left);
    save_session(h.app->session(), home / "own.vitrine");
    h.door().state.left = {kept_session(left)};
    h.change()->settings.export_folder = chosen.string();
    h.change()->settings.model_folder = (home / "models").string();
    const auto before = files_below(home.path());
    std::vector<std::string> lines;
    const std::string name = '"' + stranger.string() + '"';
    for (const Command& command : std::vector<Command>{
             command::ChangeSettings{{{"export_folder", name}, {"model_folder", name}, {"theme", "\"light\""}}},
             command::ExportPicture{"stage", "svg"}, command::Do{"bibtex"}, command::SaveSession{session},
             command::SaveSession{home / "new" / "other.vitrine"}, command::OpenSession{home / "own.vitrine"},
             command::Look{{{"block", "2"}}}, command::Do{"save"}, command::Do{"lesson.keep"},
             command::ChangeLesson{"open", 0, lesson.string()}, command::ChangeLesson{"title", 0, "Emptied"},
             command::ChangeLesson{"remove", 0, ""}, command::Do{"lesson.keep"}, command::Recover{left},
             command::Do{"forget"}})
        lines.push_back(to_line(command, h.app->context().workspace().config()));
    h.app->play(lines);
    for (std::size_t i = 0; i < 20 * lines.size() && h.app->busy(); ++i) h.settle();
    EXPECT_EQ(files_below(home.path()), before);
    EXPECT_NE(h.app->error().find("playing a recording writes only into"), std::string::npos) << h.app->error();
    EXPECT_EQ(h.app->state().settings.export_folder, chosen.string());
    EXPECT_EQ(h.app->state().settings.theme, ThemeKind::light) << "what writes nothing is done";
    const std::filesystem::path scratch = h.app->context().scratch->path();
    for (const char* const written : {"vitrine.bib", "my-lesson.lesson"})
        EXPECT_TRUE(std::filesystem::exists(scratch / written)) << written;

    h.app->ask(command::Do{"bibtex"});  // of the user, once it is over
    h.settle();
    EXPECT_TRUE(std::filesystem::exists(chosen / "vitrine.bib"));
}

/// Plays commands to their end.
void play_to_the_end(Harness& h, const std::vector<Command>& commands) {
    std::vector<std::string> lines;
    for (const Command& command : commands) lines.push_back(to_line(command, h.app->context().workspace().config()));
    h.app->play(lines);
    for (std::size_t i = 0; i < 20 * lines.size() && h.app->busy(); ++i) h.settle();
    EXPECT_EQ(h.app->error(), "");
}

TEST(Shell, WhatAUserKeepsAfterARecordingGoesIntoNoFileOfTheRecordings) {
    for (const bool lecturing : {false, true}) {
        const TestFolder exports;
        Harness h;
        h.change()->settings.export_folder = exports.path().string();
        std::vector<Command> recorded = {command::Do{"lesson.keep"}, command::Do{"lesson.keep"}};
        if (lecturing) recorded.insert(recorded.begin(), command::OpenLesson{"tour"});
        play_to_the_end(h, recorded);
        const std::filesystem::path theirs = h.app->context().scratch->path() / "my-lesson.lesson",
                                    own = exports / "my-lesson.lesson";
        const std::string before = read(theirs);
        EXPECT_EQ(load_lesson(theirs.string()).stops.size(), 2U);
        for (const std::size_t stops : {1U, 2U}) {
            h.press(Key::k);
            ASSERT_TRUE(std::filesystem::exists(own)) << h.app->error();
            EXPECT_EQ(load_lesson(own.string()).stops.size(), stops);
            EXPECT_NE(h.app->state().notice.find(own.string()), std::string::npos) << h.app->state().notice;
        }
        EXPECT_EQ(read(theirs), before);
        EXPECT_EQ(h.app->state().lecture.on, lecturing) << "what is shown stays";
    }
}

TEST(Shell, RunsThatARecordingSavedAreAskedAboutBeforeTheWindowCloses) {
    const TestFolder models;
    Harness h;
    h.change()->settings.model_folder = models.path().string();
    LearningState smallest;
    smallest.choices[0].size = LearningSize::tiny;
    smallest.own = true;
    play_to_the_end(
        h, {command::ChangeLearning{to_json(smallest)}, command::EnterRoom{"learn"}, command::Do{"learn.step"}});
    play_to_the_end(h, {command::SaveLearned{0}});
    ASSERT_TRUE(std::filesystem::exists(h.app->context().scratch->path() / "learned-a-32"));
    EXPECT_TRUE(std::filesystem::is_empty(models.path()));
    EXPECT_FALSE(h.app->may_close()) << "that folder goes with the window";
    h.frame(3);
    h.tap("closing.save");
    EXPECT_TRUE(h.app->wants_to_quit());
    EXPECT_TRUE(std::filesystem::exists(models / "learned-a-32"));
}

TEST(Shell, ARecordedPictureIsOfAKindThatThereIs) {
    Harness h;
    const TestFolder home;
    h.change()->settings.export_folder = (home / "exports").string();
    h.app->ask(command::ExportPicture{"stage", "svg/../../../hidden", 1, false, true});
    h.settle();
    EXPECT_NE(h.app->error().find("not a picture format"), std::string::npos) << h.app->error();
    EXPECT_TRUE(std::filesystem::is_empty(home.path()));
}

}  // namespace
}  // namespace vitrine
