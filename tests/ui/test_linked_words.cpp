#include <gtest/gtest.h>

#include <algorithm>

#include "app/dialogs/find_entries.h"
#include "app/library/references.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/rich_text.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

TEST(LinkedWords, OfAStageAndOfAnAnswerLeadToTheirInstrument) {
    Harness h({Harness::with_image("cat")}, {1920, 1500});
    h.change()->settings.folded = {"numbers", "words", "code"};  // what stands over the answer
    go_to(h, "prediction");
    const std::string link = first_id(h, "link.stage.lab.ledger");
    ASSERT_FALSE(link.empty());
    EXPECT_EQ(h.item(link).text, "Lab, Logit sources");
    h.tap(link);
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::ledger);
    h.press(Key::f2);
    go_to(h, "prediction");
    h.change().focus().lab.instrument = Instrument::heads;
    h.press(Key::a);
    const std::string answer = first_id(h, "link.answer.lab.ledger");
    ASSERT_FALSE(answer.empty());
    h.tap(answer);
    EXPECT_EQ(h.focus().lab.instrument, Instrument::ledger);
}

TEST(LinkedWords, CitationsLeadToTheirPaper) {
    Harness h({Harness::with_image("cat")}, {1920, 1500});
    h.change()->settings.folded.insert("numbers");
    go_to(h, "explanation");
    const std::string cited = first_id(h, "cite.words.kobayashi2020");
    ASSERT_FALSE(cited.empty());
    h.hover(cited);
    h.frame(60);
    EXPECT_EQ(h.item("tooltip").text, full_words(*reference_named("kobayashi2020")));
    h.tap(cited);
    EXPECT_TRUE(h.shows("references.row.kobayashi2020"));
    EXPECT_FALSE(h.shows("references.row.abnar2020")) << "what is cited alone";
    h.press(Key::escape);
    h.press(Key::f3);
    h.change().focus().lab.instrument = Instrument::compare;
    h.settle();
    EXPECT_FALSE(first_id(h, "cite.is_not.kobayashi2020").empty()) << "also below a figure of the laboratory";
}

/// How far the panel is scrolled.
float scrolled(const char* panel = "explanation.scroll") { return windows_with(panel).front()->Scroll.y; }

TEST(LinkedWords, OfAChapterLeadToTheControlsOfTheirInstrument) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    for (const bool scrolled_before : {false, true}) {
        go_to(h, "attention");
        h.tap(first_id(h, "link.words.lab.compare"));
        h.settle();
        h.frame(30);
        EXPECT_EQ(h.app->state().room, "laboratory");
        EXPECT_EQ(h.focus().lab.instrument, Instrument::compare);
        EXPECT_EQ(scrolled(), 0) << (scrolled_before ? "again" : "at first");
        EXPECT_TRUE(h.item("lab.combine.difference").visible) << "X − Y";
        h.tap("explanation.scroll.to.words");
        EXPECT_GT(scrolled(), 0);
    }
}

TEST(LinkedWords, OfEveryRoomAndTheFinderLeadToThePanelsTop) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.app->ask(command::EnterRoom{"laboratory"});
    h.settle();
    h.tap("explanation.scroll.to.words");
    ASSERT_GT(scrolled(), 0);
    h.app->ask(command::EnterRoom{"explore"});
    h.settle();
    EXPECT_EQ(scrolled(), 0) << "a room's panel does not begin where another one was left";
    h.app->ask(command::EnterRoom{"laboratory"});
    h.settle();
    h.tap("explanation.scroll.to.words");
    h.app->ask(command::EnterRoom{"text"});
    h.settle();
    h.tap("text.panel.scroll.to.question");
    ASSERT_GT(scrolled("text.panel.scroll"), 0);
    const std::string chapter(name_of(h.focus().text.chapter));
    const auto choose = [&](const std::string& id) {
        h.press(Key::k, Key::ctrl);
        const auto& entries = h.app->dialogs().finder().entries();
        const auto found = std::ranges::find(entries, id, &FindEntry::id);
        ASSERT_NE(found, entries.end()) << id;
        const std::vector<Command> commands = found->commands;
        h.press(Key::escape);
        for (const Command& command : commands) h.app->ask(command);
        h.settle();
        h.frame(3);
    };
    choose("lab.heads");
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(scrolled(), 0);
    choose("text." + chapter);
    EXPECT_EQ(h.app->state().room, "text");
    EXPECT_EQ(scrolled("text.panel.scroll"), 0);
}

TEST(LinkedWords, InALectureLeadNowhere) {
    Harness h;
    go_to(h, "prediction");
    h.press(Key::f5);
    h.settle();
    ASSERT_TRUE(h.app->state().lecture.on);
    EXPECT_TRUE(first_id(h, "link.").empty());
    EXPECT_TRUE(first_id(h, "term.stage").empty());
}

TEST(LinkedWords, NotAnExplanationLeadsToTheCurvesThatTestItsMaps) {
    Harness h;
    go_to(h, "explanation");
    const std::string link = first_id(h, "link.words.lab.causes.perturbation");
    ASSERT_FALSE(link.empty());
    h.tap(link);
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::causes);
    EXPECT_EQ(h.focus().lab.cause, CauseFigure::perturbation);
}

/// Every link of every language names an instrument that there is and calls it as its tab does.
TEST(LinkedWords, CallAnInstrumentAsItsTabDoes) {
    for (const std::string& language : language_codes()) {
        const Text text = load_text(language);
        int links = 0;
        for (const auto& [key, words] : text.table())
            for (const RichRun& run : parse_markup(words)) {
                if (run.role != "link") continue;
                ++links;
                const std::string there = run.target.substr(4), tab = "lab.tab." + there.substr(0, there.find('.'));
                if (const std::size_t dot = there.find('.'); dot != std::string::npos) {
                    EXPECT_TRUE(value_in(cause_figure_names, there.substr(dot + 1))) << key << " in " << language;
                }
                ASSERT_TRUE(run.target.starts_with("lab.") && text.has(tab)) << key << " in " << language;
                EXPECT_NE(run.words.find(text(tab)), std::string::npos) << key << " in " << language;
            }
        EXPECT_GE(links, 3) << language;
    }
}

TEST(LinkedWords, WhoseInstrumentIsNeverShownScrollNoOtherOne) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.app->ask(command::EnterRoom{"laboratory"});
    h.settle();
    h.app->ask(command::Do{"panel.top"});
    h.app->ask(command::EnterRoom{"learn"});
    h.settle();
    h.app->ask(command::EnterRoom{"laboratory"});
    h.settle();
    h.tap("explanation.scroll.to.words");
    EXPECT_GT(scrolled(), 0) << "the request lapsed with its place";
}

}  // namespace
}  // namespace vitrine
