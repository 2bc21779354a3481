#include <filesystem>

#include "app/chapters/step.h"
#include "app/chapters/steps/entering.h"
#include "app/library/library.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/rich_text.h"
#include "tests/ui/own_lessons.h"
#include "tests/ui/slow_disk.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST_F(OwnLessons, AKeyKeepsAViewOfTheTextRoomWhateverIsTyped) {
    h.change().text().enter(TextChapter::decoding);
    h.change().text().read("they say the cat is big, I say: # 50 % \"no\"");
    TextLook& look = h.door().focus().text;
    TextExperiment& experiment = h.door().workspace().text_experiment;
    look.block = 1;
    look.head = 2;
    experiment.method = DecodingMethod::beam;
    experiment.width = 3;
    experiment.forced = {"これ", "、"};
    experiment.swap = {1, ","};
    experiment.what_ifs = {"no-positions"};
    const TextLook kept = look;
    const TextExperiment kept_experiment = experiment;
    h.app->ask(command::EnterRoom{"text"});
    h.settle();
    h.press(Key::k);
    ASSERT_TRUE(fs::exists(folder / "my-lesson.lesson")) << h.app->error();
    h.app->ask(command::EnterRoom{"laboratory"});
    h.settle();
    h.press(Key::k);
    ASSERT_EQ(lesson().stops.size(), 2U) << h.app->error();
    for (const FocusWord& word : lesson().stops[1].set)
        EXPECT_FALSE(word.first.starts_with("text.")) << word.first << " is not on the screen there";
    look = {};
    experiment = {};
    h.press(Key::l);
    h.frame(40);
    h.press(Key::home);
    h.settle();
    EXPECT_EQ(h.app->state().room, "text");
    EXPECT_EQ(h.focus().text, kept);
    EXPECT_EQ(experiment, kept_experiment);
    EXPECT_EQ(h.app->error(), "");
}

TEST_F(OwnLessons, AKeyKeepsOfAnotherTasksChoicesWhatTheShownModelHas) {
    TextLook& look = h.door().focus().text;
    TextExperiment& experiment = h.door().workspace().text_experiment;
    h.change().text().enter(TextChapter::cross_attention);
    look.head = 3;
    look.block = 9;
    experiment.what_ifs = {"no-cross", "head:cross.2.1", "only:3", "no-scale"};
    h.change().text().choose(TextTask::sentiment, experiment.to);
    h.app->ask(command::EnterRoom{"text"});
    h.settle();
    h.press(Key::k);
    ASSERT_TRUE(fs::exists(folder / "my-lesson.lesson")) << h.app->error();
    ASSERT_EQ(lesson().stops.size(), 1U);
    const TextStop& kept = lesson().stops[0].text;
    EXPECT_EQ(kept.task, TextTask::sentiment);
    EXPECT_EQ(kept.head, -1) << "the mean, as it is drawn";
    EXPECT_EQ(kept.block, 0);
    EXPECT_EQ(kept.what_ifs, std::vector<std::string>{"no-scale"});
    look = {};
    experiment = {};
    h.press(Key::l);
    h.frame(40);
    h.press(Key::home);
    h.settle();
    EXPECT_EQ(h.app->error(), "");
    EXPECT_EQ(look.chapter, TextChapter::cls);
    EXPECT_EQ(experiment.what_ifs, std::vector<std::string>{"no-scale"});
}

TEST_F(OwnLessons, AKeyKeepsTheViewAsAStopAndALectureShowsItAgain) {
    h.app->ask(command::GoToChapter{"attention"});
    h.app->ask(command::Look{{{"block", "2"}, {"head", "1"}, {"token", "13"}, {"scope", "head"}}});
    h.app->ask(command::SetWhatIfs{{remove_head(1, 2)}});
    h.settle();
    const Focus focus = h.focus();
    h.press(Key::k);
    const fs::path file = folder / "my-lesson.lesson";
    ASSERT_TRUE(fs::exists(file)) << h.app->error();
    EXPECT_NE(h.app->state().notice.find(file.string()), std::string::npos) << "where it went is told";
    EXPECT_TRUE(h.shows("notice"));
    h.app->ask(command::SetWhatIfs{{}});
    h.app->ask(command::OpenImage{{"house", {}}});
    h.app->ask(command::EnterRoom{"laboratory"});
    h.app->ask(command::Look{{{"lab.instrument", "depth"}, {"scope", "model"}, {"token", "3"}}});
    h.settle();
    h.press(Key::k);
    ASSERT_EQ(lesson().stops.size(), 2U) << "the same lesson goes on";
    h.press(Key::l);
    h.frame(40);
    h.press(Key::home);
    h.settle();
    Focus shown = h.focus();
    shown.lab.instrument = focus.lab.instrument;  // which is not on the screen here
    EXPECT_TRUE(shown == focus);
    EXPECT_EQ(h.result().image->name, "cat");
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_head(1, 2)});
    h.press(Key::end);
    h.settle();
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::depth);
    EXPECT_EQ(h.focus().scope, Scope::model);
    EXPECT_EQ(h.result().image->name, "house");
    EXPECT_TRUE(h.what_ifs().empty());
}

TEST_F(OwnLessons, AFieldOfTheEditorShowsAllThatIsTyped) {
    h.app->open({written("three.txt", three_stops)});
    h.settle();
    h.app->ask(command::ChangeLesson{"open", 0, (folder / "three.txt").string()});
    h.app->ask(command::ShowDialog{"lesson"});
    h.frame(4);
    EXPECT_FALSE(h.shows("lesson.notes.whole"));
    std::string words;
    for (int i = 0; i < 60; ++i) words += "a long note ";
    change("notes", 0, words);
    h.frame(4);
    const auto is_whole = [&] {
        ASSERT_TRUE(h.shows("lesson.notes.whole"));
        const Rect whole = h.item("lesson.notes.whole").rect;
        EXPECT_LT(whole.x1, h.item("dialog").rect.x1);
        EXPECT_GT(whole.height(), 5 * h.app->theme().px(16)) << "on many lines";
        EXPECT_LE(whole.y1, h.item("lesson.question").rect.y0) << "above the next field";
    };
    is_whole();
    h.tap("lesson.notes");
    EXPECT_EQ(h.item("lesson.notes.whole").value, 1) << "below what is typed";
    is_whole();
    h.type("x");
    EXPECT_NE(h.item("lesson.notes").text.find('x'), std::string::npos);
    h.expect_readable("the editor of a lesson");
}

TEST_F(OwnLessons, AStopWithAnotherQueryIsNotAskedAboutTheClassToken) {
    h.app->open({written("query.txt", "lesson: Query\nstep: attention\ntoken: 13\nstep: attention\ntoken: 0\n")});
    h.settle();
    h.frame(40);
    EXPECT_FALSE(h.shows("lecture.ask"));
    EXPECT_FALSE(h.shows("reading.question"));
    h.press(Key::a);
    EXPECT_FALSE(h.shows("lecture.question"));
    h.app->ask(command::ShowDialog{"lesson"});
    h.frame(4);
    EXPECT_EQ(h.item("lesson.question.placeholder").text, h.app->text()("lesson.question_elsewhere"));
    EXPECT_EQ(h.item("lesson.question_usual").value, 0) << "it cannot be chosen";
    h.tap("lesson.stop.1");
    EXPECT_EQ(h.item("lesson.question.placeholder").text, without_markup(h.app->text()("step.attention.question")));
}

TEST_F(OwnLessons, AQuestionOfOnesOwnBeginsEmptyAndItsAnswerIsNotTheChapters) {
    h.app->open({written("heads.txt", "lesson: Heads\nstep: heads\n")});
    h.settle();
    h.frame(40);
    h.app->ask(command::ShowDialog{"lesson"});
    h.frame(4);
    EXPECT_EQ(h.item("lesson.answer.placeholder").text, h.app->text()("lesson.computed_answer"));
    h.tap("lesson.question_own");
    EXPECT_EQ(h.item("lesson.question").text, "");
    EXPECT_EQ(h.item("lesson.question.placeholder").text, h.app->text()("lesson.question_hint"));
    EXPECT_EQ(h.item("lesson.answer.placeholder").text, h.app->text()("lesson.answer_hint"));
    h.tap("lesson.question");
    h.type("Which head?");
    h.tap("lesson.title");
    EXPECT_EQ(own_question(lesson().stops[0], "en"), "Which head?");
    h.tap("lesson.question_usual");
    EXPECT_FALSE(own_question(lesson().stops[0], "en"));
    EXPECT_EQ(h.item("lesson.answer.placeholder").text, h.app->text()("lesson.computed_answer"));
}

TEST_F(OwnLessons, AStopIsKeptFromTheListOfLessonsByItsButton) {
    h.app->ask(command::ShowDialog{"lessons"});
    h.frame(3);
    EXPECT_FALSE(h.shows("lesson.own"));
    h.press(Key::k);
    EXPECT_FALSE(h.shows("lesson.own")) << "a letter is no command over a dialog";
    h.tap("lesson.keep");
    h.frame(3);
    EXPECT_NE(h.item("lesson.own").text.find("stops: 1"), std::string::npos);
}

TEST_F(OwnLessons, HandoutsAreOfferedInWordsAtEverySizeAndLanguage) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            h.app->ask(command::ShowDialog{"lessons"});
            h.settle();
            EXPECT_EQ(h.item("lesson.tour.handout").text, h.app->text()("lessons.handout_short"));
            EXPECT_EQ(h.item("lesson.tour.teacher").text, h.app->text()("lessons.for_teacher_short"));
            h.expect_readable("the lessons in " + language);
        }
}

TEST_F(OwnLessons, TheListOfLessonsCountsTheStopsWithoutATime) {
    h.app->ask(command::OpenLesson{written("mine.txt", three_stops).string()});
    h.settle();
    h.app->ask(command::ShowDialog{"lessons"});
    h.frame(4);
    EXPECT_NE(h.item("lesson.own").text.find("2 min + 2 without a time"), std::string::npos)
        << h.item("lesson.own").text;
    EXPECT_EQ(h.item("lesson.tour").text.find('+'), std::string::npos) << "every stop has one";
}

TEST_F(OwnLessons, TheListOfLessonsHasEveryActionOfOnesOwnInItsRow) {
    const fs::path file = written("mine.txt", three_stops);
    h.app->ask(command::OpenLesson{file.string()});
    h.settle();
    h.app->ask(command::ShowDialog{"lessons"});
    h.frame(4);
    const Rect row = h.item("lesson.own").rect, edit = h.item("lesson.own.edit").rect;
    EXPECT_EQ(row.y0, edit.y0);
    EXPECT_EQ(row.y0, h.item("lesson.own.teacher").rect.y0);
    const float edge = h.item("lesson.none").rect.x1;
    EXPECT_LE(edit.x1, edge);
    EXPECT_LE(h.item("lesson.tour.teacher").rect.x1, edge);
    const float words = measure_text(h.app->theme(), h.app->text()("lessons.for_teacher_short"), Font::body).x;
    EXPECT_GE(h.item("lesson.tour.teacher").rect.width(), words + h.app->theme().px(28)) << "whole";
}

TEST_F(OwnLessons, ANoticeOverADialogIsWholeAndLeavesItsTitleAlone) {
    const std::string path = "/home/somebody/a rather long name of a folder/with another one in it/my-lesson.lesson";
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes())
            for (const char* const dialog : {"lessons", "lesson"}) {
                Opening opening = Harness::with_image("cat");
                opening.state.settings.language = language;
                Harness at(std::move(opening), size);
                at.app->ask(command::OpenLesson{written("mine.txt", three_stops).string()});
                at.settle();
                at.press(Key::l);
                at.app->ask(command::ShowDialog{dialog});
                at.frame(4);
                const Text& text = at.app->text();
                const std::string kept = text("lessons.kept", {{"count", "3"}, {"file", path}});
                for (const std::string& words : {std::string(text("lecture.led_back")), kept}) {
                    at.app->take_in(arrival::Notice{words});
                    at.frame(3);
                    const Rect box = at.item("notice").rect;
                    const std::string where = language + " in " + dialog + ": " + words;
                    if (const Rect whole = at.item("dialog").rect; box.overlaps(whole)) {  // in the line of its title
                        EXPECT_GE(box.y0, whole.y0) << where;
                        EXPECT_LE(box.x1, at.item("dialog.close").rect.x0) << where;
                    }
                    float least = 1e6F, most = 0;  // heights of its lines, as they are seen
                    for (const Probe::Words& line : at.app->probe().words()) {
                        if (!box.contains(line.rect.centre()) || !words.starts_with(line.text.substr(0, 3))) continue;
                        least = std::min(least, line.rect.height());
                        most = std::max(most, line.rect.height());
                    }
                    EXPECT_LT(most - least, 0.5F) << where;
                    const float caption = at.app->theme().font(Font::caption)->FontSize;
                    EXPECT_GE(box.height(), caption + at.app->theme().px(6)) << where;
                }
            }
}

TEST_F(OwnLessons, WordsOnAHandoutMoveNoRow) {
    h.app->ask(command::ShowDialog{"lessons"});
    h.frame(3);
    const Rect row = h.item("lesson.tour").rect;
    h.door().state.handout_told = "Saved: /home/somebody/vitrine/vitrine-tour.html";
    h.frame(3);
    EXPECT_TRUE(h.item("lesson.handout_words").visible);
    EXPECT_EQ(h.item("lesson.tour").rect.y0, row.y0);
    EXPECT_GT(h.item("lesson.handout_words").rect.y0, h.item("lesson.presenter").rect.y1) << "at the lower end";
    h.door().state.handout_told.clear();
}

TEST_F(OwnLessons, TheOpenListOfLessonsCountsAStopThatIsKeptFromIt) {
    h.press(Key::k);
    h.app->ask(command::ShowDialog{"lessons"});
    h.frame(3);
    EXPECT_NE(h.item("lesson.own").text.find("stops: 1"), std::string::npos) << h.item("lesson.own").text;
    h.tap("lesson.keep");
    h.frame(2);
    EXPECT_NE(h.item("lesson.own").text.find("stops: 2"), std::string::npos) << h.item("lesson.own").text;
}

TEST_F(OwnLessons, AViewIsKeptInTheOpenLessonOfOnesOwnAndNeverInABundledOne) {
    const fs::path file = written("three.txt", three_stops);
    h.app->open({file});
    h.settle();
    h.press(Key::k);
    EXPECT_EQ(lesson().source, file.string());
    EXPECT_EQ(lesson().stops.size(), 4U);
    EXPECT_EQ(lecture().stop, 0) << "the lecture stays where it is";
    h.app->ask(command::OpenLesson{"heads"});
    h.settle();
    h.frame(40);
    h.press(Key::k);
    EXPECT_EQ(lesson().source, "heads") << "nor is it changed for another";
    EXPECT_TRUE(fs::exists(folder / "my-lesson.lesson"));
    h.press(Key::k);
    EXPECT_EQ(load_lesson((folder / "my-lesson.lesson").string()).stops.size(), 2U);
    EXPECT_EQ(load_lesson(file.string()).stops.size(), 4U);
}

TEST_F(OwnLessons, ViewsThatAreKeptWhileALessonIsBegunGoIntoIt) {
    for (const bool lecturing : {false, true}) {
        SlowDisk disk(h);
        const int focus = lecturing ? 2 : 1;
        if (lecturing) {
            h.app->ask(command::OpenLesson{"tour"});
            h.frame(3);
        }
        for (int i = 0; i < 2; ++i) {
            h.app->ask(command::Look{{{"block", std::to_string(focus + i)}}});
            h.app->ask(command::Do{"lesson.keep"});
            h.frame(2);
        }
        const fs::path file = folder / (lecturing ? "my-lesson-2.lesson" : "my-lesson.lesson");
        EXPECT_FALSE(fs::exists(file));
        EXPECT_EQ(h.app->state().notice.find(file.string()), std::string::npos);
        disk.go_on();
        h.settle();
        const Lesson kept = load_lesson(file.string());
        ASSERT_EQ(kept.stops.size(), 2U) << h.app->error();
        EXPECT_EQ(kept.stops[0].block, focus);
        EXPECT_EQ(kept.stops[1].block, focus + 1);
        EXPECT_EQ(lesson().source, lecturing ? "tour" : file.string());
        EXPECT_NE(h.app->state().notice.find(file.string()), std::string::npos);
        h.press(Key::k);
        EXPECT_EQ(load_lesson(file.string()).stops.size(), 3U) << "and those after it";
    }
}

TEST_F(OwnLessons, ALessonThatCannotBeBegunIsToldAndTheNextOneCan) {
    h.change()->settings.export_folder = (written("taken", "no folder") / "below").string();
    h.press(Key::k);
    EXPECT_NE(h.app->error().find("taken"), std::string::npos) << h.app->error();
    EXPECT_FALSE(lecture().lesson);
    h.change()->settings.export_folder = (folder / "free").string();
    h.press(Key::escape);
    h.press(Key::k);
    EXPECT_EQ(h.app->error(), "");
    EXPECT_EQ(load_lesson((folder / "free" / "my-lesson.lesson").string()).stops.size(), 1U);
}

TEST_F(OwnLessons, ModelsThatLearnAreKeptByTheNameOfTheirRuns) {
    h.app->ask(command::WatchLearning{"skips"});
    h.frame(4);
    h.press(Key::k);
    ASSERT_TRUE(lecture().lesson) << h.app->error();
    EXPECT_EQ(lesson().stops[0].room, "learn");
    EXPECT_EQ(lesson().stops[0].id, "skips");
    h.change()->learning.choices[0].batch = 17;
    h.press(Key::k);
    EXPECT_NE(h.app->error().find("skips"), std::string::npos) << "what has a name there is told";
}

TEST_F(OwnLessons, AKeptRecordingPlaysWhenItsLessonIsOpenedAnotherDay) {
    h.app->ask(command::WatchLearning{"norms"});
    h.frame(4);
    h.press(Key::k);
    h.press(Key::v);
    h.frame(4);
    h.press(Key::k);
    const fs::path file = folder / "my-lesson.lesson";
    ASSERT_TRUE(fs::exists(file)) << h.app->error();
    const LearningState& learning = h.app->state().learning;
    h.change()->learning = {};
    h.app->ask(command::EnterRoom{"explore"});
    h.app->ask(command::OpenLesson{file.string()});
    h.settle();
    h.frame(40);
    EXPECT_FALSE(learning.recorded) << "the first stop is live";
    EXPECT_FALSE(h.shows("lecture.again"));
    h.press(Key::page_down);
    EXPECT_EQ(h.app->state().room, "learn");
    EXPECT_TRUE(learning.recorded);
    EXPECT_TRUE(learning.playing);
    EXPECT_LT(learning.played, 1) << "from its beginning";
    EXPECT_TRUE(h.shows("learn.recorded"));
    h.press(Key::space);
    EXPECT_EQ(learning.played, 1) << "Space shows it to its end";
    EXPECT_EQ(lecture().stop, 1);
    h.tap("lecture.again");
    EXPECT_TRUE(learning.playing) << "and ▶ from its beginning";
    h.press(Key::page_up);
    EXPECT_FALSE(learning.recorded) << "the same runs, live";
    EXPECT_TRUE(h.shows("lecture.play"));
}

TEST_F(OwnLessons, ANewLessonSaysAtItsTopFromWhereItCounts) {
    for (const char* const language : {"ja", "ko", "en"}) {
        h.door().state.lecture.lesson.reset();
        h.change()->settings.lesson.clear();
        fs::remove(folder / "my-lesson.lesson");
        h.change()->settings.language = language;
        h.frame(4);
        h.change().focus().head = 1;
        h.press(Key::k);
        const std::string text = read(folder / "my-lesson.lesson");
        EXPECT_TRUE(text.starts_with("# ")) << text;
        EXPECT_NE(text.find("head: 1 = " + h.app->text()("attention.head", {{"head", "2"}})), std::string::npos)
            << text;
    }
}

TEST_F(OwnLessons, AFileThatChangesIsReadAgain) {
    const fs::path file = written("three.txt", three_stops);
    h.app->open({file});
    h.settle();
    h.frame(40);
    h.press(Key::end);
    h.settle();
    written("three.txt", "lesson: Two\nstep: image\nstep: mlp\nnotes: Anew.\n");
    wait_a_second();
    h.settle();
    EXPECT_EQ(lesson().title_in("en"), "Two");
    EXPECT_EQ(h.focus().step, step_index("mlp")) << "the last of them now";
    EXPECT_EQ(h.app->state().room, "explore");
    const Motion played{1, false, false};
    h.change()->motion = played;
    written("three.txt", "lesson: Two\nstep: image\nstep: mlp\nnotes: Only other words.\n");
    wait_a_second();
    EXPECT_EQ(own_notes(lesson().stops[1], "en"), "Only other words.");
    EXPECT_EQ(h.app->workspace().motion, played) << "what is seen does not begin anew";
    written("three.txt", "lesson: Broken\nstep: nose\n");
    wait_a_second();
    EXPECT_NE(h.app->error().find("three.txt:2: "), std::string::npos) << h.app->error();
    EXPECT_EQ(lesson().title_in("en"), "Two") << "what was open stays";
    h.press(Key::escape);
    wait_a_second();
    EXPECT_TRUE(h.app->error().empty()) << "told once";
}

TEST_F(OwnLessons, APinnedNumberThatTheModelHasNotIsNone) {
    h.app->open({written("cells.txt",
                         "lesson: Cells\nstep: image\nset: cell=image:0.99999.0\nstep: image\n"
                         "set: cell=image:0.3.2\n")});
    h.settle();
    h.frame(40);
    ASSERT_TRUE(lecture().on);
    EXPECT_FALSE(h.focus().cell);
    h.press(Key::page_down);
    ASSERT_TRUE(h.focus().cell);
    EXPECT_EQ(h.focus().cell->quantity, Quantity::image);
}

TEST_F(OwnLessons, ArrowsLeadFromStopToStopInTheLaboratoryToo) {
    h.app->open({written("lab.txt", "lesson: Lab\nlab: heads\nlab: ledger\nstep: mlp\n")});
    h.settle();
    h.frame(40);
    for (const int stop : {1, 2, 1}) {
        h.press(stop > lecture().stop ? Key::right : Key::left);
        EXPECT_EQ(lecture().stop, stop);
    }
    EXPECT_EQ(h.focus().lab.instrument, Instrument::ledger);
}

TEST_F(OwnLessons, ALessonThatIsBegunBeforeThereIsARunShowsItsStop) {
    const fs::path file = written("early.txt", "lesson: Early\nstep: mlp\nblock: 2\nstep: image\n");
    h.app = std::make_unique<Shell>(Harness::with_image("sun"));
    h.app->probe().on = true;
    ASSERT_FALSE(h.app->shown().result);
    h.app->open({file});
    h.settle();
    h.frame(40);
    ASSERT_TRUE(lecture().on);
    EXPECT_EQ(h.focus().step, step_index("mlp"));
    EXPECT_EQ(h.focus().block, 2);
}

TEST_F(OwnLessons, ALectureStaysAtItsStopWhileItsLessonIsChanged) {
    const fs::path file = written("three.txt", three_stops), other = written("other.txt", "lesson: Other\nstep: mlp\n");
    h.app->open({file});
    h.settle();
    h.frame(40);
    h.press(Key::page_down);
    ASSERT_EQ(lecture().stop, 1);
    change("open", 0, file.string());
    EXPECT_TRUE(lecture().on);
    EXPECT_EQ(lecture().stop, 1);
    change("open", 0, other.string());
    EXPECT_FALSE(lecture().on) << "the lecture along the other one ends";
    EXPECT_EQ(lesson().title_in("en"), "Other");
}

TEST_F(OwnLessons, StayAmongThoseThatCanBeChosen) {
    const fs::path one = written("one.txt", "lesson: One\nstep: mlp\n"),
                   two = written("two.txt", "lesson: Two\nstep: mlp\n");
    for (const std::string& source : {one.string(), two.string(), std::string("tour")}) {
        h.app->ask(command::OpenLesson{source});
        h.settle();
    }
    h.press(Key::l);
    h.frame(40);
    h.press(Key::l, Key::shift);
    EXPECT_EQ(h.item("lesson.own").text.substr(0, 3), "Two");
    EXPECT_EQ(h.item("lesson.own.2").text.substr(0, 3), "One");
    h.tap("lesson.own.2");
    EXPECT_TRUE(lecture().on);
    EXPECT_EQ(lesson().source, one.string());
    h.press(Key::l);
    h.frame(40);
    h.press(Key::l, Key::shift);
    h.tap("lesson.own.2.edit");
    EXPECT_EQ(lesson().title_in("en"), "Two");
    EXPECT_TRUE(h.shows("lesson.stop.0"));
    h.expect_readable("the lesson under edit");
}

TEST_F(OwnLessons, TheDialogOfLessonsSaysWhatALectureLooksLike) {
    h.door().state.monitors = {{"eDP-1", {0, 0, 1920, 1080}, {}, true}, {"HDMI-1", {1920, 0, 1280, 720}, {}, false}};
    h.press(Key::l, Key::shift);
    h.tap("lesson.presenter");
    h.tap("lesson.plays");
    h.tap("monitor.1");
    EXPECT_TRUE(h.app->state().settings.presenter);
    EXPECT_TRUE(h.app->state().settings.plays);
    EXPECT_EQ(h.app->state().settings.hall_monitor, "HDMI-1");
    h.tap("monitor.any");
    EXPECT_EQ(h.app->state().settings.hall_monitor, "");
    for (const char* const language : {"en", "ja", "ko"}) {
        h.change()->settings.language = language;
        h.frame(4);
        h.expect_readable(std::string("the lessons in ") + language);
    }
}

TEST_F(OwnLessons, AStopAtNotAnExplanationShowsTheHeadThatItNamesElseTheChaptersOwn) {
    const auto own = [&] {
        Focus focus = h.focus();
        look_on_entering(step_index("explanation"), h.result(), focus);
        return map_of(focus);
    };
    const PlacedMap chosen = own();
    const int head = chosen.at.head == 2 ? 1 : 2;
    const std::string lesson = "lesson: Maps\n\nstep: explanation\nblock: 2\nhead: " + std::to_string(head) +
                               "\ntoken: 5\n\nstep: explanation\n";
    h.app->ask(command::OpenLesson{written("maps.txt", lesson).string()});
    h.settle();
    EXPECT_EQ(map_of(h.focus()), (PlacedMap{{2, head}, 5}));
    h.app->ask(command::Do{"lecture.next_stop"});
    h.settle();
    EXPECT_EQ(map_of(h.focus()), own());
}

}  // namespace
}  // namespace vitrine
