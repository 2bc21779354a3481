#include <gtest/gtest.h>

#include "app/workspace/selection.h"
#include "core/vit/model.h"

namespace vitrine {
namespace {

TEST(Selection, HoverIsSeenByEveryViewFromTheNextFrameOnAndForOneFrame) {
    Selection s;
    s.hover_token(7);
    EXPECT_FALSE(s.hovered_token()) << "views drawn later in this frame must not see it yet";
    s.begin_frame();
    EXPECT_EQ(s.hovered_token(), 7);
    s.begin_frame();
    EXPECT_FALSE(s.hovered_token());
}

TEST(Selection, HoveredSymbolIsSeenFromTheNextFrameOnAndForOneFrame) {
    Selection s;
    s.hover_symbol("q");
    EXPECT_EQ(s.hovered_symbol(), "");
    s.begin_frame();
    EXPECT_EQ(s.hovered_symbol(), "q");
    s.begin_frame();
    EXPECT_EQ(s.hovered_symbol(), "");
}

TEST(Selection, AHoveredHeadIsOfTheChosenBlockWhereItsOwnIsNotNamed) {
    Selection s;
    s.focus.block = 3;
    s.hover_head(1);
    s.begin_frame();
    EXPECT_EQ(s.block_of_hovered_head(), 3);
    s.hover_head(1, 2);
    s.begin_frame();
    EXPECT_EQ(s.block_of_hovered_head(), 2);
}

TEST(Selection, AMenuIsAskedForOnceAndClosesWhereItsPartIsGone) {
    Selection s;
    s.ask_menu({40, Pick{2, 1}});
    EXPECT_TRUE(s.take_menu_asked());
    EXPECT_FALSE(s.take_menu_asked());
    ASSERT_TRUE(s.menu());
    Config c;
    c.image_height = c.image_width = 32;
    c.patch_size = 16;
    c.embedding_dim = 8;
    c.heads = c.blocks = 2;
    c.mlp_dim = 16;
    s.clamp_to(c);
    EXPECT_FALSE(s.menu());
}

TEST(Selection, GoesBackFromOneHeadToAllAndKeepsTheChosenToken) {
    Selection s;
    s.focus.solo = true;
    s.focus.token = 5;
    EXPECT_TRUE(s.back());
    EXPECT_FALSE(s.focus.solo);
    EXPECT_FALSE(s.back());
    EXPECT_EQ(s.focus.token, 5);
}

TEST(Selection, StaysInsideASmallerModel) {
    Config c;
    c.image_height = c.image_width = 32;
    c.patch_size = 16;
    c.embedding_dim = 8;
    c.heads = c.blocks = 2;
    c.mlp_dim = 16;
    Selection s;
    s.focus.block = 12;
    s.focus.head = 11;
    s.focus.token = 196;
    s.focus.feature = 767;
    s.clamp_to(c);
    EXPECT_EQ(s.focus.block, 2);
    EXPECT_EQ(s.focus.head, 1);
    EXPECT_EQ(s.focus.token, 4);
    EXPECT_EQ(s.focus.feature, 7);
    s.hover_token(100);
    s.begin_frame();
    s.clamp_to(c);
    EXPECT_FALSE(s.hovered_token()) << "hover outside is no hover";
    s.hover_token(100);
    s.clamp_to(c);  // the smaller model is there between two frames
    s.begin_frame();
    EXPECT_FALSE(s.hovered_token());
}

TEST(Selection, ANumberGoesAlongToAnotherHeadWhereItIsOfOne) {
    Selection s;
    const auto after_another_head = [&](const Cell& cell) {
        s.focus.head = 0;
        s.focus.cell = cell;
        const Focus before = s.focus;
        s.focus.head = 2;
        s.follow(before);
        return s.focus.cell;
    };
    const Cell attention{Quantity::attention, 1, 0, 3, 4};
    EXPECT_EQ(after_another_head(attention), (Cell{Quantity::attention, 1, 2, 3, 4}));
    for (const Quantity quantity : {Quantity::z, Quantity::msa, Quantity::logits, Quantity::query_weight}) {
        const Cell cell{quantity, 1, 0, 0, 4};
        EXPECT_EQ(after_another_head(cell), cell) << symbol_of(quantity) << " has no heads";
    }
}

TEST(Selection, LetsGoOfNumbersThatANewRunHasNot) {
    Selection s;
    const Cell there{Quantity::z, 0, 0, 1, 2}, gone{Quantity::attention, 2, 0, 3, 3};
    s.focus.cell = there;
    s.hover_cell(gone);  // the run is there before the next frame
    s.keep_cells([&](const Cell& cell) { return cell == there; });
    s.begin_frame();
    EXPECT_EQ(s.focus.cell, there);
    EXPECT_FALSE(s.hovered_cell());
    s.keep_cells([](const Cell&) { return false; });
    EXPECT_FALSE(s.focus.cell);
}

}  // namespace
}  // namespace vitrine
