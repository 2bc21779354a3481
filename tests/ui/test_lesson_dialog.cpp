#include <filesystem>

#include "app/frame/keymap.h"
#include "app/lecture/notes.h"
#include "app/ui/widgets/rich_text.h"
#include "tests/ui/own_lessons.h"
#include "tests/ui/slow_disk.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST_F(OwnLessons, StopsAreMovedTakenOutAndBroughtBackInTheirDialog) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    EXPECT_FALSE(lecture().on);
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    EXPECT_TRUE(h.item("lesson.stop.0").text.starts_with("1   " + h.app->text()("step.image.title")));
    h.tap("lesson.stop.0.down");
    EXPECT_EQ(lesson().stops[1].id, "image");
    EXPECT_TRUE(read(file).find("# one\nstep: image") != std::string::npos) << "with its remarks";
    h.tap("lesson.stop.2.remove");
    EXPECT_EQ(lesson().stops.size(), 2U);
    EXPECT_EQ(read(file).find("ledger"), std::string::npos);
    h.tap("lesson.take_back");
    EXPECT_EQ(lesson().stops.size(), 3U);
    h.tap("lesson.take_back");
    EXPECT_EQ(read(file), three_stops);
    h.tap("lesson.more");
    EXPECT_EQ(lesson().stops[1].minutes, 0.5F) << "of the stop that was moved, which stays the chosen one";
    h.tap("lesson.less");
    EXPECT_FALSE(lesson().stops[1].minutes);
    h.tap("lesson.keep");
    EXPECT_EQ(lesson().stops.size(), 4U);
    h.tap("lesson.begin");
    EXPECT_TRUE(lecture().on);
}

TEST_F(OwnLessons, NotesAndTitleAreWrittenInTheirDialog) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.stop.1");
    EXPECT_EQ(h.item("lesson.notes").text, "Second.");
    h.tap("lesson.notes");
    h.type("Say: ");
    EXPECT_EQ(own_notes(lesson().stops[1], "en"), "Second.") << "not while it is typed";
    h.tap("lesson.title");
    EXPECT_NE(own_notes(lesson().stops[1], "en").find("Say:"), std::string::npos);
    h.type("My ");
    h.press(Key::escape);
    EXPECT_FALSE(h.shows("lesson.title"));
    EXPECT_NE(lesson().title_in("en").find("My"), std::string::npos) << "Escape closes and keeps what was typed";
    EXPECT_EQ(own_notes(load_lesson(file.string()).stops[0], "en"), "First.");
}

TEST_F(OwnLessons, ChoicesAreWrittenInTheirDialogAndOfferedInTheLecture) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    change("question", 0, "How many?");
    change("choices", 0, "three\n* four\nfive");
    h.settle();
    EXPECT_EQ(h.item("lesson.choices").text, "three\n* four\nfive");
    EXPECT_EQ(own_choices(load_lesson(file.string()).stops[0], "en").size(), 3U);
    h.tap("lesson.choices");
    h.press(Key::end, Key::ctrl);
    h.press(Key::enter);
    h.type("six");
    h.tap("lesson.title");
    ASSERT_EQ(own_choices(lesson().stops[0], "en").size(), 4U);
    EXPECT_EQ(own_choices(lesson().stops[0], "en")[3].words, "six");
    EXPECT_TRUE(own_choices(lesson().stops[0], "en")[1].right);
    EXPECT_NE(read(file).find("choice: * four\n"), std::string::npos) << read(file);
    change("choices", 0, "");
    EXPECT_TRUE(own_choices(load_lesson(file.string()).stops[0], "en").empty());
    EXPECT_NE(read(file).find("# one\nstep: image"), std::string::npos) << "other lines stay";
    change("choices", 0, "three\nfour");
    EXPECT_FALSE(h.app->state().error.empty()) << "one of them has to be correct";
}

TEST_F(OwnLessons, ChoicesTypedFastHaveALineEach) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    EXPECT_EQ(h.item("lesson.choices.placeholder").text, h.app->text()("lesson.choices_hint")) << "a line each";
    EXPECT_NE(h.app->text()("lesson.choices_how").find("Enter"), std::string::npos);
    h.tap("lesson.choices");
    for (const char c : std::string("* 0")) h.input.character(static_cast<unsigned char>(c));
    h.input.key(glfw_number(Key::enter), true);
    h.input.character('1');  // the next key goes down before Enter goes up
    h.input.key(glfw_number(Key::enter), false);
    h.frame(8);
    EXPECT_EQ(h.item("lesson.choices").text, "* 0\n1");
    h.tap("lesson.title");
    ASSERT_EQ(own_choices(load_lesson(file.string()).stops[0], "en").size(), 2U);
    EXPECT_EQ(own_choices(lesson().stops[0], "en")[1].words, "1");
}

TEST_F(OwnLessons, TheEditorOffersThePresentersWindowAndTheHallsMonitor) {
    h.door().state.monitors = {{"eDP-1", {0, 0, 1920, 1080}, {}, true}, {"HDMI-1", {1920, 0, 1280, 720}, {}, false}};
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.presenter");
    EXPECT_TRUE(h.app->state().settings.presenter);
    h.tap("monitor.1");
    EXPECT_EQ(h.app->state().settings.hall_monitor, "HDMI-1");
    h.app->ask(command::ShowDialog{"lessons"});
    h.settle();
    EXPECT_EQ(h.item("lesson.presenter").value, 1) << "the same setting as in the list of lessons";
    h.tap("monitor.any");
    EXPECT_EQ(h.app->state().settings.hall_monitor, "");
}

TEST(LessonEditor, ShowsEveryFieldWholeInALowWindow) {
    const TestFolder folder;
    const fs::path file = folder / "three.txt";
    write(file, three_stops);
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
            for (const bool projector : {false, true}) {
                Opening opening = Harness::with_image("cat");
                opening.state.settings.language = language;
                Harness h(std::move(opening), size);
                if (projector)
                    h.door().state.monitors = {{"eDP-1", {0, 0, 1920, 1080}, {}, true},
                                               {"HDMI-1", {1920, 0, 1280, 720}, {}, false}};
                h.app->ask(command::ChangeLesson{"open", 0, file.string()});
                h.app->ask(command::ShowDialog{"lesson"});
                h.settle();
                h.frame(12);
                const std::string where = std::string(language) + " at " + std::to_string(size.x);
                const Rect answer = h.item("lesson.answer").rect, begin = h.item("lesson.begin").rect;
                EXPECT_LT(answer.y1, begin.y0) << where;
                EXPECT_GE(answer.height(), h.app->theme().px(36)) << where << ": it is cut";
                EXPECT_NEAR(answer.height() / h.item("lesson.choices").rect.height(), 0.76, 0.05)
                    << where << ": no more cut than the others";
                EXPECT_LE(h.item("lesson.presenter").rect.y1, h.item("dialog").rect.y1) << where;
                h.expect_readable("the lesson's editor in " + where);
            }
}

TEST_F(OwnLessons, ASlowDiskKeepsNoChangeWaitingAndTheFileGetsThemAllInTheirOrder) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    SlowDisk disk(h);
    for (const command::ChangeLesson& each :
         {command::ChangeLesson{"title", 0, "Mine"}, {"move", 0, "2"}, {"remove", 0, ""}})
        h.app->ask(each);
    h.app->ask(command::Do{"lesson.keep"});
    h.app->ask(command::ChangeLesson{"stop_title", 2, "Kept"});
    h.frame(3);
    EXPECT_EQ(lesson().title_in("en"), "Mine");
    ASSERT_EQ(lesson().stops.size(), 3U);
    EXPECT_EQ(lesson().stops[0].id, "ledger");
    EXPECT_EQ(lesson().stops[1].id, "image");
    EXPECT_EQ(own_title(lesson().stops[2], "en"), "Kept");
    wait_a_second();
    EXPECT_EQ(lesson().title_in("en"), "Mine") << "the file that is not written yet is not read";
    EXPECT_EQ(read(file), three_stops);
    EXPECT_FALSE(h.shows("notice")) << "nothing is told before it is there";
    disk.go_on();
    h.settle();
    EXPECT_EQ(h.app->error(), "");
    EXPECT_EQ(load_lesson(file.string()).stops, lesson().stops);
    EXPECT_NE(h.app->state().notice.find(file.string()), std::string::npos);
    wait_a_second();
    for (int i = 0; i < 5; ++i) change("take_back", 0, "");
    EXPECT_EQ(read(file), three_stops) << "what this window wrote is no change of somebody else's";
}

TEST_F(OwnLessons, ALessonIsOpenedAsItWillBeWritten) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    {
        SlowDisk disk(h);
        h.app->ask(command::ChangeLesson{"title", 0, "Mine"});
        h.frame(2);
        h.app->ask(command::OpenLesson{"tour"});
        h.frame(2);
    }
    h.app->ask(command::OpenLesson{file.string()});
    h.frame(2);
    EXPECT_EQ(lesson().title_in("en"), "Mine");
}

TEST_F(OwnLessons, WhatSomebodyElseWroteMeanwhileStaysAndIsShown) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    const auto& notes = h.app->state().settings.notes;
    h.change()->settings.notes[notes_key(lesson().source, 0)] = "Smile.";
    SlowDisk disk(h);
    h.app->ask(command::ChangeLesson{"title", 0, "Mine"});
    h.app->ask(command::ChangeLesson{"minutes", 0, "3"});
    h.frame(2);
    EXPECT_TRUE(notes.empty()) << "they are part of the lesson";
    written("three.txt", "lesson: Theirs\nstep: mlp\nstep: image\n");
    disk.go_on();
    h.settle();
    EXPECT_NE(h.app->error().find("three.txt: was just changed by another program"), std::string::npos)
        << h.app->error();
    EXPECT_EQ(read(file), "lesson: Theirs\nstep: mlp\nstep: image\n");
    EXPECT_EQ(lesson().title_in("en"), "Theirs");
    EXPECT_EQ(notes.at(notes_key(lesson().source, 0)), "Smile.") << "where they were before";
    change("title", 0, "Ours");
    EXPECT_EQ(load_lesson(file.string()).title_in("en"), "Ours");
}

TEST_F(OwnLessons, WhatIsTypedIsKeptWhenTheWindowIsClosedAtOnce) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.notes");
    h.type("x");
    EXPECT_EQ(read(file), three_stops) << "not while it is typed";
    EXPECT_FALSE(h.app->may_close()) << "first the field is left";
    h.frame(2);
    EXPECT_NE(own_notes(load_lesson(file.string()).stops[0], "en").find('x'), std::string::npos);
    EXPECT_TRUE(h.app->wants_to_quit()) << "and the window closes by itself";
    EXPECT_TRUE(h.app->may_close());
}

TEST_F(OwnLessons, AStopHasATitleOfItsOwnWhereOneIsWritten) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.stop.1");
    EXPECT_EQ(h.item("lesson.stop_title").text, "");
    h.tap("lesson.stop_title");
    h.type("Six views at once");
    h.tap("lesson.notes");
    EXPECT_EQ(own_title(load_lesson(file.string()).stops[1], "en"), "Six views at once");
    EXPECT_NE(h.item("lesson.stop.1").text.find("Six views at once"), std::string::npos);
    EXPECT_EQ(h.item("lesson.notes").text, "Second.");
    change("stop_title", 1, "");
    EXPECT_EQ(read(file).find("title:"), std::string::npos) << "without words it has its place's name again";
    EXPECT_NE(h.item("lesson.stop.1").text.find(h.app->text()("step.heads.title")), std::string::npos);
}

TEST_F(OwnLessons, AStopsOwnTitleIsTheHeadingThatIsProjected) {
    const fs::path file =
        written("titles.txt",
                "lesson: Titles\n\nstep: heads\ntitle: Six views at once\n\nstep: mlp\n\nlab: ledger\n"
                "title: Who decides?\n\ntext: self_attention\ntitle: Words look at words\n");
    h.app->open({file});
    h.settle();
    h.frame(40);
    EXPECT_EQ(h.item("stage.heading").text, "Six views at once");
    h.expect_readable("a heading of one's own");
    h.press(Key::page_down);
    EXPECT_EQ(h.item("stage.heading").text, h.app->text()("step.mlp.title")) << "without one its place's name";
    h.press(Key::page_down);
    EXPECT_EQ(h.item("stage.heading").text, "Who decides?");
    h.press(Key::page_down);
    EXPECT_EQ(h.item("stage.heading").text, "Words look at words");
    h.press(Key::escape);
    h.frame(40);
    EXPECT_NE(h.item("stage.heading").text, "Words look at words") << "it is the lecture's";
}

TEST_F(OwnLessons, AStopHasAQuestionOfItsOwnOrNone) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.stop.1");
    EXPECT_EQ(h.item("lesson.question").text, "");
    EXPECT_EQ(h.item("lesson.question.placeholder").text, without_markup(h.app->text()("step.heads.question")))
        << "the step's own holds while the field is empty";
    EXPECT_EQ(h.item("lesson.answer.placeholder").text, h.app->text()("lesson.computed_answer"));
    EXPECT_EQ(h.item("lesson.stop_title.placeholder").text, h.app->text()("step.heads.title"));
    h.expect_readable("the fields of a stop");
    change("question", 1, "Which of the six would you miss?");
    change("answer", 1, "The fourth.");
    EXPECT_EQ(own_question(load_lesson(file.string()).stops[1], "en"), "Which of the six would you miss?");
    change("question", 0, "");
    EXPECT_EQ(own_question(load_lesson(file.string()).stops[0], "en"), "") << "nothing is asked";
    change("question", 2, "What does the ledger owe?");
    h.app->ask(command::OpenLesson{file.string()});
    h.settle();
    h.frame(40);
    h.press(Key::a);
    EXPECT_FALSE(h.shows("lecture.alone")) << "there is no question";
    EXPECT_FALSE(h.shows("reading.question"));
    h.press(Key::page_down);
    EXPECT_EQ(h.item("reading.question").text, "Which of the six would you miss?");
    h.press(Key::a);
    EXPECT_EQ(h.item("lecture.question").text, "Which of the six would you miss?");
    h.press(Key::a);
    EXPECT_EQ(h.item("lecture.answer").text, "The fourth.");
    h.press(Key::page_down);
    h.press(Key::page_down);
    h.press(Key::a);
    EXPECT_EQ(h.item("lecture.question").text, "What does the ledger owe?") << "in every room";
    h.press(Key::a);
    EXPECT_FALSE(h.shows("lecture.alone")) << "it has no answer";
    change("usual_question", 1, "");
    EXPECT_FALSE(own_question(load_lesson(file.string()).stops[1], "en"));
}

TEST_F(OwnLessons, AQuestionThatIsLeftAsItWasStaysTheSteps) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.question");
    h.press(Key::escape);
    EXPECT_EQ(read(file), three_stops);
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.stop.0");
    h.tap("lesson.question");
    h.type("Well: ");
    EXPECT_NE(h.item("lesson.question").text.find("Well: "), std::string::npos);
    h.tap("lesson.title");
    EXPECT_NE(own_question(lesson().stops[0], "en").value_or("").find("Well:"), std::string::npos);
    h.tap("lesson.question_none");
    EXPECT_EQ(own_question(lesson().stops[0], "en"), "");
    h.tap("lesson.question_usual");
    EXPECT_EQ(read(file), three_stops);
}

TEST_F(OwnLessons, NothingBelowAFieldMovesWhileItIsTypedIn) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.notes");
    const float below = h.item("lesson.question").rect.y0;
    std::string words;
    for (int i = 0; i < 60; ++i) words += "a long note ";
    h.type(words);
    EXPECT_EQ(h.item("lesson.notes.whole").value, 1) << "it wraps while it is typed";
    EXPECT_EQ(h.item("lesson.question").rect.y0, below);
    h.tap("lesson.title");
    EXPECT_GT(h.item("lesson.question").rect.y0, below) << "once the field is left, it is as high as its words";
}

TEST_F(OwnLessons, NotesOfALectureGoIntoTheLessonsFile) {
    const fs::path file = written("three.txt", three_stops);
    h.app->open({file});
    h.settle();
    h.frame(40);
    h.press(Key::n);
    h.tap("notes.edit");
    h.tap("notes.text");
    h.type("Smile. ");
    h.tap("notes.edit");
    EXPECT_NE(own_notes(load_lesson(file.string()).stops[0], "en").find("Smile."), std::string::npos);
    EXPECT_TRUE(h.app->state().settings.notes.empty()) << "they are nowhere else";
    change("move", 0, "2");
    EXPECT_NE(h.item("notes").text.find("Smile."), std::string::npos) << "and stay with their stop";
    EXPECT_EQ(lecture().stop, 2);
}

TEST_F(OwnLessons, NotesThatWereKeptBesideTheFileOutlastWhatIsTakenBack) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    const auto keep_notes = [&](int stop, const char* words) {
        h.change()->settings.notes[notes_key(lesson().source, stop)] = words;
    };
    const auto in_file = [&](const char* words) { return read(file).find(words) != std::string::npos; };
    keep_notes(0, "Smile.");
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.stop.0.down");
    EXPECT_TRUE(h.app->state().settings.notes.empty());
    EXPECT_EQ(own_notes(lesson().stops[1], "en"), "Smile.");
    h.tap("lesson.take_back");
    EXPECT_EQ(lesson().stops[0].id, "image");
    EXPECT_EQ(own_notes(lesson().stops[0], "en"), "Smile.");
    keep_notes(2, "Breathe.");
    h.press(Key::escape);
    h.press(Key::k);
    EXPECT_TRUE(in_file("Breathe.")) << "K moves them, too";
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.take_back");
    EXPECT_EQ(lesson().stops.size(), 3U);
    EXPECT_TRUE(in_file("Breathe."));
    EXPECT_TRUE(in_file("Smile."));
}

TEST_F(OwnLessons, NotesThatAreWrittenAreTakenBackToThoseBefore) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.change()->settings.notes[notes_key(lesson().source, 1)] = "Mine.";
    change("notes", 1, "Mine.");
    EXPECT_EQ(own_notes(lesson().stops[1], "en"), "Mine.");
    change("take_back", 0, "");
    EXPECT_EQ(read(file), three_stops) << "the file's own are there again";
}

TEST_F(OwnLessons, UndoLeadsFromStopToStopWithTheirNotes) {
    h.app->open({written("three.txt", three_stops)});
    h.settle();
    h.frame(40);
    const auto is_at = [&](int stop, const char* room) {
        EXPECT_EQ(lecture().stop, stop);
        EXPECT_EQ(h.app->state().room, room);
    };
    is_at(0, "explore");
    h.press(Key::page_down);
    is_at(1, "explore");
    h.press(Key::z, Key::ctrl);
    is_at(0, "explore");
    EXPECT_EQ(h.focus().step, step_index("image"));
    EXPECT_EQ(notes_of_stop(h.app->state()), "First.");
    h.press(Key::y, Key::ctrl);
    is_at(1, "explore");
    EXPECT_EQ(h.focus().step, step_index("heads"));
    EXPECT_EQ(notes_of_stop(h.app->state()), "Second.");
    h.press(Key::page_down);
    is_at(2, "laboratory");
    h.press(Key::z, Key::ctrl);
    is_at(1, "explore");
    EXPECT_EQ(h.focus().step, step_index("heads"));
}

TEST_F(OwnLessons, UndoLeadsToAStopWithRunsAsItWasLeft) {
    h.app->open({written("runs.txt", "lesson: Runs\nstep: image\nlearn: norms\n")});
    h.settle();
    h.frame(40);
    h.press(Key::page_down);
    ASSERT_EQ(h.app->state().room, "learn");
    h.app->ask(command::Do{"head.3"});
    h.app->ask(command::SetWhatIfs{{remove_head(1, 0)}});
    h.app->ask(command::Look{{{"solo", "yes"}}});
    h.settle();
    h.frame(60);
    h.press(Key::page_up);
    ASSERT_EQ(lecture().stop, 0);
    h.settle();
    h.press(Key::z, Key::ctrl);
    h.settle();
    EXPECT_EQ(lecture().stop, 1);
    EXPECT_EQ(h.app->state().room, "learn");
    EXPECT_TRUE(h.app->context().jobs().has_learning());
    EXPECT_TRUE(h.focus().solo);
    EXPECT_EQ(h.app->workspace().experiment.what_ifs, std::vector{remove_head(1, 0)});
}

TEST_F(OwnLessons, StopsThatShowTheSameAreMomentsOfTheirOwn) {
    h.app->open({written("same.txt", "lesson: Same\nstep: image\nnotes: Look.\nstep: image\nnotes: Look again.\n")});
    h.settle();
    h.frame(40);
    h.press(Key::page_down);
    ASSERT_EQ(lecture().stop, 1);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(lecture().stop, 0);
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(lecture().stop, 1);
}

TEST_F(OwnLessons, TabLeadsFromAFieldThatWasClickedToTheNextOne) {
    change("open", 0, written("three.txt", three_stops).string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.tap("lesson.question");
    h.type("Why?");
    h.strike(Key::tab);
    EXPECT_EQ(h.app->keyboard_focus().focused(), "lesson.choices");
    h.frame(3);
    h.type("kt");
    EXPECT_NE(h.item("lesson.choices").text.find("kt"), std::string::npos) << "and types there";
    h.strike(Key::tab, Key::shift);
    EXPECT_EQ(h.app->keyboard_focus().focused(), "lesson.question");
}

TEST_F(OwnLessons, NoLetterIsACommandWhileADialogIsOpen) {
    change("open", 0, written("three.txt", three_stops).string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    h.press(Key::k);
    EXPECT_EQ(lesson().stops.size(), 3U);
    for (const CommandRow& row : command_table().rows())
        for (const Chord& chord : row.keys) {
            const bool letter = chord.key >= Key::a && chord.key <= Key::z;
            EXPECT_FALSE(letter && !chord.ctrl && row.where.over_dialogs) << row.id;
        }
}

TEST_F(OwnLessons, AStopOfAHallHasAllItsFieldsInView) {
    change("open", 0, written("three.txt", three_stops).string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    const Rect dialog = h.item("dialog").rect;
    for (const char* const id : {"lesson.notes", "lesson.question", "lesson.choices", "lesson.answer"}) {
        EXPECT_TRUE(h.item(id).visible) << id;
        EXPECT_LT(h.item(id).rect.y1, h.item("lesson.keep").rect.y0) << id << " is cut off";
    }
    EXPECT_GT(dialog.height(), 0.9F * ImGui::GetIO().DisplaySize.y);
}

TEST_F(OwnLessons, AStopNamesWhatIsChangedThere) {
    change("open", 0, written("three.txt", three_stops).string());
    h.change()->what_ifs = {remove_head(1, 0)};
    h.settle();
    const std::string name = h.app->text()("removal.head", {{"block", "1"}, {"head", "1"}});
    h.press(Key::k);
    ASSERT_EQ(lesson().stops.size(), 4U);
    EXPECT_NE(h.app->state().notice.find(name), std::string::npos) << h.app->state().notice;
    h.app->ask(command::ShowDialog{"lesson"});
    h.settle();
    EXPECT_NE(h.item("lesson.stop.3").text.find(name), std::string::npos) << h.item("lesson.stop.3").text;
    EXPECT_EQ(h.item("lesson.stop.1").text.find(h.app->text()("lesson.changed", {{"parts", ""}})), std::string::npos);
}

TEST_F(OwnLessons, ANewWindowLecturesWithTheLessonThatWasOpenLast) {
    const std::string file = written("three.txt", three_stops).string();
    h.change()->settings.lesson = file;
    h.press(Key::f5);
    ASSERT_TRUE(lecture().on);
    ASSERT_TRUE(lecture().lesson);
    EXPECT_EQ(lesson().source, file);
}

TEST_F(OwnLessons, ANewWindowWalksThroughEveryStepWhereTheLastLessonIsGone) {
    h.change()->settings.lesson = (folder / "gone.txt").string();
    h.press(Key::f5);
    EXPECT_TRUE(lecture().on);
    EXPECT_FALSE(lecture().lesson);
    EXPECT_EQ(h.app->error(), "");
}

TEST_F(OwnLessons, AChangedLessonBeginsAtItsFirstStopAndItsListSaysWhereItAsks) {
    const fs::path file =
        written("mine.txt", "lesson: Mine\nstep: image\nstep: mlp\nquestion:\nstep: depth\nstep: heads\n");
    h.app->ask(command::OpenLesson{file.string()});
    h.settle();
    h.press(Key::page_down);
    h.press(Key::page_down);
    ASSERT_EQ(lecture().stop, 2);
    h.press(Key::l);
    h.settle();
    h.press(Key::l);
    h.settle();
    EXPECT_EQ(lecture().stop, 2) << "one that was left midway resumes";
    h.press(Key::l);
    h.settle();
    h.carry_out(command::ShowDialog{"lesson"});
    h.settle();
    const std::string asks = h.app->text()("presenter.question");
    EXPECT_NE(h.item("lesson.stop.0").text.find(asks), std::string::npos);
    EXPECT_EQ(h.item("lesson.stop.1").text.find(asks), std::string::npos) << "it asks nothing";
    h.tap("lesson.stop.0.down");
    h.carry_out(command::ShowDialog{});
    h.press(Key::l);
    h.settle();
    EXPECT_EQ(lecture().stop, 0) << "a changed one begins anew";
}

}  // namespace
}  // namespace vitrine
