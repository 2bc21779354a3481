#include <gtest/gtest.h>

#include "app/ui/widgets/cards.h"
#include "tests/widget_frame.h"

namespace vitrine {
namespace {

TEST(ErrorCard, StaysUntilItIsDismissed) {
    WidgetFrame frame;
    bool dismissed = false;
    const Card card = {"error", "No picture", "notes.txt holds text; drop a PNG.", "Choose…", "Close"};
    const auto widgets = [&] { dismissed = dismissed || error_card(frame.ui, card) == CardClick::dismissed; };
    frame.draw(widgets);
    EXPECT_EQ(frame.probe.find("error")->text, "No picture notes.txt holds text; drop a PNG.");
    EXPECT_FALSE(dismissed);
    frame.click("error.close", widgets);
    EXPECT_TRUE(dismissed);
}

TEST(EmptyCard, OffersItsAction) {
    WidgetFrame frame;
    bool acted = false;
    const auto widgets = [&] {
        acted = acted ||
                empty_card(frame.ui, {"empty", "Nothing here", "Open a picture.", "Open", ""}) == CardClick::action;
    };
    frame.click("empty.action", widgets);
    EXPECT_TRUE(acted);
}

TEST(ProgressBar, SaysHowFarAndIsCancelled) {
    WidgetFrame frame;
    bool cancelled = false;
    const auto widgets = [&] { cancelled = cancelled || progress_bar(frame.ui, {"load", "Reading", 0.25F, "Cancel"}); };
    frame.click("load.cancel", widgets);
    EXPECT_TRUE(cancelled);
    EXPECT_FLOAT_EQ(static_cast<float>(frame.probe.find("load")->value), 0.25F);
}

TEST(ProgressBar, OfUnknownLengthRestsWhereAnimationIsOff) {
    WidgetFrame frame;
    const auto drawn = [&](bool moves) {
        frame.draw([&] { progress_bar(frame.ui, {"load", "Reading", -1, "", moves}); });
        std::vector<float> places;
        for (int l = 0; l < ImGui::GetDrawData()->CmdListsCount; ++l)
            for (const ImDrawVert& vertex : ImGui::GetDrawData()->CmdLists[l]->VtxBuffer)
                places.push_back(vertex.pos.x);
        return places;
    };
    ImGui::GetIO().DeltaTime = 0.4F;
    drawn(true);
    EXPECT_NE(drawn(true), drawn(true));
    EXPECT_EQ(drawn(false), drawn(false));
}

TEST(Cards, MoveTheCursorBelowThemselves) {
    WidgetFrame frame;
    frame.draw([&] {
        tag(frame.ui, "shape", "65 × 64", {255, 0, 0});
        paragraph(frame.ui, "One two {strong|three}.");
        const float before = ImGui::GetCursorScreenPos().y;
        error_card(frame.ui, {"error", "Title", "Words.", "", ""});
        EXPECT_GE(ImGui::GetCursorScreenPos().y, frame.probe.find("error")->rect.y1);
        EXPECT_GT(frame.probe.find("error")->rect.y1, before);
    });
}

}  // namespace
}  // namespace vitrine
