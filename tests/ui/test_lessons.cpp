#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "app/chapters/step.h"
#include "app/jobs/learning.h"
#include "app/lecture/lesson.h"
#include "app/library/library.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/fonts.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "core/measures/answer_change.h"
#include "core/training/confidence.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST(Lessons, LeadThroughTheirStopsWithImagesRoomsAndThePartsThatMatter) {
    Harness h;
    h.press(Key::l, Key::shift);
    ASSERT_TRUE(h.shows("lesson.attention"));
    EXPECT_NE(h.item("lesson.attention").text.find("30"), std::string::npos) << "its minutes";
    h.tap("lesson.attention");
    h.frame(40);
    EXPECT_TRUE(h.app->state().lecture.on);
    EXPECT_EQ(h.focus().step, step_index("qkv"));
    EXPECT_EQ(h.app->state().settings.lesson, "attention") << "the choice is remembered";
    const DecisiveHead decisive = decisive_head(*h.result().model, h.result().baseline);
    EXPECT_EQ(h.focus().block, decisive.block);
    EXPECT_EQ(h.focus().head, decisive.head);
    h.press(Key::end);
    EXPECT_EQ(h.focus().step, step_index("explanation"));
    h.press(Key::home);
    const Lesson& lesson = *h.app->state().lecture.lesson;
    for (std::size_t i = 0; i + 1 < lesson.stops.size(); ++i) {
        h.press(Key::page_down);
        const LessonStop& stop = lesson.stops[i + 1];
        EXPECT_EQ(h.item("lecture.progress").value, static_cast<double>(i + 1));
        EXPECT_EQ(h.app->state().room, stop.room);
        EXPECT_EQ(h.what_ifs().size(), stop.what_ifs.size() + (stop.roles.without ? 1 : 0));
        if (stop.roles.without) {
            EXPECT_TRUE(contains(h.what_ifs(), remove_head(decisive.block, decisive.head)));
        }
    }
}

TEST(Lessons, WhoReadsOneAloneHasNotesQuestionAndAnswerBesideThePictureAndAHallHasNot) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h({}, size);
        h.app->ask(command::OpenLesson{"tour"});
        h.settle();
        h.frame(40);
        ASSERT_TRUE(h.shows("reading"));
        EXPECT_FALSE(h.item("reading.notes").text.empty());
        EXPECT_LE(h.app->rect_of("stage").x1, h.item("reading").rect.x0) << "beside the picture";
        const int steps = static_cast<int>(h.app->state().lecture.lesson->stops.size());
        std::ptrdiff_t explained = 0;
        for (int i = 0; i < steps; ++i) {
            h.app->ask(command::Do{"lecture.next_stop"});
            h.settle();
            if (answers_of(h.app->state().room).places.step != nullptr) {
                const bool asks = h.focus().step != step_index("scores");  // they show what they would ask for
                EXPECT_EQ(h.shows("reading.question"), asks) << i;
                EXPECT_FALSE(h.shows("reading.answer_words")) << "first the question";
                explained += std::ranges::count_if(h.app->probe().items(), [](const auto& row) {
                    return row.first.starts_with("term.asked.") || row.first.starts_with("term.reading.");
                });
            }
        }
        EXPECT_GT(explained, 3) << "terms are underlined and explained where they stand";
        h.app->ask(command::Do{"lecture.first"});
        h.settle();
        const float title = font_size(Font::title, h.app->theme().scale);
        const Probe::Item& question = h.item("reading.question");
        float largest = 0;
        for (const Probe::Words& words : h.app->probe().words())
            if (question.text.find(words.text) != std::string::npos && question.rect.overlaps(words.rect))
                largest = std::max(largest, words.rect.height() / 0.6F);  // a line is higher than its letters
        EXPECT_GE(largest, (h.app->theme().scale >= 1 ? 0.99F : 0.7F) * title) << "a class reads it, too";
        EXPECT_FALSE(h.shows("reading.explanation")) << "it would give the answer away";
        EXPECT_FALSE(h.shows("reading.prediction"));
        h.tap("reading.rest");
        EXPECT_TRUE(h.shows("reading.explanation")) << "who wants it, has it";
        h.tap("reading.rest");
        h.tap("reading.answer");
        EXPECT_FALSE(h.item("reading.answer_words").text.empty());
        EXPECT_FALSE(h.shows("reading.explanation")) << "the answer alone";
        EXPECT_FALSE(h.shows("reading.prediction"));
        h.tap("reading.rest");
        EXPECT_TRUE(h.shows("reading.explanation")) << "the rest on demand";
        EXPECT_TRUE(h.shows("reading.prediction"));
        for (const std::string& language : language_codes()) {
            h.change()->settings.language = language;
            h.frame(5);
            h.expect_readable(language + " at " + std::to_string(size.x));
        }
        h.app->take_in(arrival::FullScreen{true});
        h.frame(3);
        EXPECT_FALSE(h.shows("reading")) << "nothing of it is projected";
        h.app->take_in(arrival::FullScreen{false});
        h.change()->settings.presenter = true;
        h.frame(3);
        EXPECT_FALSE(h.shows("reading")) << "the presenter has it";
        h.change()->settings.presenter = false;
        h.frame(3);
        const float narrow = h.app->rect_of("stage").x1;
        h.tap("reading.hide");
        EXPECT_FALSE(h.shows("reading"));
        EXPECT_GT(h.app->rect_of("stage").x1, narrow);
    }
}

TEST(Lessons, AStopIsWhatTheLessonSaysWhicheverWayOneComesToIt) {
    Harness h;
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    const std::vector<LessonStop> stops = h.app->state().lecture.lesson->stops;
    std::vector<Focus> reached;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        if (i > 0) h.press(Key::page_down);
        h.settle();
        reached.push_back(h.focus());
    }
    int compared = 0;
    for (std::size_t i = stops.size() - 1; i-- > 0;) {
        {  // by somebody who explored the stop before
            auto changed = h.change();
            changed->selection.focus.block = 2;
            changed->selection.focus.head = 1;
            changed->selection.focus.token = 5;
        }
        h.app->ask(command::OpenImage{{"house", {}}});
        h.settle();
        h.press(Key::page_up);
        h.settle();
        EXPECT_EQ(h.result().experiment.image.sample, "cat") << stops[i].id;
        EXPECT_EQ(h.focus().step, reached[i].step);
        if (stops[i].roles.any()) continue;  // found in the run, with a test of their own
        ++compared;
        EXPECT_EQ(h.focus().block, reached[i].block) << stops[i].id;
        if (stops[i].head) {  // otherwise the one that a role found
            EXPECT_EQ(h.focus().head, reached[i].head) << stops[i].id;
        }
        EXPECT_EQ(h.focus().token, reached[i].token) << stops[i].id;
    }
    EXPECT_GT(compared, 8);
}

TEST(Lessons, OwnAnswersOfBundledOnesHaveTheNumbersOfTheRun) {
    int answers = 0;
    for (const std::string& name : bundled_lessons()) {
        Harness h;
        h.app->ask(command::OpenLesson{name});
        h.settle();
        const Lesson lesson = *h.app->state().lecture.lesson;
        for (std::size_t i = 0; i < lesson.stops.size(); ++i) {
            if (i > 0) h.press(Key::page_down);
            const LessonStop& stop = lesson.stops[i];
            if (stop.question.empty() || own_answer(stop, "en").find("{margin") == std::string::npos) continue;
            ++answers;
            h.settle();
            h.press(Key::a);
            h.press(Key::a);
            ASSERT_TRUE(h.shows("lecture.answer")) << name;
            const std::string told = h.item("lecture.answer").text;
            EXPECT_EQ(told.find('{'), std::string::npos) << told;
            const AnswerChange change = answer_change(*h.result().trace.head, *h.result().baseline.head);
            ASSERT_FALSE(h.what_ifs().empty()) << "the stop switches a head off";
            EXPECT_NE(told.find(number_text(change.before.margin)), std::string::npos) << told;
            EXPECT_NE(told.find(number_text(change.now.margin)), std::string::npos) << told;
        }
    }
    EXPECT_EQ(answers, 2);
}

TEST(Lessons, EveryBundledQuestionOfItsOwnHasAnAnswer) {
    for (const std::string& name : bundled_lessons())
        for (const LessonStop& stop : load_lesson(name).stops)
            for (const std::string& language : language_codes()) {
                if (own_question(stop, language).value_or("").empty()) continue;
                EXPECT_TRUE(!own_answer(stop, language).empty() || !own_choices(stop, language).empty())
                    << name << ":" << stop.line;
            }
}

TEST(Lessons, TheHeaviestKeyIsTheOneThatTheQueryLooksAtMost) {
    Harness h;
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    const Lesson& lesson = *h.app->state().lecture.lesson;
    const auto heaviest =
        std::find_if(lesson.stops.begin(), lesson.stops.end(), [](const LessonStop& s) { return s.roles.key; });
    ASSERT_NE(heaviest, lesson.stops.end());
    while (h.app->state().lecture.stop < heaviest - lesson.stops.begin()) {
        h.change()->motion = {1, false};
        h.press(Key::page_down);
    }
    const auto block = h.result().trace.block(h.focus().block);
    const std::span<const float> row = attention_row(*block, h.focus().head, h.focus().token);
    for (const float weight : row) EXPECT_LE(weight, row[static_cast<std::size_t>(h.focus().key)]);
}

TEST(Lessons, StopInEveryRoomWithNotesAndMinutesOfTheirOwn) {
    const TestFolder folder;
    const fs::path file = folder / "rooms.txt";
    std::ofstream(file) << "lesson: Rooms\nstep: mlp\nlab: ledger\nminutes: 1.5\nnotes: Sum it up.\n"
                           "exercise: bare_return\nminutes: 2\nnotes: Predict.\nlearn: plain\n";
    Harness h;
    h.app->open({file});
    h.settle();
    h.frame(40);
    h.press(Key::n);
    const std::string own = h.item("notes").text;
    EXPECT_FALSE(own.empty()) << "a chapter's own";
    EXPECT_FALSE(h.shows("lecture.planned"));
    h.change()->motion = {1, false};
    h.press(Key::page_down);
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::ledger);
    EXPECT_EQ(h.item("notes").text, "Sum it up.");
    EXPECT_NE(h.item("lecture.planned").text.find("1.5"), std::string::npos);
    h.press(Key::page_down);
    EXPECT_EQ(h.app->state().room, "exercise");
    EXPECT_EQ(h.item("notes").text, "Predict.");
    EXPECT_EQ(h.item("lecture.planned").text, h.app->text()("lecture.planned_here", {{"here", "2"}}))
        << "the first stop has no time";
    EXPECT_TRUE(h.item("exercise.predict.1").visible) << "the audience chooses on the stage";
    h.tap("exercise.predict.1");
    EXPECT_TRUE(h.shows("exercise.broken"));
    h.press(Key::page_down);
    EXPECT_EQ(h.app->state().room, "learn");
    EXPECT_FALSE(h.app->context().jobs().learning().running());
    h.press(Key::space);
    EXPECT_TRUE(h.app->context().jobs().learning().running()) << "first they learn";
    h.press(Key::page_up);
    EXPECT_EQ(h.app->state().room, "exercise");
    EXPECT_TRUE(h.app->context().jobs().learning().running()) << "they go on while the lecturer does";
    h.press(Key::page_down);
    EXPECT_TRUE(h.app->context().jobs().learning().running()) << "and are found again";
    h.app->context().jobs().learning().pause();
}

TEST(Lessons, ADroppedFileIsOneAndABrokenOneIsToldByItsLine) {
    const TestFolder folder;
    const fs::path file = folder / "vitrine_lesson.txt";
    std::ofstream(file) << "lesson: Mine\nstep: mlp\nimage: house\n";
    Harness h;
    h.app->open({file});
    h.settle();
    h.frame(40);
    EXPECT_EQ(h.focus().step, step_index("mlp"));
    EXPECT_EQ(h.result().image->name, "house");
    std::ofstream(file) << "lesson: Mine\nstep: nose\n";
    h.app->open({file});
    h.frame(3);
    EXPECT_NE(h.app->error().find(":2: "), std::string::npos) << h.app->error();
}

}  // namespace
}  // namespace vitrine
