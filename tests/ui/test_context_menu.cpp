#include <gtest/gtest.h>

#include "tests/ui/harness.h"

// The right button's menu, the same wherever a patch or a head lies; and what a resting pointer leaves alone.

namespace vitrine {
namespace {

Opening in_the_laboratory(Instrument instrument) {
    Opening state = Harness::with_image("cat");
    state.state.room = "laboratory";
    state.selection.focus.lab.instrument = instrument;
    return state;
}

TEST(ContextMenu, IsTheSameForAHeadInTheMapOnTheStageAndInTheGallery) {
    const struct {
        const char* place;
        Opening opening;
    } places[] = {{"map.head.2", Harness::with_image("cat")},
                  {"attention.map.2.cell.20", Harness::with_image("cat")},
                  {"attention.head.2", Harness::with_image("cat")},
                  {"gallery.1.2", in_the_laboratory(Instrument::heads)}};
    for (const auto& [place, opening] : places) {
        Harness h(opening);
        if (std::string_view(place).starts_with("gallery")) {
            const Rect tile = h.item(place).rect;
            h.input.move(tile.centre().x, tile.centre().y);
            h.frame(3);
            h.input.button(1, true);
            h.input.button(1, false);
            h.frame(4);
        } else {
            go_to(h, "attention");
            h.tap(place, 1);
        }
        EXPECT_TRUE(h.what_ifs().empty()) << place << ": the button alone switches nothing off";
        for (const char* const row : {"menu.switch.head", "menu.pick", "menu.compare", "menu.save", "menu.keep"})
            EXPECT_TRUE(h.shows(row)) << row << " at " << place;
        h.tap("menu.switch.head");
        EXPECT_EQ(h.what_ifs(), WhatIfs{remove_head(1, 2)}) << place;
        EXPECT_FALSE(h.shows("menu")) << place;
    }
}

TEST(ContextMenu, SwitchesAPatchOffAndOnAgainAndSaysWhich) {
    Harness h;
    h.tap("token.9", 1);
    EXPECT_EQ(h.item("menu.switch.patch").text, "Switch off patch 9");
    EXPECT_FALSE(h.shows("menu.save")) << "of the strip alone there is no picture";
    h.tap("menu.switch.patch");
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_token(9)});
    h.tap("token.9", 1);
    EXPECT_EQ(h.item("menu.switch.patch").text, "Switch patch 9 on again");
    h.tap("menu.switch.patch");
    EXPECT_TRUE(h.what_ifs().empty());
    h.tap("token.0", 1);
    EXPECT_FALSE(h.shows("menu.switch.patch")) << "the class token cannot be switched off";
}

TEST(ContextMenu, ComparesAHeadWithTheChosenOne) {
    Harness h;
    go_to(h, "attention");
    h.change().focus().block = 2;
    h.change().focus().head = 1;
    h.settle();
    h.tap("map.head.3", 1);
    EXPECT_NE(h.item("menu.compare").text.find("head 2 of block 2"), std::string::npos) << h.item("menu.compare").text;
    h.tap("menu.compare");
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::compare);
    EXPECT_EQ(h.focus().lab.picks, (std::vector<Pick>{{2, 1, {}}, {2, 3, {}}}));
    EXPECT_TRUE(h.shows("compare.map.Y"));
}

TEST(ContextMenu, SavesAPictureOfThePartItLiesIn) {
    Harness h;
    go_to(h, "attention");
    h.tap("map.head.3", 1);
    h.tap("menu.save");
    EXPECT_TRUE(h.shows("export.png"));
    EXPECT_EQ(h.item("export.part.map").value, 1);
}

TEST(ContextMenu, EscapeOrAClickElsewhereClosesItAndDoesNothingElse) {
    Harness h;
    go_to(h, "attention");
    h.tap("attention.map.0.cell.20", 1);
    ASSERT_TRUE(h.shows("menu"));
    h.press(Key::escape);
    EXPECT_FALSE(h.shows("menu"));
    h.tap("attention.map.0.cell.20", 1);
    ASSERT_TRUE(h.shows("menu"));
    h.tap("map.block.3");
    EXPECT_FALSE(h.shows("menu"));
    EXPECT_EQ(h.focus().block, 1) << "the click closed the menu and chose nothing";
    h.tap("map.block.3");
    EXPECT_EQ(h.focus().block, 3);
}

TEST(ContextMenu, TabAndEnterTakeARow) {
    Harness h;
    h.tap("token.9", 1);
    h.press(Key::tab);
    ASSERT_EQ(h.app->keyboard_focus().focused(), "menu.switch.patch");
    h.press(Key::enter);
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_token(9)});
}

TEST(Pointer, XSwitchesTheHeadOrPatchUnderIt) {
    Harness h(in_the_laboratory(Instrument::heads));
    const Rect tile = h.item("gallery.3.2").rect;
    h.input.move(tile.centre().x, tile.centre().y);
    h.frame(3);
    h.press(Key::x);
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_head(3, 2)}) << "a head of another block";
    h.hover("token.9");
    h.press(Key::x);
    EXPECT_EQ(h.what_ifs(), (WhatIfs{remove_head(3, 2), remove_token(9)}));
}

/// All that the panel and the stage tell, without what is said at the pointer itself.
std::map<std::string, std::string> numbers_shown(Harness& h) {
    std::map<std::string, std::string> all;
    for (const auto& [id, item] : h.app->probe().items())
        if (id.starts_with("fact.") || id == "computation" || id.ends_with(".value") || id == "top.selection")
            all[id] = item.text + " " + std::to_string(item.value);
    return all;
}

TEST(Pointer, RestingOnAnotherPatchOfTheStripChangesNoNumberThatFollowsTheChosenOne) {
    Harness h;
    h.change().focus().token = 20;
    for (const Step& step : curriculum()) {
        if (step.id == "attention" || step.id == "explanation") continue;  // these tell the pair under the pointer
        go_to(h, step.id);
        h.change()->motion = {1, false};
        h.hover("top.selection");
        h.frame(3);
        const auto before = numbers_shown(h);
        h.hover("token.9");
        h.frame(3);
        EXPECT_EQ(numbers_shown(h), before) << step.id;
    }
}

TEST(Pointer, RestingOnAPatchOfALaboratoryMapLeavesTheChosenOnesNumbers) {
    Harness h(in_the_laboratory(Instrument::tokens));
    h.change().focus().token = 20;
    h.change().focus().lab.figure = TokenFigure::norms;
    h.settle();
    const double chosen = h.item("tokens.chosen").value;
    h.hover("token.9");
    h.frame(3);
    EXPECT_EQ(h.item("tokens.chosen").value, chosen);
}

/// Waits until the tooltip of a control is there.
Rect tip_of(Harness& h, const std::string& id) {
    h.hover(id);
    h.frame(40);
    return h.item("tooltip").rect;
}

TEST(Tooltip, StandsAsideOfAPanelAndClearOfTheRowOfABar) {
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "attention");
        EXPECT_GE(tip_of(h, "map.head.2").x0, h.app->rect_of("map").x1) << "beside the map";
        const Rect speed = tip_of(h, "time.back");
        EXPECT_LE(speed.y1, h.item("time.play").rect.y0) << "above the time line's controls";
        const Rect theme = tip_of(h, "top.theme");
        EXPECT_GE(theme.y0, h.item("top.theme").rect.y1);
        EXPECT_LE(theme.x1, size.x);
    }
}

TEST(Tooltip, OfWhatWasClickedIsGoneUntilThePointerComesBack) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.hover("top.theme");
    h.frame(60);
    ASSERT_TRUE(h.shows("tooltip"));
    h.tap("top.theme");
    h.frame(90);
    EXPECT_FALSE(h.shows("tooltip"));
    h.hover("top.find");
    h.hover("top.theme");
    h.frame(60);
    EXPECT_TRUE(h.shows("tooltip"));
}

TEST(Tooltip, GoesOnAClickAndComesBackWithThePointer) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "attention");
    h.hover("attention.map.1");
    ASSERT_TRUE(h.shows("readout"));
    h.tap("attention.map.1");
    h.frame(60);
    EXPECT_FALSE(h.shows("readout") || h.shows("tooltip")) << "nothing lies over what the click has shown";
    h.input.move(h.item("attention.map.1").rect.centre().x + 8, h.item("attention.map.1").rect.centre().y);
    h.frame(3);
    EXPECT_TRUE(h.shows("readout"));
    h.tap("time.next");
    h.frame(60);
    EXPECT_FALSE(h.shows("readout") || h.shows("tooltip")) << "nor that of what is now below the pointer";
}

TEST(Tooltip, CoversNoWordsWhereThereIsRoomElsewhere) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "attention");
    std::string which;
    const auto covered = [&](const std::string& id) {
        float area = 0;
        const Rect tip = h.item(id).rect;
        const std::string told = h.item(id).text;
        for (const Probe::Words& words : h.app->probe().words())
            if (words.rect.overlaps(tip) && told.find(words.text) == std::string::npos &&
                words.text != "CLS")  // named beside every map
                area += std::min(tip.x1, words.rect.x1) - std::max(tip.x0, words.rect.x0), which += words.text + "; ";
        return area;
    };
    // The lower row of maps has the names of its heads below, the upper one has them between.
    const Rect map = h.item("attention.map.2").rect;
    h.input.move(map.centre().x, map.y1 - 12);
    h.frame(4);
    ASSERT_TRUE(h.shows("readout"));
    EXPECT_EQ(covered("readout"), 0) << which;
}

TEST(Map, TheBlocksStandInOneRow) {
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
        Opening state = Harness::with_image("cat");
        state.experiment.model = {};
        Harness h(std::move(state), size);
        const int blocks = h.result().model->config.blocks;
        for (int block = 2; block <= blocks; ++block)
            EXPECT_EQ(h.item("map.block." + std::to_string(block)).rect.y0, h.item("map.block.1").rect.y0) << block;
        h.expect_readable("the map");
    }
}

}  // namespace
}  // namespace vitrine
