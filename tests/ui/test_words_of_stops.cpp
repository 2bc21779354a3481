#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/lecture/full_screen.h"
#include "app/lecture/lesson.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/rich_text.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

// What a lecture shows and says: all that its words point at is there, and nothing is smaller than in the window.

namespace vitrine {
namespace {

void begin_stops(Harness& h, const std::string& source) {
    h.app->ask(command::OpenLesson{source});
    h.settle();
    h.frame(40);
}

/// What stands between signs that name something: quotation marks of any of the languages, or strong words.
std::vector<std::string> named_in(const std::string& words) {
    std::vector<std::string> all;
    for (const auto& [begin, end] : {std::pair{"“", "”"}, {"‘", "’"}, {"「", "」"}, {"{strong|", "}"}}) {
        const std::size_t length = std::string(begin).size();
        for (std::size_t at = words.find(begin); at != std::string::npos; at = words.find(begin, at + 1)) {
            const std::size_t last = words.find(end, at + length);
            if (last != std::string::npos) all.push_back(words.substr(at + length, last - at - length));
        }
    }
    return all;
}

/// The labels of what can be switched, unfolded or pressed, in the language that is shown.
std::set<std::string> labels(const Harness& h) {
    std::set<std::string> all;
    for (const char* const key : {"section.switches", "section.numbers", "removal.shuffle", "learn.watch_it",
                                  "learn.start", "learn.play", "learn.back_to_live"})
        all.insert(h.app->text()(key));
    return all;
}

void expect_named_are_there(const Harness& h, const std::string& words, const std::string& where) {
    const std::set<std::string> known = labels(h);
    const auto& items = h.app->probe().items();
    for (const std::string& name : named_in(words)) {
        if (!known.contains(name)) continue;
        EXPECT_TRUE(std::ranges::any_of(items, [&](const auto& row) { return row.second.text == name; }))
            << name << " is no control of " << where << ": " << words;
    }
}

class WordsOfStops : public testing::TestWithParam<std::string> {};

/// At a stop of a lecture that is read beside the picture.
void expect_reading_is_there(Harness& h, const std::string& where) {
    h.frame(3);
    for (const char* const id : {"reading.notes", "reading.question", "reading.answer_words", "reading.explanation"})
        if (h.shows(id)) expect_named_are_there(h, h.item(id).text, where);
}

/// At one of a lecture that fills the screen: no answer is cut, and nothing below it scrolls.
void expect_hall_is_there(Harness& h, const std::string& where) {
    Lecture& lecture = h.door().state.lecture;
    for (const Alone alone : {Alone::question, Alone::answer}) {
        lecture.alone = alone;
        h.frame(4);
        for (const char* const id : {"lecture.question", "lecture.answer"})
            if (h.shows(id)) expect_named_are_there(h, h.item(id).text, where + ", full screen");
        h.expect_readable(where);
        if (h.shows("lecture.answer"))
            EXPECT_LE(h.item("lecture.answer").rect.y1, h.item("lecture.alone").rect.y1) << where << ": it is cut";
        if (h.shows("lecture.below"))
            EXPECT_LE(h.item("lecture.below").value, h.item("lecture.below").rect.height() + 1)
                << where << ": it scrolls";
    }
    lecture.alone = Alone::nothing;
}

TEST_P(WordsOfStops, PointAtControlsThatAreThere) {
    Harness h(Opening{}, {1920, 1080});
    begin_stops(h, GetParam());
    const State& state = h.app->state();
    const int stops = static_cast<int>(state.lecture.lesson->stops.size());
    for (const std::string& language : language_codes())
        for (const bool full_screen : {false, true}) {  // letters are drawn anew with either
            h.change()->settings.language = language;
            h.app->take_in(arrival::FullScreen{full_screen});
            h.app->ask(command::Do{"lecture.first"});
            for (int stop = 0; stop < stops; ++stop) {
                if (stop > 0) h.app->ask(command::Do{"lecture.next_stop"});
                h.settle();
                ASSERT_EQ(state.lecture.stop, stop);
                h.door().state.lecture.peek = true;
                const std::string where = GetParam() + ", stop " + std::to_string(stop + 1) + ", " + language;
                full_screen ? expect_hall_is_there(h, where) : expect_reading_is_there(h, where);
            }
        }
}

INSTANTIATE_TEST_SUITE_P(All, WordsOfStops, testing::ValuesIn(bundled_lessons()));

TEST(WordsOfStops, FillASmallScreenWithoutACutAnswer) {
    Harness h(Opening{}, {1280, 720});
    begin_stops(h, "tour");
    h.app->take_in(arrival::FullScreen{true});
    const int stops = static_cast<int>(h.app->state().lecture.lesson->stops.size());
    for (const std::string& language : language_codes()) {
        h.change()->settings.language = language;
        h.app->ask(command::Do{"lecture.first"});
        for (int stop = 0; stop < stops; ++stop) {
            if (stop > 0) h.app->ask(command::Do{"lecture.next_stop"});
            h.settle();
            expect_hall_is_there(h, "stop " + std::to_string(stop + 1) + " in " + language);
        }
    }
}

TEST(WordsOfStops, AnAnswerThatNeedsChangesMakesThemForTheClassAndTheNextStopIsWithoutThem) {
    const TestFolder folder;
    write(folder / "a.txt",
          "lesson: A\nstep: position_embedding\nimage: cat\nstep: norm_place\nstep: prediction\n"
          "step: explanation\nstep: image\n");
    Harness h(Opening{}, {1920, 1080});
    begin_stops(h, (folder / "a.txt").string());
    h.app->take_in(arrival::FullScreen{true});
    h.frame(3);
    for (const char* const before : {"position.first", "norm_place.first", "prediction.first", "explanation.first"}) {
        EXPECT_TRUE(h.what_ifs().empty()) << before;
        const std::size_t instruction = std::min<std::size_t>(12, h.app->text()(before).find('{'));
        const std::string begins = h.app->text()(before).substr(0, instruction);
        h.press(Key::q);
        EXPECT_TRUE(h.what_ifs().empty()) << "the class guesses first";
        h.press(Key::page_down);
        EXPECT_FALSE(h.what_ifs().empty()) << before;
        EXPECT_FALSE(h.item("lecture.answer").text.starts_with(begins)) << h.item("lecture.answer").text;
        EXPECT_NE(h.item("lecture.answer").text, h.app->text()("first_minute.computing")) << before;
        EXPECT_NE(h.item("lecture.prediction").text.find("→"), std::string::npos) << before;
        h.expect_readable(before);
        h.press(Key::page_down);
    }
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.app->state().lecture.stop, 4);
}

TEST(WordsOfStops, ChaptersOfTextHaveTheirSwitchesInALectureToo) {
    const TestFolder folder;
    write(folder / "a.txt", "lesson: A\ntext: encoder\ntext: mask\n");
    Harness h(Opening{}, {1920, 1080});
    begin_stops(h, (folder / "a.txt").string());
    EXPECT_TRUE(h.shows("lecture.section.switches")) << "beside the picture";
    h.app->take_in(arrival::FullScreen{true});
    h.frame(3);
    EXPECT_FALSE(h.shows("lecture.section.switches")) << "not on the projected picture";
    h.press(Key::page_down);
    h.press(Key::a);
    EXPECT_TRUE(h.shows("lecture.section.switches")) << "with the question";
    h.tap("text.switch.no-mask");
    EXPECT_EQ(h.app->workspace().text_experiment.what_ifs, std::vector<std::string>{"no-mask"});
}

TEST(WordsOfStops, WhoReadsAloneIsNotSpokenToAsALecturer) {
    const TestFolder folder;
    write(folder / "a.txt", "lesson: A\nstep: image\nstep: heads\nnotes: Count them.\n");
    Harness h(Opening{}, {1920, 1080});
    begin_stops(h, (folder / "a.txt").string());
    EXPECT_TRUE(h.shows("reading"));
    EXPECT_FALSE(h.shows("reading.notes")) << "those of the chapter are for who speaks before a class";
    h.press(Key::n);
    EXPECT_EQ(h.item("notes").text, h.app->text()("step.image.notes")) << "who asks for them has them";
    h.press(Key::n);
    h.door().state.lecture.reading = true;
    h.press(Key::page_down);
    EXPECT_EQ(h.item("reading.notes").text, "Count them.");
}

TEST(WordsOfStops, AStopThatSaysNothingHasNoPanelAndItsNameStandsOnce) {
    const TestFolder folder;
    write(folder / "a.txt",
          "lesson: A\nlearn: norms\nlearn: norms\nnotes: Watch the loss.\nlearn: norms\n"
          "question: Which one learns?\nstep: heads\n");
    Harness h(Opening{}, {1920, 1080});
    begin_stops(h, (folder / "a.txt").string());
    const auto named = [&](const std::string& name) {
        return std::ranges::count_if(h.app->probe().words(), [&](const Probe::Words& w) { return w.text == name; });
    };
    EXPECT_FALSE(h.shows("reading"));
    const float whole = h.app->rect_of("stage").width();
    EXPECT_EQ(named(h.app->text()("learn.experiment.norms")), 1);
    h.press(Key::page_down);
    EXPECT_TRUE(h.shows("reading"));
    EXPECT_LT(h.app->rect_of("stage").width(), whole);
    EXPECT_EQ(named(h.app->text()("learn.experiment.norms")), 1);
    EXPECT_EQ(named(h.app->text()("top.mode.learn")), 0);
    h.press(Key::page_down);
    EXPECT_EQ(h.item("reading.question").text, "Which one learns?");
    h.press(Key::page_down);
    EXPECT_EQ(named(h.app->text()("step.heads.title")), 1);
}

TEST(LectureScreen, EndsWithTheLectureThatItBeganInAndOtherwiseStays) {
    LectureScreen screen;
    EXPECT_FALSE(screen.ends(false, false));
    EXPECT_FALSE(screen.ends(true, false));
    EXPECT_FALSE(screen.ends(true, true));
    EXPECT_TRUE(screen.ends(false, true)) << "the lecture made it so";
    EXPECT_FALSE(screen.ends(false, false)) << "and it is done once";
    EXPECT_FALSE(screen.ends(false, true)) << "a full screen of one's own";
    EXPECT_FALSE(screen.ends(true, true));
    EXPECT_FALSE(screen.ends(false, true)) << "was there before";
    EXPECT_FALSE(screen.ends(true, true));
    EXPECT_FALSE(screen.ends(true, false));
    EXPECT_FALSE(screen.ends(true, true));
    EXPECT_TRUE(screen.ends(false, true)) << "was left and begun again in the lecture";
    EXPECT_FALSE(screen.ends(false, false));
    EXPECT_FALSE(screen.ends(true, true));
    EXPECT_TRUE(screen.ends(false, true)) << "began with the lecture, as on two monitors";
    EXPECT_FALSE(screen.ends(true, true)) << "the next lecture begins, and fills the screen, within a frame";
    EXPECT_TRUE(screen.ends(false, true));
}

/// What the stage shows, by its probe ids.
std::map<std::string, Rect> on_stage(Harness& h) {
    const Rect stage = h.app->rect_of("stage");
    std::map<std::string, Rect> all;
    for (const auto& [id, item] : h.app->probe().items())
        if (item.visible && stage.contains(item.rect.centre())) all[id] = item.rect;
    return all;
}

/// In a lecture that fills the screen.
std::map<std::string, Rect> in_hall(Harness& h) {
    h.press(Key::l);
    h.app->take_in(arrival::FullScreen{true});
    h.frame(40);
    h.settle();
    std::map<std::string, Rect> all = on_stage(h);
    h.app->take_in(arrival::FullScreen{false});
    h.press(Key::l);
    h.frame(40);
    return all;
}

constexpr float least_side = 60;  // of what counts as a figure, in pixels

TEST(LectureScreen, ShowsEveryFigureThatTheWindowShows) {
    Harness h(Opening{}, {1920, 1080});
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        const std::map<std::string, Rect> window = on_stage(h), hall = in_hall(h);
        for (const auto& [id, rect] : window) {
            if (std::min(rect.width(), rect.height()) < least_side) continue;
            // Projected, a layer norm has fewer and higher rows: the one that is scaled is centred, too.
            if (id.starts_with("norm.centred") && hall.contains("norm.scaled")) continue;
            EXPECT_TRUE(hall.contains(id)) << id << " of " << step.id;
        }
    }
}

TEST(LectureScreen, ShowsMapsOfOtherStepsNearlyAsLargeAsTheWindowDoes) {
    Harness h(Opening{}, {1920, 1080});
    for (const auto& [step, map] : {std::pair("mlp", "mlp.map"), std::pair("layer_norm", "norm.mean_map")}) {
        go_to(h, step);
        const Rect window = on_stage(h).at(map), hall = in_hall(h).at(map);
        EXPECT_GE(hall.width(), 0.9F * window.width()) << step;
        EXPECT_GE(hall.height(), 0.9F * window.height()) << step;
    }
}

TEST(LectureScreen, ShowsMapsAsTheLargestThingOnASmallScreenToo) {
    Harness h(Opening{}, {1280, 720});
    go_to(h, "explanation");
    for (const char* const map : {"explanation.weights", "explanation.moved"}) {
        EXPECT_GE(on_stage(h).at(map).height(), 150) << map;
        EXPECT_GE(in_hall(h).at(map).height(), 140) << map;
    }
    go_to(h, "layer_norm");
    for (const char* const map : {"norm.mean_map", "norm.deviation_map"}) EXPECT_GE(in_hall(h).at(map).height(), 100);
}

TEST(LectureScreen, ShowsNoMapOfAttentionSmallerThanTheWindowDoes) {
    Harness h(Opening{}, {1920, 1080});
    for (const char* const step : {"attention", "attention_matrix"}) {
        go_to(h, step);
        const std::map<std::string, Rect> window = on_stage(h), hall = in_hall(h);
        int maps = 0;
        for (const auto& [id, rect] : window) {
            if (std::min(rect.width(), rect.height()) < least_side || !hall.contains(id)) continue;
            ++maps;
            EXPECT_GE(hall.at(id).width(), rect.width() - 1) << id;
            EXPECT_GE(hall.at(id).height(), rect.height() - 1) << id;
        }
        EXPECT_GE(maps, 3) << step;
    }
}

/// A notice lies in the window, over no words beside its own and over no control.
void expect_over_nothing(Harness& h, const std::string& where) {
    ASSERT_TRUE(h.shows("notice")) << where;
    const Rect notice = h.item("notice").rect;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    EXPECT_TRUE(notice.x0 >= 0 && notice.x1 <= screen.x && notice.y0 >= 0 && notice.y1 <= screen.y) << where;
    EXPECT_EQ(h.app->error(), "") << where;
    const std::string told = without_markup(h.item("notice").text);
    for (const Probe::Words& words : h.app->probe().words()) {
        if (told.find(words.text) != std::string::npos) continue;
        EXPECT_FALSE(notice.overlaps(words.rect)) << words.text << ", " << where;
    }
}

TEST(Notices, LieOverNoWordsAndLeaveTheFigureItsSize) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            const auto check = [&](const std::string& where) {
                const std::string file = "/home/someone/lectures/winter/transformers/my-lesson.lesson";
                const Rect stage = h.app->rect_of("stage");
                h.app->take_in(arrival::Notice{h.app->text()("lessons.kept", {{"count", "12"}, {"file", file}})});
                h.frame(4);
                EXPECT_EQ(h.app->rect_of("stage"), stage) << where << ", " << language;
                // In a small window some stages are full of words.
                if (size.x > 1280) expect_over_nothing(h, where + ", " + language);
                h.app->take_in(arrival::Notice{});
                h.frame(2);
            };
            for (const char* const room : {"explore", "laboratory", "learn", "exercise", "text"}) {
                h.app->ask(command::EnterRoom{room});
                h.settle();
                check(room);
            }
            h.app->ask(command::EnterRoom{"explore"});
            begin_stops(h, "tour");
            check("a lecture beside notes");
            h.app->take_in(arrival::FullScreen{true});
            h.frame(3);
            check("a lecture on a projector");
        }
}

TEST(Notices, OfSeveralLinesLeaveTheFigureItsSize) {
    for (const char* const step : {"attention", "activation"}) {
        Harness h(Opening{}, {1280, 720});
        go_to(h, step);
        const auto before = h.app->probe().items();
        h.app->take_in(arrival::Notice{"No longer changed: positions\nImage again: cat\nModel changed"});
        h.frame(4);
        for (const auto& [id, item] : before) {
            const Probe::Item* const now = h.app->probe().find(id);
            if (now == nullptr || id == "stage.hint") continue;
            EXPECT_EQ(now->rect, item.rect) << id << " moves in " << step;
        }
        const Rect place = h.item("notice").rect;
        h.frame(20);
        EXPECT_EQ(h.item("notice").rect, place) << "it stays where it is";
    }
}

TEST(Notices, OfTheChapterOnAttentionLieOverNoMapAndNoWords) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "attention");
        for (const std::string& words :
             {h.app->text()("lecture.led_back"), h.app->text()("travel.view"),
              h.app->text()("lessons.kept", {{"count", "2"}, {"file", "/home/someone/vitrine/my-lesson.lesson"}})}) {
            h.app->take_in(arrival::Notice{words});
            h.frame(4);
            EXPECT_TRUE(h.shows("stage.hint"));
            expect_over_nothing(h, words);
            for (const auto& [id, item] : h.app->probe().items()) {
                if (!id.starts_with("attention.map.") || id.find(".cell.") != std::string::npos) continue;
                EXPECT_FALSE(h.item("notice").rect.overlaps(item.rect)) << id << ": " << words;
            }
            h.app->take_in(arrival::Notice{});
            h.frame(2);
        }
    }
}

/// What is said after saving lies over no figure, no control and no words: beside the title, if need be on two lines or
/// without some of its folders.
TEST(Notices, AboutFilesCoverNoFigure) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            const auto check = [&](const std::string& where) {
                for (const char* const file : {"/home/someone/vitrine/cat-attention-2.png",
                                               "/home/someone/lectures/winter/transformers/cat-attention-2.png"}) {
                    const std::string words = h.app->text()("export.written", {{"file", file}});
                    h.app->take_in(arrival::Notice{words});
                    h.frame(4);
                    EXPECT_EQ(h.item("notice").text, words) << where;
                    const Rect notice = h.item("notice").rect;
                    const std::string here = where + ", " + language + ", " + std::to_string(size.x);
                    EXPECT_TRUE(notice.x0 >= 0 && notice.x1 <= size.x && notice.y0 >= 0) << here;
                    for (const Probe::Words& under : h.app->probe().words()) {
                        const bool own = words.find(under.text) != std::string::npos || under.text.starts_with("…");
                        EXPECT_FALSE(!own && notice.overlaps(under.rect)) << under.text << ", " << here;
                    }
                    h.app->take_in(arrival::Notice{});
                    h.change()->settings.hints = false;  // a note may have given way
                    h.frame(3);
                    EXPECT_EQ(h.app->keyboard_focus().figures_below(notice), 0) << here;
                    h.change()->settings.hints = true;
                    h.frame(2);
                }
            };
            for (const char* const step : {"attention", "attention_matrix", "depth", "layer_norm", "prediction"}) {
                go_to(h, step);
                check(step);
            }
            for (const char* const room : {"laboratory", "text"}) {
                h.app->ask(command::EnterRoom{room});
                h.settle();
                check(room);
            }
            h.app->ask(command::EnterRoom{"explore"});
            begin_stops(h, "tour");
            check("a lecture");
        }
}

TEST(Notices, OfALineMoveNothing) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Opening{}, size);
        for (const char* const room : {"explore", "laboratory", "learn", "text"}) {
            if (size.x < 1920 && std::string_view(room) == "learn") continue;  // its choice is beside the title
            h.app->ask(command::EnterRoom{room});
            h.settle();
            const auto before = h.app->probe().items();
            std::set<std::string> read;
            for (const Probe::Words& words : h.app->probe().words()) read.insert(words.text);
            h.app->take_in(arrival::Notice{"Kept as stop 2 of /home/someone/my-lesson.lesson"});
            h.frame(4);
            EXPECT_FALSE(h.item("notice").rect.overlaps(h.item("stage.heading").rect)) << room;
            for (const Probe::Words& words : h.app->probe().words()) read.erase(words.text);
            for (const std::string& words : read)
                ADD_FAILURE() << "\"" << words << "\" can no longer be read in " << room;
            for (const auto& [id, item] : before)
                if (const Probe::Item* const now = h.app->probe().find(id); now != nullptr)
                    EXPECT_EQ(now->rect.y1, item.rect.y1) << id << " moves in " << room;
                else
                    ADD_FAILURE() << id << " is gone in " << room;
            h.app->take_in(arrival::Notice{});
            h.frame(2);
        }
    }
}

TEST(Notices, OfADialogStandInTheLineOfItsTitle) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Opening{}, size);
        h.app->ask(command::ShowDialog{"lessons"});
        h.settle();
        const float below = h.item("dialog.close").rect.y1;
        h.app->take_in(
            arrival::Notice{"Kept as stop 12 of /home/someone/lectures/winter/transformers/my-lesson.lesson"});
        h.frame(4);
        const Rect notice = h.item("notice").rect, dialog = h.item("dialog").rect;
        EXPECT_LT(notice.x1, h.item("dialog.close").rect.x0);
        EXPECT_GT(notice.x0, dialog.x0 + h.app->theme().px(80)) << "beside the title";
        EXPECT_GE(notice.y0, dialog.y0);
        EXPECT_LE(notice.y1, below + h.app->theme().px(4));
        h.expect_readable("a notice in a dialog");
    }
}

TEST(Notices, LieOverNoDialogsTitleNorItsButton) {
    const char* const path = "Kept as stop 12 of /home/someone/lectures/winter/transformers/my-lesson.lesson";
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const char* const language : {"en", "ja", "ko"}) {
            Opening opening;
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            for (const char* const dialog : {"language", "lessons", "take_away", "help", "glossary", "references",
                                             "save_as", "open_image", "closing", "text_samples"}) {
                h.app->ask(command::ShowDialog{dialog});
                h.settle();
                std::vector<Rect> title;  // what the dialog itself draws in the line of its button
                const Rect close = h.item("dialog.close").rect;
                for (const ImGuiWindow* const window : windows_with("dialog.veil/"))
                    for (const Probe::Words& each : h.app->probe().words())
                        if (each.on_top == window->DrawList && each.rect.y1 <= close.y1 && each.rect.x1 <= close.x0)
                            title.push_back(each.rect);
                for (const char* const notice : {path,
                                                 "This text did nothing, since letters are commands here. Ctrl Z "
                                                 "undoes what they did; Ctrl K opens Find."}) {
                    h.app->take_in(arrival::Notice{notice});
                    h.frame(4);
                    const std::string where = std::string(dialog) + " in " + language + " at " + std::to_string(size.x);
                    const Rect box = h.item("notice").rect;
                    EXPECT_FALSE(box.overlaps(h.item("dialog.close").rect)) << where;
                    for (const Rect& words : title) EXPECT_FALSE(box.overlaps(words)) << where;
                    EXPECT_TRUE(box.x0 >= 0 && box.y0 >= 0 && box.x1 <= size.x && box.y1 <= size.y) << where;
                    EXPECT_GT(box.width(), h.app->theme().px(80)) << where;
                    h.app->take_in(arrival::Notice{});
                    h.frame(2);
                }
            }
        }
}

TEST(TopBar, ItsTipsCoverNoHeading) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Opening{}, size);
        for (const char* const room : {"explore", "laboratory", "text"}) {
            h.app->ask(command::EnterRoom{room});
            h.settle();
            int tips = 0;
            const auto items = h.app->probe().items();
            for (const auto& [id, item] : items) {
                if (!id.starts_with("top.") || !item.visible || item.rect.y1 > h.app->theme().px(64)) continue;
                h.hover(id);
                h.frame(60);
                if (!h.shows("tooltip")) continue;
                ++tips;
                const Rect tip = h.item("tooltip").rect;
                EXPECT_FALSE(tip.overlaps(h.item("stage.heading").rect)) << id << " in " << room;
                EXPECT_FALSE(tip.overlaps(item.rect)) << id << " in " << room;
            }
            EXPECT_GE(tips, 5) << room;
        }
    }
}

}  // namespace
}  // namespace vitrine
