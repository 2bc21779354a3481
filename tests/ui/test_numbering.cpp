#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "app/exports/table_numbering.h"
#include "app/ui/languages.h"
#include "app/workspace/shown_table.h"
#include "tests/ui/harness.h"

// One numbering: what people count starts at 1, everywhere, or at 0 where a programmer asks for it.

namespace vitrine {
namespace {

/// All that a frame says.
std::vector<std::string> said(const Harness& h) {
    std::vector<std::string> all;
    for (const auto& [id, item] : h.app->probe().items()) all.push_back(item.text);
    for (const Probe::Words& words : h.app->probe().words()) all.push_back(words.text);
    return all;
}

bool says(const Harness& h, const std::string& part) {
    return std::ranges::any_of(said(h), [&](const std::string& w) { return w.find(part) != std::string::npos; });
}

void expect_nothing_counted_from_zero(const Harness& h, const std::string& where) {
    static const std::regex zero(R"(\b(block|head|patch|row|column|feature|filter|unit|image) 0\b)", std::regex::icase);
    for (const std::string& words : said(h)) EXPECT_FALSE(std::regex_search(words, zero)) << words << " in " << where;
}

/// The first of everything is looked at.
Opening the_first() {
    Opening opening = Harness::with_image("cat");
    Focus& f = opening.selection.focus;
    f.block = f.token = f.key = 1;
    f.head = f.unit = f.feature = 0;
    f.lab.picks = {{1, 0, {}}, {4, 2, {}}};
    opening.experiment.what_ifs = {remove_head(1, 0), remove_token(1)};
    return opening;
}

TEST(Numbering, NoChapterCountsFromZero) {
    Harness h(the_first());
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        h.door().state.answer_shown = true;
        h.change()->motion = {1, false};
        h.frame(3);
        expect_nothing_counted_from_zero(h, std::string(step.id));
    }
}

TEST(Numbering, NoInstrumentCountsFromZero) {
    Harness h(the_first());
    h.press(Key::f3);
    for (const auto& [instrument, name] : instrument_names) {
        h.change().focus().lab.instrument = instrument;
        h.settle();
        expect_nothing_counted_from_zero(h, std::string(name));
    }
}

TEST(Numbering, ASettingCountsFromZeroAsTensorsDo) {
    Harness h(the_first());
    go_to(h, "attention");
    EXPECT_EQ(h.item("attention.head.0").text, "Head 1");
    EXPECT_TRUE(says(h, "patch 1 · row 1, column 1"));
    h.change()->settings.count_from = 0;
    h.settle();
    EXPECT_EQ(h.item("attention.head.0").text, "Head 0");
    EXPECT_EQ(h.item("map.block.1").text, "0");
    EXPECT_TRUE(says(h, "patch 0 · row 0, column 0"));
}

/// The top bar says where the chosen patch is, at the smallest size in use as well.
TEST(Numbering, ThePatchsRowAndColumnHaveRoomInTheTopBar) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            Harness h(std::move(state), size);
            go_to(h, "attention");
            h.change().focus().token = 1 + 8 * 5 + 6;
            h.settle();
            const std::string& told = h.item("top.selection").text;
            EXPECT_NE(told.find('6'), std::string::npos) << told;
            EXPECT_NE(told.find('7'), std::string::npos) << told;
            EXPECT_NE(told.find("47"), std::string::npos) << told;
            EXPECT_TRUE(std::ranges::any_of(h.app->probe().words(), [&](const auto& w) { return w.text == told; }))
                << told << " in " << language << " at " << size.x;
            EXPECT_TRUE(h.item("top.release").visible) << language;
            EXPECT_LE(h.item("top.help").rect.x1, size.x) << language;
            h.expect_readable("the top bar in " + language);
        }
}

TEST(Numbering, ADigitChoosesTheHeadOfThatNumber) {
    Harness h(the_first());
    go_to(h, "attention");
    h.press(Key::digit_2);
    EXPECT_EQ(h.focus().head, 1);
    h.press(Key::digit_0);
    EXPECT_EQ(h.focus().head, 1) << "there is no tenth head";
    h.change()->settings.count_from = 0;
    h.press(Key::digit_2);
    EXPECT_EQ(h.focus().head, 2);
    h.press(Key::digit_0);
    EXPECT_EQ(h.focus().head, 0);
}

TEST(Numbering, IndicesInCodeStayThoseOfTheDump) {
    Harness h(the_first());
    go_to(h, "attention");
    const Table one = shown_table(h.result(), h.focus(), nullptr);
    h.change()->settings.count_from = 0;
    h.frame(2);
    const Table zero = shown_table(h.result(), h.focus(), nullptr);
    EXPECT_EQ(one.labels, zero.labels);
    EXPECT_EQ(one.values, zero.values);
    EXPECT_FALSE(one.values.empty());
}

TEST(Numbering, HeadsInTheOrderOfTheirRemovalAreNumberedAsOnTheScreen) {
    const Table pruning{"pruning", {"removed"}, {3}, {1, 0.9F, 0.5F}, {{"none", "6.0", "3.2"}}};
    Table table = pruning;
    number_from(table, 1);
    EXPECT_EQ(table.labels[0], (std::vector<std::string>{"none", "6.1", "3.3"}));
    EXPECT_EQ(table.axes[0], "removed (from 1)");
    table = pruning;
    number_from(table, 0);
    EXPECT_EQ(table.labels[0], (std::vector<std::string>{"none", "5.0", "2.2"})) << "blocks too";
}

}  // namespace
}  // namespace vitrine
