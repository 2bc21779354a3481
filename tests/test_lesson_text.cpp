#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/chapters/step.h"
#include "app/lecture/lesson_text.h"
#include "app/platform/embedded.h"
#include "core/base/error.h"
#include "embedded/assets.h"
#include "tests/files.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

constexpr const char* written = R"(# Mine, for the third week.
lesson: Heads
lesson.ja: ヘッド

# First the picture.
step: image
image: house
notes: Ask first,
  then point.
notes.ko: 먼저 묻습니다.
minutes: 2

step: heads   # not a remark
what-if: head:2.1

lab: ledger
notes: Sum it up.
)";

Lesson lesson_of(const std::string& text) { return parse_lesson(text, "mine.txt", {}); }

LessonText text_of_written() {
    std::string text = written;
    text.erase(text.find("   # not a remark"), std::string("   # not a remark").size());
    return {text, lesson_of(text)};
}

std::string note(const Lesson& lesson, std::size_t stop, const char* language = "en") {
    return own_notes(lesson.stops[stop], language);
}

TEST(LessonText, IsTheTextThatWasRead) {
    for (const std::string& name : bundled_lessons()) {
        const std::string text(embedded(assets(), "lessons/" + name + ".txt").text());
        EXPECT_EQ(LessonText(text, lesson_of(text)).text(), text) << name;
    }
}

TEST(LessonText, MovesAStopWithItsRemarksAndLeavesAllOthersAsTheyWere) {
    LessonText text = text_of_written();
    text.move(0, 2);
    const std::string moved = text.text();
    const Lesson lesson = lesson_of(moved);
    ASSERT_EQ(lesson.stops.size(), 3U);
    EXPECT_EQ(lesson.stops[0].id, "heads");
    EXPECT_EQ(lesson.stops[1].id, "ledger");
    EXPECT_EQ(lesson.stops[2].id, "image");
    EXPECT_EQ(note(lesson, 2), "Ask first, then point.");
    EXPECT_NE(moved.find("# First the picture.\nstep: image"), std::string::npos);
    EXPECT_TRUE(moved.starts_with("# Mine, for the third week.\nlesson: Heads\n"));
    text.move(2, -2);
    const Lesson back = lesson_of(text.text());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(back.stops[i].id, lesson_of(text_of_written().text()).stops[i].id);
    text.move(1, 99);
    EXPECT_EQ(lesson_of(text.text()).stops[2].id, "heads") << "no further than the end";
}

TEST(LessonText, TakesAStopOut) {
    LessonText text = text_of_written();
    text.remove(1);
    const Lesson lesson = lesson_of(text.text());
    ASSERT_EQ(lesson.stops.size(), 2U);
    EXPECT_EQ(lesson.stops[1].id, "ledger");
    EXPECT_EQ(text.text().find("what-if"), std::string::npos);
}

TEST(LessonText, WritesNotesOfOneLanguageAloneAndTakesThemOut) {
    LessonText text = text_of_written();
    text.set_notes(0, "", "Something else,\nsaid in two lines: with a colon.");
    text.set_notes(1, "ja", "まず聞きます。");
    Lesson lesson = lesson_of(text.text());
    EXPECT_EQ(note(lesson, 0), "Something else,\nsaid in two lines: with a colon.");
    EXPECT_EQ(note(lesson, 0, "ko"), "먼저 묻습니다.");
    EXPECT_EQ(lesson.stops[0].minutes, 2);
    EXPECT_EQ(note(lesson, 1, "ja"), "まず聞きます。");
    text.set_notes(0, "", "  \n ");
    lesson = lesson_of(text.text());
    EXPECT_FALSE(lesson.stops[0].notes.contains(""));
    EXPECT_TRUE(lesson.stops[0].notes.contains("ko"));
}

TEST(LessonText, NotesOfAnyLengthAndWithAnySignsComeBack) {
    std::string words = "#1 comes first. step: is no key here. # nor is this a remark";
    for (int i = 0; i < 60; ++i) words += " word" + std::to_string(i) + (i % 7 == 0 ? " #" + std::to_string(i) : "");
    LessonText text = text_of_written();
    text.set_notes(2, "", words);
    EXPECT_EQ(note(lesson_of(text.text()), 2), words);
    EXPECT_NE(text.text().find("\n  word"), std::string::npos) << "long notes are broken into lines";
}

TEST(LessonText, LineBreaksOfNotesComeBack) {
    std::string long_line = "3.";
    for (int i = 0; i < 40; ++i) long_line += i % 5 == 0 ? " |" : " word";
    for (const std::string& words :
         {std::string("First.\nSecond."), std::string("- one\n- two\n\n| x |, # and step: too"),
          "Long:\n" + long_line + "\n" + long_line, std::string("| begins\n|\n|x|\nends")}) {
        LessonText text = text_of_written();
        text.set_notes(0, "", words);
        text.set_notes(1, "ja", "first");
        text.set_notes(1, "ja", words);
        text.set_answer(2, "", "\n\n" + words + " \n\n");
        text.move(0, 2);
        const Lesson lesson = lesson_of(text.text());
        EXPECT_EQ(note(lesson, 2), words) << text.text();
        EXPECT_EQ(note(lesson, 0, "ja"), words);
        EXPECT_EQ(own_answer(lesson.stops[1], "en"), words);
        EXPECT_EQ(lesson.stops[2].minutes, 2) << "what stands below is read";
    }
    const std::string by_hand = "lesson: T\nstep: heads\nnotes: One,\n  and on.\n  | Two,\n  and on\n  |\n  three.\n";
    EXPECT_EQ(note(lesson_of(by_hand), 0), "One, and on.\nTwo, and on\nthree.");
}

TEST(LessonText, AQuestionWithoutWordsStaysAndOneThatIsTakenBackGoes) {
    const auto read = [](const std::string& words) { return parse_lesson(words, "lesson", {}); };
    const std::string before = "lesson: One\n\nstep: heads\nnotes: Mine.\n";
    EXPECT_FALSE(own_question(read(before).stops[0], "en")) << "it asks what its step does";
    LessonText text(before, read(before));
    text.set_question(0, "", "Which one?");
    text.set_answer(0, "", "The third.");
    const LessonStop asked = read(text.text()).stops[0];
    EXPECT_EQ(own_question(asked, "ko"), "Which one?");
    EXPECT_EQ(own_answer(asked, "ko"), "The third.");
    text.set_question(0, "", "");
    EXPECT_EQ(own_question(read(text.text()).stops[0], "en"), "") << "it asks nothing";
    text.set_question(0, "", std::nullopt);
    text.set_answer(0, "", "");
    EXPECT_EQ(text.text(), before);
    EXPECT_EQ(own_question(read("lesson: One\nstep: heads\nquestion.ja: どれ？\n").stops[0], "ja"), "どれ？");
}

TEST(LessonText, WritesMinutesAndTheTitle) {
    LessonText text = text_of_written();
    text.set_minutes(0, "");
    text.set_minutes(1, "1.5");
    text.set_title("ja", "頭");
    text.set_title("", "Two heads");
    text.set_title("", " ");
    const Lesson lesson = lesson_of(text.text());
    EXPECT_FALSE(lesson.stops[0].minutes);
    EXPECT_EQ(lesson.stops[1].minutes, 1.5F);
    EXPECT_EQ(lesson.title_in("en"), "Two heads") << "a lesson has a title";
    EXPECT_EQ(lesson.title_in("ja"), "頭");
}

TEST(LessonText, AStopComesBackFromItsWords) {
    const TestFolder folder;
    fs::create_directories(folder / "pictures");
    fs::copy_file(fs::path(VITRINE_SOURCE) / "tests/ui/images/cat.png", folder / "pictures/mine.png");
    LessonStop stop;
    stop.id = "attention";
    stop.step = step_index("attention");
    stop.image = ImageSource{{}, folder / "pictures/mine.png"};
    stop.block = 2;
    stop.head = 1;
    stop.token = 13;
    stop.key = 7;
    stop.solo = true;
    stop.defaults = true;
    stop.set = {{"half", "mlp"}, {"lab.picks", "1.0+2.1@3"}};
    stop.what_ifs = {"head:2.1", "positions"};
    stop.notes = {{"", "Say this."}, {"ko", "먼저 묻습니다."}};
    const std::string words = text_of(stop, folder.path());
    EXPECT_NE(words.find("image: pictures/mine.png"), std::string::npos) << "by its place beside the lesson";
    Lesson lesson = parse_lesson(empty_lesson("T") + "\n" + words, "t.txt", folder.path());
    ASSERT_EQ(lesson.stops.size(), 1U);
    lesson.stops[0].line = stop.line;
    EXPECT_EQ(lesson.stops[0], stop);
    stop.image = ImageSource{"picturebook:cat", {}};
    stop.room = "laboratory";
    stop.id = "ledger";
    lesson = parse_lesson(empty_lesson("T") + text_of(stop, "/elsewhere"), "t.txt", "/elsewhere");
    EXPECT_EQ(lesson.stops[0].id, "ledger");
    EXPECT_EQ(*lesson.stops[0].image, *stop.image);
}

TEST(LessonText, ARecordingComesBackFromItsWords) {
    LessonStop stop;
    stop.room = "learn";
    stop.id = "norms";
    stop.recorded = true;
    EXPECT_TRUE(lesson_of(empty_lesson("T") + text_of(stop, {})).stops.at(0).recorded);
    stop.recorded = false;
    EXPECT_EQ(text_of(stop, {}), "learn: norms\n") << "as older versions wrote it";
    EXPECT_FALSE(lesson_of(empty_lesson("T") + text_of(stop, {})).stops.at(0).recorded);
    for (const char* const wrong : {"learn: nets\nrecorded: yes", "learn: plain\nrecorded: yes",
                                    "step: heads\nrecorded: yes", "learn: norms\nrecorded: maybe"})
        EXPECT_THROW(lesson_of("lesson: T\n" + std::string(wrong) + "\n"), Error) << wrong;
}

TEST(LessonText, RemarksAtTheTopOfANewLessonStayWhateverIsChanged) {
    const std::string written = empty_lesson("T", "Heads count from 0.\nBlocks count from 1.") + "\nstep: heads\n";
    ASSERT_TRUE(written.starts_with("# Heads count from 0.\n# Blocks count from 1.\nlesson: T\n")) << written;
    LessonText text(written, lesson_of(written));
    text.set_title("", "Another");
    text.set_notes(0, "", "Say: look.");
    text.add("step: mlp\n");
    text.move(1, -1);
    text.remove(1);
    EXPECT_TRUE(text.text().starts_with("# Heads count from 0.\n# Blocks count from 1.\nlesson: Another\n"));
    EXPECT_EQ(lesson_of(text.text()).stops.size(), 1U);
}

TEST(LessonText, AStopInTheTextRoomComesBackFromItsWords) {
    LessonStop stop;
    stop.room = "text";
    stop.id = "decoding";
    stop.step = 0;
    stop.defaults = true;
    stop.set = {{"text.method", "sample"}, {"text.temperature", "0.5"}};
    stop.text.task = TextTask::translate;
    stop.text.to = TextLanguage::english;
    stop.text.sentence = "これは、ペンです。 # 50 %: ok?";
    stop.text.block = 0;
    stop.text.head = -1;
    stop.text.written = {"they", ",", "\""};
    stop.text.swap = {2, ","};
    stop.text.what_ifs = {"no-root", "head:cross.2.1"};
    stop.text.roles.without = true;
    const auto comes_back = [&] {
        Lesson lesson = lesson_of(empty_lesson("T") + text_of(stop, {}));
        lesson.stops.at(0).line = stop.line;
        EXPECT_EQ(lesson.stops.at(0), stop) << text_of(stop, {});
    };
    comes_back();
    stop.text.sentence.reset();
    stop.text.sample = "tired";
    stop.text.block = 2;
    stop.text.head.reset();
    stop.text.roles.look = true;
    comes_back();
    stop.text = {};
    comes_back();
    stop.text.sentence = "";
    comes_back();
}

TEST(LessonText, IsNeverWrittenOverWhatIsNoLessonNorAsOneThatIsNone) {
    const TestFolder folder;
    const fs::path letter = folder / "letter.txt", mine = folder / "new" / "mine.lesson";
    std::ofstream(letter) << "Dear colleague,\n";
    EXPECT_THROW(write_lesson(letter, text_of_written().text()), Error);
    EXPECT_EQ(read(letter), "Dear colleague,\n");
    write_lesson(mine, text_of_written().text());
    EXPECT_EQ(read(mine), text_of_written().text());
    EXPECT_THROW(write_lesson(mine, "lesson: Without stops\n"), Error);
    EXPECT_EQ(read(mine), text_of_written().text());
}

TEST(Lesson, SetSaysWhatHasNoWordOfItsOwn) {
    const auto parsed = [](const std::string& set) { return lesson_of("lesson: T\nstep: mlp\nset: " + set + "\n"); };
    const LessonStop stop = parsed("defaults, half=mlp, unit = 3").stops[0];
    EXPECT_TRUE(stop.defaults);
    EXPECT_EQ(stop.set, (std::vector<FocusWord>{{"half", "mlp"}, {"unit", "3"}}));
    for (const char* const wrong : {"block=2", "half=nose", "half", "nose=1"}) try {
            parsed(wrong);
            ADD_FAILURE() << wrong;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("mine.txt:3: "), std::string::npos) << error.what();
        }
}

}  // namespace
}  // namespace vitrine
