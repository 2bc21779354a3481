#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/frame/keymap.h"
#include "app/frame/language.h"
#include "app/platform/key_presses.h"
#include "app/ui/languages.h"
#include "app/workspace/command.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

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
    EXPECT_EQ(shared, std::set<std::string>());
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
        for (const std::string& language : language_codes()) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            for (const bool lecture : {false, true}) {
                if (lecture) begin_lecture(h);
                h.press(Key::f1);
                h.expect_readable("the key sheet in " + language + " at " + std::to_string(size.x));
                EXPECT_LT(h.item("help.undo").rect.x1, h.item("dialog").rect.x1);
                EXPECT_LT(h.item("help.zone").rect.x1, h.item("dialog").rect.x1);
                h.press(Key::escape);
                EXPECT_FALSE(h.shows("dialog"));
                EXPECT_EQ(h.app->state().lecture.on, lecture);
            }
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

TEST(Shell, WordsTypedOutsideAFieldDoNothingFromTheFourthLetterAndAreUndoneAtOnce) {
    Harness h;
    go_to(h, "attention");
    h.frame(90);
    const Focus before = h.focus();
    const ThemeKind theme = h.app->state().settings.theme;
    for (const Key letter : {Key::t, Key::x, Key::s, Key::a, Key::t, Key::x, Key::space, Key::digit_2})
        h.strike(letter);
    h.settle();
    EXPECT_NE(h.app->state().settings.theme, theme);
    EXPECT_EQ(h.what_ifs().size(), 1U) << "the second x is no command";
    EXPECT_NE(h.focus().scope, before.scope);
    EXPECT_FALSE(h.app->state().answer_shown);
    EXPECT_EQ(h.focus().head, before.head);
    EXPECT_EQ(h.app->state().notice,
              "Letters are commands here. Ctrl K opens Find; Ctrl Z undoes. The theme stays: T changes it.");
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.focus().scope, before.scope) << "one undo takes all of it back";
    h.frame(80);
    for (const Key letter : {Key::a, Key::e, Key::a, Key::h, Key::z, Key::i}) h.strike(letter);
    h.settle();
    EXPECT_EQ(h.app->state().notice, "Letters are commands here. Ctrl K opens Find.") << "nothing is there to undo";
    h.frame(80);
    h.press(Key::a);
    EXPECT_TRUE(h.app->state().answer_shown) << "after a pause letters are commands again";
    for (int i = 0; i < 5; ++i) h.strike(Key::s);
    h.press(Key::a);
    EXPECT_FALSE(h.app->state().answer_shown) << "one letter again and again is no word";
}

TEST(Shell, CtrlFFindsToo) {
    Harness h;
    h.press(Key::f, Key::ctrl);
    EXPECT_EQ(h.app->state().dialog, "find");
    h.press(Key::escape);
    h.press(Key::f1);
    EXPECT_NE(h.item("help.find").text.find("Ctrl F"), std::string::npos) << h.item("help.find").text;
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

TEST(Shell, HelpSaysWhatTheScreenIsAndLeadsToEveryKindOfHelp) {
    for (const std::string& code : language_codes()) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = code;
        Harness h(std::move(opening), {1280, 720});
        go_to(h, "attention");
        const auto choose = [&](const char* way) {
            h.press(Key::slash, Key::shift);
            ASSERT_TRUE(h.shows(way)) << way;
            h.expect_readable(std::string("help in ") + code);
            h.tap(way);
            h.settle();
        };
        h.press(Key::slash, Key::shift);
        EXPECT_EQ(h.item("help.screen").text, h.app->text()("step.attention.title"));
        EXPECT_EQ(h.item("help.question").text, h.app->text()("step.attention.question"));
        h.press(Key::escape);
        choose("help.way.find");
        EXPECT_EQ(h.app->state().dialog, "find");
        h.press(Key::escape);
        choose("help.way.glossary");
        EXPECT_EQ(h.app->state().dialog, "glossary");
        h.press(Key::escape);
        choose("help.way.first_minute");
        EXPECT_TRUE(h.app->state().first_minute);
        EXPECT_EQ(h.app->state().dialog, "");
        choose("help.way.tour");
        EXPECT_TRUE(h.app->state().lecture.on);
        EXPECT_EQ(h.app->state().dialog, "");
    }
    Harness h;
    for (const Room& room : rooms()) {
        h.carry_out(command::EnterRoom{std::string(room.id)});
        h.settle();
        h.press(Key::f1);
        EXPECT_TRUE(h.shows("help.screen")) << room.id;
        EXPECT_NE(h.item("help.screen").text, "") << room.id;
        h.press(Key::f1);
    }
    h.carry_out(command::EnterRoom{"learn"});
    h.change()->learning.own = true;
    h.change()->learning.choices[0].dropout = 0.35F;
    h.settle();
    h.press(Key::f1);
    EXPECT_EQ(h.item("help.screen").text, h.app->text()("learn.title")) << "custom runs have no name in a lesson";
    h.press(Key::f1);
    h.carry_out(command::Do{"lesson.keep"});
    h.settle();
    EXPECT_NE(h.app->state().error.find("no name in a lesson"), std::string::npos) << h.app->state().error;
}

TEST(Shell, TheGearLeadsToSettingsThatAreReachedByKeyboardAndNamedInEveryLanguage) {
    const Text english = load_text("en");
    for (const std::string& code : language_codes()) {
        const Text text = load_text(code);
        for (const char* const key :
             {"top.language", "language.dialog", "language.terms", "language.terms_tip", "language.zero",
              "language.zero_tip", "language.hints", "language.hints_tip", "language.motion", "language.motion_tip",
              "language.start", "language.memory", "language.colours"}) {
            EXPECT_FALSE(text(key).empty()) << key;
            if (code != "en") {
                EXPECT_NE(text(key), english(key)) << key << " in " << code;
            }
        }
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = code;
        Harness h(std::move(opening), {1280, 720});
        h.tap("top.language");
        EXPECT_EQ(h.app->state().dialog, "language");
        h.frame(2);
        const auto reach = [&](const std::string& id) {
            for (std::size_t i = 0; i <= h.app->keyboard_focus().order().size(); ++i) {
                if (h.app->keyboard_focus().visible() && h.app->keyboard_focus().focused() == id) return true;
                h.strike(Key::tab);
            }
            return false;
        };
        const auto flips = [&](const std::string& id, const auto& value) {
            const auto before = value();
            ASSERT_TRUE(reach(id)) << id;
            h.press(Key::space);
            EXPECT_NE(value(), before) << id << " in " << code;
            h.press(Key::space);
            EXPECT_EQ(value(), before) << id;
        };
        const auto settings = [&]() -> const Settings& { return h.app->state().settings; };
        flips("language.terms", [&] { return settings().english_terms; });
        flips("language.zero", [&] { return settings().count_from; });
        flips("language.hints", [&] { return settings().hints; });
        flips("language.motion", [&] { return settings().motion; });
        flips("language.start", [&] { return settings().start_page; });
        for (const std::string& other : language_codes()) EXPECT_TRUE(reach("language." + other)) << other;
        for (const char* const choice : {"language.memory.", "language.colours."})
            EXPECT_TRUE(std::ranges::any_of(h.app->keyboard_focus().order(), [&](const std::string& id) {
                return id.starts_with(choice);
            })) << choice;
    }
}

TEST(Shell, OneUndoTakesTypedWordsBackInARecordingToo) {
    std::vector<std::string> lines;
    {
        Harness h;
        go_to(h, "attention");
        h.frame(90);
        h.app->listen(
            [&](const Command& command) { lines.push_back(to_line(command, h.app->context().workspace().config())); });
        for (const Key letter : {Key::x, Key::s, Key::a, Key::t}) {
            h.strike(letter);
            h.settle();
        }
        ASSERT_EQ(h.what_ifs().size(), 1U);
    }
    const auto joins = [](const std::string& line) { return line.starts_with("[\"join-moments\""); };
    EXPECT_EQ(std::ranges::count_if(lines, joins), 1) << "it is a command like others";
    Harness fresh;
    go_to(fresh, "attention");
    fresh.frame(90);
    const Scope before = fresh.focus().scope;
    fresh.app->play(lines);
    for (std::size_t i = 0; i < 20 * lines.size() && fresh.app->busy(); ++i) fresh.settle();
    ASSERT_EQ(fresh.what_ifs().size(), 1U);
    ASSERT_NE(fresh.focus().scope, before);
    fresh.press(Key::z, Key::ctrl);
    EXPECT_TRUE(fresh.what_ifs().empty());
    EXPECT_EQ(fresh.focus().scope, before) << "one undo takes all back, as in the window";
}

TEST(Shell, TakesAProgramsLineFeedForEnter) {
    constexpr int none = -1, line_feed = 109;
    EXPECT_EQ(place_of_key(none, line_feed), glfw_number(Key::enter));
    EXPECT_EQ(place_of_key(none, 200), none);
    EXPECT_EQ(place_of_key('A', line_feed), 'A') << "where the system gives that number to another key";
}

}  // namespace
}  // namespace vitrine
