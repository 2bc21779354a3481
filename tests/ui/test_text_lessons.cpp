#include <gtest/gtest.h>

#include <algorithm>

#include "app/frame/arrival.h"
#include "app/lecture/lesson.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/text_result.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/text_room.h"

namespace vitrine {
namespace {

/// A lesson, and the size of the screen.
struct Shown {
    const char* lesson;
    ImVec2 size;
};

/// The rows of words keep a height for the lines between them, and lie in the stage.
void expect_lines_between_rows(Harness& h, const std::string& where) {
    const float least = 1.6F * ImGui::GetFontSize();
    for (const std::string id : {"text", "text.swapped"}) {
        float keys = -1, queries = 1e6F;
        for (const auto& [item, found] : h.app->probe().items()) {
            if (item.starts_with(id + ".key.") && item.find("gloss") == std::string::npos)
                keys = std::max(keys, found.rect.y1);
            if (item.starts_with(id + ".query.") && item.find("gloss") == std::string::npos) {
                queries = std::min(queries, found.rect.y0);
                EXPECT_LE(found.rect.y1, h.item("stage").rect.y1) << item << " in " << where;
            }
        }
        if (keys >= 0) {
            EXPECT_GE(queries - keys, least) << id << " in " << where;
        }
    }
}

/// A lecture along a bundled lesson, stop by stop.
class TextLessons : public testing::TestWithParam<Shown> {
protected:
    void begin() {
        h.app->ask(command::OpenLesson{GetParam().lesson});
        h.settle();
        h.frame(40);
        h.press(Key::n);
    }
    const Lesson& lesson() { return *h.app->state().lecture.lesson; }
    const TextResult& read() { return *h.app->workspace().text.result; }

    void expect_text(const LessonStop& stop, const std::string& where) {
        const TextLook& look = h.focus().text;
        const TextExperiment& experiment = h.app->workspace().text_experiment;
        EXPECT_STREQ(name_of(look.chapter), stop.id.c_str()) << where;
        ASSERT_NE(h.app->workspace().text_to_explain(), nullptr) << where;
        EXPECT_EQ(read().request, h.app->workspace().text_request()) << where;
        EXPECT_EQ(read().left_out, 0) << where << ": a word of the sentence has no place";
        for (const std::string& word : read().words)
            EXPECT_TRUE((read().model->config.has_encoder() ? read().model->source : read().model->target).knows(word))
                << where << ": " << word << " is not known";
        EXPECT_EQ(experiment.what_ifs.size(), stop.text.what_ifs.size() + (stop.text.roles.without ? 1 : 0)) << where;
        EXPECT_EQ(h.shows("lecture.changed"), !experiment.what_ifs.empty() || experiment.swap.place >= 0) << where;
        EXPECT_EQ(read().swapped.has_value(), stop.text.swap.place >= 0) << where;
        EXPECT_FALSE(h.item("lecture.said").text.empty()) << where;
        if (!stop.text.roles.look) return;
        const TalliedHead& found = read().request.task == TextTask::story ? read().induction_head : read().it_head;
        EXPECT_EQ(look.head, found.head) << where;
        EXPECT_EQ(look.block, found.block) << where;
    }

    /// A shows the question, then its answer, then the picture; Q the equation.
    void expect_questions(const LessonStop& stop) {
        h.press(Key::a);
        EXPECT_EQ(h.item("lecture.question").text, without_markup(h.app->text()("text." + stop.id + ".question")));
        EXPECT_FALSE(h.shows("lecture.answer"));
        h.press(Key::a);
        EXPECT_FALSE(h.item("lecture.answer").text.empty()) << stop.id;
        h.press(Key::a);
        EXPECT_FALSE(h.shows("lecture.alone"));
        h.press(Key::i);
        EXPECT_GT(h.item("lecture.equation").rect.width(), 0) << stop.id;
        h.press(Key::i);
    }

    Harness h{Harness::with_image("cat"), GetParam().size};
};

TEST_P(TextLessons, LeadThroughTheirStopsWithTextsHeadsAndNotes) {
    begin();
    for (std::size_t i = 0; i < lesson().stops.size(); ++i) {
        const LessonStop stop = lesson().stops[i];
        const std::string where = std::string(GetParam().lesson) + ", stop " + std::to_string(i + 1);
        if (i > 0) h.press(Key::page_down);
        EXPECT_EQ(h.item("lecture.progress").value, static_cast<double>(i)) << where;
        EXPECT_EQ(h.app->state().room, stop.room) << where;
        EXPECT_EQ(h.item("notes").text, own_notes(stop, "en")) << where;
        EXPECT_EQ(h.app->error(), "") << where;
        h.expect_readable(where);
        expect_lines_between_rows(h, where);
        if (stop.room != "text") continue;
        expect_text(stop, where);
        expect_questions(stop);
    }
    h.press(Key::page_down);
    EXPECT_TRUE(h.app->state().lecture.on) << "the last stop stays";
}

TEST_P(TextLessons, SwapTheWordThatTheirNotesSpeakOf) {
    const Lesson all = load_lesson(GetParam().lesson);
    for (std::size_t i = 0; i < all.stops.size(); ++i) {
        const WordSwap& swap = all.stops[i].text.swap;
        if (swap.place < 0) continue;
        begin();
        while (h.app->state().lecture.stop < static_cast<int>(i)) h.press(Key::page_down);
        EXPECT_EQ(read().words.at(static_cast<std::size_t>(swap.place)), "tired");
        EXPECT_NE(read().swapped->output, read().run.output) << "words of the translation follow";
        EXPECT_TRUE(h.shows("lecture.said.0"));
    }
}

INSTANTIATE_TEST_SUITE_P(Bundled, TextLessons,
                         testing::Values(Shown{"sentences", {1920, 1080}}, Shown{"translation", {1920, 1080}},
                                         Shown{"sentences", {1280, 720}}, Shown{"translation", {1280, 720}}),
                         [](const auto& shown) {
                             return shown.param.lesson + std::to_string(static_cast<int>(shown.param.size.x));
                         });

TEST(TextLectures, KeepRowsApartFiguresLargeAndEquationsInSightInEveryChapterAndLanguage) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening opening = in_the_text_room(TextChapter::tokens);
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            h.press(Key::l);
            h.app->take_in(arrival::FullScreen{true});
            h.frame(40);
            for (const Named<TextChapter>& chapter : text_chapter_names) {
                enter(h, chapter.value);
                const std::string where =
                    std::string(chapter.name) + " in " + language + " at " + std::to_string(static_cast<int>(size.x));
                h.expect_readable(where);
                expect_lines_between_rows(h, where);
                const std::string words = h.app->text()("text." + std::string(chapter.name) + ".equation");
                EXPECT_TRUE(h.shows("equation") || h.item("stage.sentence").text.ends_with("\n" + words)) << where;
                for (const std::string family : {"encoder", "decoder", "both"}) {
                    const std::string id = "text.family." + family;
                    if (!h.shows(id)) continue;
                    EXPECT_LE(h.item(id + ".words").rect.y1, h.item(id).rect.y1) << id << " in " << where;
                }
                for (int station = 0; h.shows(at("text.station", station)); ++station)
                    EXPECT_GE(h.item(at("text.station", station)).rect.height(), 30) << where;
            }
        }
}

TEST(TextLectures, GiveTheMasksMatricesTheRoomOfScalesAndNotesOnASmallScreen) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.change().text().enter(TextChapter::mask);
    h.app->ask(command::EnterRoom{"text"});
    h.settle();
    EXPECT_TRUE(h.shows("text.mask.axes"));
    h.press(Key::l);
    h.frame(40);
    EXPECT_FALSE(h.shows("text.mask.axes"));
    EXPECT_GT(h.item("text.mask.figure.weights").rect.height(), 150);
    h.expect_readable("the mask in a lecture");
}

TEST(TextLectures, WithoutALessonShowTheChaptersNotesAndPutTheAnswerOnTheStage) {
    Harness h;
    h.change().text().enter(TextChapter::mask);
    h.app->ask(command::EnterRoom{"text"});
    h.settle();
    h.press(Key::l);
    h.frame(40);
    h.press(Key::n);
    EXPECT_EQ(h.item("notes").text, h.app->text()("text.mask.notes"));
    h.press(Key::a);
    EXPECT_TRUE(h.shows("lecture.question"));
    h.press(Key::escape);
    EXPECT_FALSE(h.shows("lecture.alone"));
    EXPECT_TRUE(h.app->state().lecture.on) << "Escape takes the question away first";
}

TEST(TextLessons, InALowHallTheLinesAreHighAndAnUnknownWordIsTold) {
    const TestFolder folder;
    write(folder / "a.txt",
          "lesson: A\ntext: cross_attention\ntask: translate\nto: ja\nsentence: Yesterday the cat ate a zorgle.\n"
          "text: cross_attention\nsample: yesterday\n");
    Harness h(Opening{}, {1280, 720});
    h.app->ask(command::OpenLesson{(folder / "a.txt").string()});
    h.settle();
    h.app->take_in(arrival::FullScreen{true});
    h.settle();
    h.frame(40);
    const float between = h.item("text.query.0").rect.y0 - h.item("text.key.0").rect.y1;
    EXPECT_GT(between, 0.1F * 720) << "seen from the last row";
    EXPECT_NE(h.item("lecture.said.0").text.find("zorgle"), std::string::npos) << h.item("lecture.said.0").text;
    h.expect_readable("a text with an unknown word in a low hall");
    h.press(Key::page_down);
    EXPECT_FALSE(h.shows("lecture.said.0")) << "every word is known";
}

}  // namespace
}  // namespace vitrine
