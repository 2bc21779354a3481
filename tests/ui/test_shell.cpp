#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "app/lecture/notes.h"
#include "app/rooms/explore/steps/step.h"
#include "app/shell/kept_sessions.h"
#include "app/shell/keymap.h"
#include "app/shell/language.h"
#include "app/shell/shell.h"
#include "app/ui/languages.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

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
        for (const Command& command : commands_to(h.app->house())) lines.push_back(to_line(command));
        h.app->listen([&](const Command& command) { lines.push_back(to_line(command)); });
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

TEST(Shell, ALineThatMeansNothingIsToldAndEndsTheRecording) {
    Harness h;
    h.app->play({"[\"enter-room\",\"laboratory\"]", "[\"fly\"]", "[\"enter-room\",\"learn\"]"});
    for (int i = 0; i < 6; ++i) h.settle();
    EXPECT_NE(h.app->error().find("fly"), std::string::npos);
    EXPECT_EQ(h.app->state().room, "laboratory");
}

TEST(Shell, EveryCommandHasAnIdOfItsOwnAndANameInEveryLanguage) {
    std::set<std::string> ids;
    for (const CommandRow& row : command_table().rows()) {
        EXPECT_TRUE(ids.insert(row.id).second) << row.id << " stands in two rows";
        for (const std::string& language : language_codes()) {
            const Text text = words_of(language, false);
            EXPECT_TRUE(!row.found || text.has("command." + row.id)) << row.id << " has no name in " << language;
            EXPECT_TRUE(row.keys.empty() || text.has(row.help)) << row.id << " has no line of F1 in " << language;
        }
    }
}

TEST(Shell, NoTwoCommandsListenToOneKeyInOnePlace) {
    const auto overlap = [](const KeyContext& a, const KeyContext& b) {
        using Skin = KeyContext::Skin;
        const bool rooms = a.room == nullptr || b.room == nullptr || std::string(a.room) == b.room;
        return rooms && (a.skin == Skin::any || b.skin == Skin::any || a.skin == b.skin);
    };
    // The text room's rows stand before those of every room, and a key asks for one thing.
    const auto is_rooms_own = [](const KeyContext& c) { return c.room != nullptr && std::string(c.room) == "text"; };
    const auto& rows = command_table().rows();
    std::set<std::string> shared;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = i + 1; j < rows.size(); ++j)
            for (const Chord& a : rows[i].keys)
                for (const Chord& b : rows[j].keys)
                    if (is_rooms_own(rows[i].where) == is_rooms_own(rows[j].where) && a.key == b.key &&
                        a.ctrl == b.ctrl && overlap(rows[i].where, rows[j].where) &&
                        (a.shift == b.shift || a.shift == Chord::Shift::either || b.shift == Chord::Shift::either))
                        shared.insert(rows[i].id + " " + rows[j].id);
    // In a lecture in the laboratory the arrows walk through the instruments.
    EXPECT_EQ(shared, (std::set<std::string>{"instrument.next lecture.next", "instrument.previous lecture.previous"}));
}

TEST(Shell, TheKeySheetShowsTheKeysOfEveryCommand) {
    Harness h;
    h.press(Key::f1);
    for (const CommandRow& row : command_table().rows()) EXPECT_TRUE(row.keys.empty() || h.shows(row.help)) << row.id;
    EXPECT_NE(h.item("help.undo").text.find("Ctrl Z"), std::string::npos);
}

TEST(Shell, TheKeySheetSaysAKeyOnceHoweverManyRoomsKnowIt) {
    Harness h;
    h.press(Key::f1);
    for (const CommandRow& row : command_table().rows()) {
        if (row.keys.empty()) continue;
        const std::string keys = "  " + h.item(row.help).text + "  ";
        for (const Chord& chord : row.keys) {
            const std::string key = "  " + chord_words(chord) + "  ";
            const std::size_t first = keys.find(key);
            EXPECT_TRUE(first == std::string::npos || keys.find(key, first + 1) == std::string::npos)
                << row.id << ": " << keys;
        }
    }
}

TEST(Shell, TheKeySheetCutsNoWordsInAnyLanguageWindowOrLecture) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const bool lecture : {false, true})
            for (const std::string& language : language_codes()) {
                Harness h(Harness::with_image("cat"), size);
                h.app->state().settings.language = language;
                if (lecture) h.press(Key::l);
                h.frame(40);
                h.press(Key::f1);
                h.expect_readable("the key sheet in " + language + " at " + std::to_string(size.x));
                EXPECT_LT(h.item("help.undo").rect.x1, h.item("dialog").rect.x1);
                EXPECT_LT(h.item("help.zone").rect.x1, h.item("dialog").rect.x1);
            }
}

TEST(Shell, TheKeySheetOfALectureBeginsWithTheLecturesKeys) {
    Harness h;
    h.press(Key::f1);
    EXPECT_FALSE(h.item("help.stage").rect.y0 < h.item("help.undo").rect.y0 &&
                 h.item("help.stage").rect.x0 == h.item("help.undo").rect.x0 && h.item("help.stage").rect.y0 < 300);
    h.press(Key::f1);
    h.press(Key::l);
    h.frame(40);
    h.press(Key::f1);
    for (const char* const own : {"help.lecture_steps", "help.lecture_play", "help.stage", "help.pointers"})
        for (const char* const other : {"help.step", "help.head", "help.copy"}) {
            const Rect first = h.item(own).rect, after = h.item(other).rect;
            EXPECT_TRUE(first.x0 < after.x0 || (first.x0 == after.x0 && first.y0 < after.y0)) << own << ", " << other;
        }
}

TEST(Shell, ThePictureAndTheModelAreCalledInTheLanguageOfTheWindow) {
    Opening opening;
    opening.experiment.image = {"cat", {}};
    Harness h(std::move(opening));
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_EQ(h.item("top.model").text, "Picture book");
    for (const char* const language : {"ja", "ko"}) {
        h.app->state().settings.language = language;
        h.frame(3);
        EXPECT_EQ(h.item("top.image").text, h.app->text()("class.cat"));
        EXPECT_NE(h.item("top.image").text, "cat");
        EXPECT_EQ(h.item("top.model").text, h.app->text()("model.model"));
        EXPECT_EQ(h.app->title(), h.app->text()("class.cat") + " – Vitrine");
    }
    EXPECT_EQ(h.result().image->name, "cat") << "files and commands call it as they did";
}

TEST(Shell, AQuestionMarkOpensTheKeySheetAndClosesIt) {
    Harness h;
    h.press(Key::slash, Key::shift);
    EXPECT_EQ(h.app->state().dialog, "help");
    EXPECT_NE(h.item("help.help").text.find('?'), std::string::npos);
    h.press(Key::slash, Key::shift);
    EXPECT_EQ(h.app->state().dialog, "");
    h.press(Key::k, Key::ctrl);
    h.type("what?");
    h.press(Key::slash, Key::shift);
    EXPECT_EQ(h.app->state().dialog, "find") << "where one types it is a letter";
}

TEST(Shell, TheFinderFindsEveryCommandThatCanBeDone) {
    Harness h;
    h.press(Key::k, Key::ctrl);
    h.type("larger type");
    h.press(Key::enter);
    EXPECT_NEAR(h.app->state().settings.scale, 1.1F, 1e-5F);
    h.press(Key::k, Key::ctrl);
    h.type("laboratory");
    h.frame(2);
    EXPECT_TRUE(h.shows("find.row.0"));
    h.press(Key::escape);
    EXPECT_EQ(h.app->state().dialog, "");
}

TEST(Shell, UndoGoesBackToAPinnedNumberInAnotherChapterAndRedoStays) {
    Harness h;
    h.focus().step = step_index("layer_norm");
    h.settle();
    h.press(Key::down);
    h.frame(80);
    const Cell pinned{Quantity::q, 2, 0, 3, 4};
    h.app->ask(command::Look{{{"cell", focus_words([&] {
                                           Focus f;
                                           f.cell = pinned;
                                           return f;
                                       }())
                                           .front()
                                           .second}}});
    h.settle();
    ASSERT_EQ(h.focus().cell, pinned);
    h.frame(80);
    h.press(Key::right);
    const int after = h.focus().step;
    EXPECT_FALSE(h.focus().cell) << "another chapter lets it go";
    h.frame(80);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.focus().step, step_index("layer_norm"));
    EXPECT_EQ(h.focus().cell, pinned) << "exactly what was there";
    h.frame(80);
    EXPECT_TRUE(h.app->workspace().history.can_redo());
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.focus().step, after);
    EXPECT_FALSE(h.focus().cell);
}

TEST(Shell, AFailedOpenIsNoMomentOfTheHistory) {
    Harness h;
    h.tap("map.mlp.switch");
    h.app->open({"/nowhere/broken.jpg"});
    h.frame(2);
    h.settle();
    EXPECT_NE(h.app->error(), "");
    h.app->ask(command::OpenImage{{"mug", {}}});
    h.settle();
    EXPECT_EQ(h.app->error(), "") << "an error does not lie over what was opened after it";
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_EQ(h.what_ifs().size(), 1U);
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.app->error(), "") << "undo tries nothing again that failed";
    h.press(Key::y, Key::ctrl);
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.item("top.image").text, "mug");
}

TEST(Shell, UndoBeforeTheImageIsThereTakesBackTheOpeningAlone) {
    Harness h;
    h.tap("map.mlp.switch");
    h.app->ask(command::OpenImage{{"cat:3:hard:4096", {}}});
    h.frame(2);  // it is being drawn
    h.app->ask(command::Do{"undo"});
    h.frame(2);
    h.settle();
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_EQ(h.what_ifs().size(), 1U) << "one step, not two";
}

TEST(Shell, UndoStaysInTheRoomWhereTheChangeWasMade) {
    Harness h;
    h.press(Key::f3);
    h.press(Key::right);
    h.frame(60);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::heads);
}

TEST(Shell, ASessionOfTheSamePictureCanBeUndone) {
    const TestFolder folder;
    Harness h;
    Session s = h.app->session();
    s.focus.block = 3;
    s.what_ifs = {"mlp:2"};
    save_session(s, folder / "a.vitrine");
    h.app->open({folder / "a.vitrine"});
    h.frame(2);
    h.settle();
    ASSERT_EQ(h.focus().block, 3);
    ASSERT_EQ(h.what_ifs().size(), 1U);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.focus().block, 1);
    EXPECT_TRUE(h.what_ifs().empty());
}

TEST(Shell, ARecoveryThatFailsIsOfferedAgain) {
    const TestFolder folder;
    Harness h;
    std::ofstream(folder / "left.vitrine") << "no session";
    h.app->state().left = {kept_session(folder / "left.vitrine")};
    h.app->ask(command::Do{"recover"});
    h.frame(2);
    EXPECT_NE(h.app->error(), "");
    EXPECT_EQ(h.app->state().left.size(), 1U);
    EXPECT_TRUE(std::filesystem::exists(folder / "left.vitrine"));
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

TEST(Shell, NothingInTheTopBarLiesOverAnotherHoweverLittleRoomThereIs) {
    struct Display {
        ImVec2 size;
        float scale;
    };
    for (const Display& display : {Display{{800, 600}, 2}, {{1024, 700}, 1.5F}, {{1280, 720}, 1}, {{3840, 2160}, 1}}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(display.size.x)));
        Opening state = Harness::with_image("cat");
        state.state.settings.scale = display.scale;
        Harness h(std::move(state), display.size);
        std::vector<std::pair<std::string, Rect>> items;
        for (const auto& [id, item] : h.app->probe().items())
            if (id.starts_with("top.") && id != "top.selection" && item.visible) items.emplace_back(id, item.rect);
        EXPECT_GT(items.size(), 3U);
        for (std::size_t i = 0; i < items.size(); ++i)
            for (std::size_t j = i + 1; j < items.size(); ++j)
                EXPECT_FALSE(items[i].second.inset(1).overlaps(items[j].second.inset(1)))
                    << items[i].first << " lies over " << items[j].first;
    }
}

TEST(Shell, ARecordedImageThatIsNoneIsToldAndTheOldOneStays) {
    for (const char* const sample : {"", "nothing of ours", "cat:1:hard:9999999"}) {
        Harness h;
        h.app->ask(command::OpenImage{{sample, {}}});
        h.settle();
        EXPECT_NE(h.app->error().find("is no sample"), std::string::npos) << sample;
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

TEST(Shell, AStopThatShowsTheSameStepBeginsItsMotionAnew) {
    const TestFolder folder;
    std::ofstream(folder / "l.txt") << "lesson: twice\nstep: residual\nstep: residual\nblock: 2\n";
    Harness h;
    h.app->open({folder / "l.txt"});
    h.frame(60);
    h.settle();
    h.press(Key::space);
    h.frame(100);
    ASSERT_EQ(h.app->workspace().motion.time, 1.0F);
    h.press(Key::space);
    EXPECT_EQ(h.focus().block, 2);
    EXPECT_TRUE(h.app->workspace().motion.waits);
}

TEST(Shell, KeysOfTheWindowAreSilentWhileNotesAreWritten) {
    Harness h;
    h.press(Key::l);
    h.frame(40);
    h.press(Key::n);
    const std::string key = notes_key(h.app->state(), h.focus());
    h.tap("notes.edit");
    h.tap("notes.text");
    const int step = h.focus().step;
    h.type("My own words");
    h.press(Key::k, Key::ctrl);
    h.press(Key::right);
    EXPECT_EQ(h.focus().step, step);
    EXPECT_EQ(h.app->state().dialog, "");
    const auto& notes = h.app->state().settings.notes;
    ASSERT_EQ(notes.size(), 1U) << "one place's notes only";
    EXPECT_EQ(notes.begin()->first, key);
    EXPECT_NE(notes.at(key).find("My own words"), std::string::npos) << notes.at(key);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.focus().step, step) << "Ctrl Z is the text's";
    EXPECT_EQ(notes.at(key).find("My own words"), std::string::npos) << notes.at(key);
}

TEST(Shell, NotesMayBeLongAndEscapeKeepsThem) {
    Harness h;
    h.press(Key::l);
    h.frame(40);
    h.press(Key::n);
    const std::string key = notes_key(h.app->state(), h.focus());
    h.app->ask(command::SetNotes{key, std::string(6000, 'x')});
    h.frame(2);
    h.tap("notes.edit");
    h.tap("notes.text");
    h.type("end");
    EXPECT_EQ(h.app->state().settings.notes.at(key).size(), 6003U);
    h.press(Key::escape);
    EXPECT_EQ(h.app->state().settings.notes.at(key).size(), 6003U);
    EXPECT_EQ(h.app->state().lecture.editing, "");
    EXPECT_TRUE(h.app->state().lecture.on) << "Escape ends the writing, not the lecture";
}

TEST(Shell, OpeningTheNotesMakesThemNobodysOwn) {
    Harness h;
    h.press(Key::l);
    h.frame(40);
    h.press(Key::n);
    h.tap("notes.edit");
    h.tap("notes.edit");
    EXPECT_TRUE(h.app->state().settings.notes.empty()) << "the notes of another language would be frozen";
}

TEST(Shell, NotesComeAndGoInALecture) {
    for (const char* const step : {"image", "attention", "models"}) {
        Harness h;
        h.focus().step = step_index(step);
        h.settle();
        h.press(Key::l);
        h.frame(60);
        h.press(Key::right);
        h.press(Key::n);
        EXPECT_TRUE(h.shows("lecture.notes"));
        h.press(Key::n);
        EXPECT_FALSE(h.shows("lecture.notes"));
    }
}

TEST(Shell, BehindABlackScreenNothingMoves) {
    Harness h;
    h.focus().step = step_index("attention");
    h.settle();
    h.press(Key::l);
    h.frame(40);
    const int step = h.focus().step;
    h.press(Key::b);
    ASSERT_TRUE(h.app->state().lecture.black);
    h.press(Key::right);
    h.press(Key::x);
    h.press(Key::f1);
    h.press(Key::tab);
    h.press(Key::space);
    EXPECT_EQ(h.focus().step, step);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.app->state().dialog, "");
    h.press(Key::escape);
    EXPECT_FALSE(h.app->state().lecture.black);
    EXPECT_TRUE(h.app->state().lecture.on);
}

TEST(Shell, AModelWhoseFileHasChangedIsOfferedAndReadAnew) {
    const TestFolder folder;
    for (const char* const name : {"config.json", "model.safetensors"})
        std::filesystem::copy(std::filesystem::path(VITRINE_GOLDEN) / "models/tiny_hf" / name, folder / name);
    Harness h;
    h.app->open({folder.path()});
    h.frame(2);
    h.settle();
    const auto before = h.app->shown().result->model;
    h.tap("map.mlp.switch");
    EXPECT_FALSE(h.shows("model.changed"));
    const auto file = folder / "model.safetensors";
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(5));
    h.frame(70);  // it looks once a second
    ASSERT_TRUE(h.shows("model.changed"));
    h.tap("model.reload");
    EXPECT_NE(h.app->shown().result->model, before);
    EXPECT_EQ(h.what_ifs().size(), 1U) << "what is switched off stays off";
    h.frame(70);
    EXPECT_FALSE(h.shows("model.changed"));
}

TEST(Shell, TwoWorkspacesHaveEachTheirOwnExperimentResultSelectionAndHistory) {
    Harness h;
    h.tap("map.mlp.switch");
    h.app->house().workspaces.add();
    h.app->ask(command::OpenImage{{"mug", {}}});
    h.frame(2);
    h.settle();
    h.press(Key::down);
    EXPECT_EQ(h.item("top.image").text, "mug");
    EXPECT_EQ(h.focus().block, 2);
    Workspaces& all = h.app->house().workspaces;
    ASSERT_EQ(all.all().size(), 2U);
    const Workspace& first = *all.all()[0];
    const Workspace& second = *all.all()[1];
    EXPECT_EQ(first.shown.result->image->name, "cat");
    EXPECT_EQ(second.shown.result->image->name, "mug");
    EXPECT_EQ(first.selection.focus.block, 1);
    EXPECT_EQ(first.shown.result->model, second.shown.result->model) << "weights lie in memory once";
    all.show(0);
    h.settle();
    EXPECT_EQ(h.item("top.image").text, "cat");
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(second.selection.focus.block, 2) << "undo belongs to its workspace";
    EXPECT_EQ(second.shown.result->image->name, "mug");
}

TEST(Shell, TheLastWorkspaceCannotBeClosed) {
    Workspaces all;
    all.add();
    all.close(0);
    ASSERT_EQ(all.all().size(), 1U);
    EXPECT_EQ(all.visible().id, 2);
    all.close(0);
    EXPECT_EQ(all.all().size(), 1U);
}

TEST(Shell, AJobOfAWorkspaceThatIsNotVisibleGoesOn) {
    Harness h;
    h.app->house().workspaces.add();
    h.app->house().workspaces.all()[0]->experiment.image = {"sun", {}};
    h.settle();
    EXPECT_EQ(h.app->house().workspaces.all()[0]->shown.result->image->name, "sun");
    EXPECT_EQ(h.item("top.image").text, "cat");
}

}  // namespace
}  // namespace vitrine
