#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/test_folder.h"
#include "tests/ui/written.h"

// What the explanation keeps in its place: what is used stays under the pointer, however much appears above it.

namespace vitrine {
namespace {

/// The lowest switch in sight above the line of the prediction; empty if there is none.
std::string lowest_switch(Harness& h) {
    const float foot = h.item("prediction.line").rect.y0;
    std::string lowest;
    for (const auto& [id, item] : h.app->probe().items())
        if (id.starts_with("switch.") && item.visible && item.rect.y1 < foot &&
            (lowest.empty() || item.rect.y0 > h.item(lowest).rect.y0))
            lowest = id;
    return lowest;
}

TEST(ExplanationPanel, GrowsNothingUnderAPointerThatSwitches) {
    Harness h(Harness::with_image("cat"), small_window);
    open_changes(h);
    go_to(h, "scores");
    h.tap("explanation.scroll.to.switches");
    const std::string lowest = lowest_switch(h);
    ASSERT_FALSE(lowest.empty());
    const Rect place = h.item(lowest).rect;
    h.tap(lowest);
    EXPECT_EQ(h.what_ifs().size(), 1U);
    EXPECT_NEAR(h.item(lowest).rect.y0, place.y0, 1);
    EXPECT_TRUE(h.item(lowest).visible);
    h.tap(lowest);
    EXPECT_TRUE(h.what_ifs().empty()) << "the second click switched it back";
    h.tap(lowest);
    EXPECT_TRUE(h.item("change.short").visible);
    h.input.move(place.centre().x, h.item("explanation.scroll.to.words").rect.y1 + 60);
    for (const float notch : {-2.0F, -2.0F, 4.0F}) {
        h.input.wheel(0, notch);
        h.frame(6);
        EXPECT_TRUE(h.shows("change.short") && h.item("change.short").visible) << "scrolling changes no height";
    }
    h.input.move(600, 300);
    h.frame(4);
    EXPECT_TRUE(h.item("change.loss").visible) << "the effect is told once the pointer has left";
}

/// Many undos in a row, with the pointer at rest over the lower panel: its parts have the room that the changes had.
TEST(ExplanationPanel, FollowsUndosWhileThePointerRestsOnIt) {
    Harness h(Harness::with_image("cat"), small_window);
    open_changes(h);
    go_to(h, "attention");
    const float top = h.item("prediction.line").rect.y0;
    h.tap("explanation.scroll.to.switches");
    for (int i = 0; i < 10; ++i) {
        h.change().focus().block = 1 + i / 4;
        h.change().focus().head = i % 4;
        h.frame(2);
        h.press(Key::x);
    }
    EXPECT_EQ(h.what_ifs().size(), 10U);
    h.settle();
    h.frame(4);
    EXPECT_TRUE(h.shows("removals.title"));
    const Rect changed = h.item("removal.0").rect;
    EXPECT_LT(changed.y0, top - 100);
    h.input.move(changed.centre().x, changed.centre().y + 40);
    h.frame(3);
    for (int i = 0; i < 40 && !h.what_ifs().empty(); ++i) h.press(Key::z, Key::ctrl);
    h.frame(5);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_FALSE(h.shows("removals.title"));
    float lowest = 0;
    for (const auto& [id, item] : h.app->probe().items())
        if (item.visible && (id.starts_with("switch.") || id.starts_with("section.") || id.starts_with("fact.")))
            lowest = std::max(lowest, item.rect.y1);
    EXPECT_GT(lowest, changed.y1) << "the parts have their room again";
}

TEST(ExplanationPanel, KeepsAClickedSwitchInSightWhenTheChangesAppear) {
    Harness h(Harness::with_image("cat"), small_window);
    open_changes(h);
    go_to(h, "scores");
    h.tap("explanation.scroll.to.switches");
    const std::string lowest = lowest_switch(h);
    ASSERT_FALSE(lowest.empty());
    h.tap(lowest);
    h.input.move(600, 300);
    h.frame(6);
    EXPECT_TRUE(h.item("change.loss").visible);
    EXPECT_TRUE(h.item(lowest).visible) << "what was clicked is still there";
    EXPECT_LT(h.item(lowest).rect.y1, h.item("removal.0").rect.y0);
}

/// Positions are switched off on the map while a switch of the chapter is at the panel's lower end.
TEST(ExplanationPanel, NothingThatReplacesThePictureIsEverWhereASwitchWas) {
    for (const char* const step : {"layer_norm", "scores", "attention", "mlp"}) {
        Harness h(Harness::with_image("cat"), small_window);
        go_to(h, step);
        const Rect hint = h.item("removals.none").rect;
        for (const auto& [id, item] : h.app->probe().items())
            EXPECT_FALSE(id.starts_with("switch.") && item.visible && item.rect.y1 > hint.y0) << id << " of " << step;
        h.change()->what_ifs = {remove_mlp(1)};
        h.settle();
        h.frame(4);
        for (const auto& [id, item] : h.app->probe().items())
            EXPECT_FALSE(id.starts_with("switch.") && item.visible && item.rect.y1 > hint.y0) << id << " of " << step;
        if (h.shows("edge.try")) {
            EXPECT_GE(h.item("edge.try").rect.y0, hint.y0 - 1) << "it has the hint's room";
        }
    }
}

TEST(ExplanationPanel, KeepsTheSwitchesInSightWhenAChangeIsMadeOnTheMap) {
    Harness h(Harness::with_image("cat"), small_window);
    open_changes(h);
    go_to(h, "layer_norm");
    const auto& items = h.app->probe().items();
    const auto sees_all = [&] {
        int seen = 0;
        for (const auto& [id, item] : items)
            if (id.starts_with("switch.") && item.visible && item.rect.height() > 20) ++seen;
        return seen >= 3;
    };
    for (int i = 0; i < 40 && !sees_all(); ++i) {  // until the last switch is at the panel's lower end
        h.input.move(1120, 300);
        h.input.wheel(0, -0.5);
        h.frame(3);
    }
    ASSERT_TRUE(sees_all());
    h.tap("map.position.switch");
    h.input.move(600, 300);
    h.frame(6);
    EXPECT_TRUE(contains(h.what_ifs(), remove_positions()));
    EXPECT_TRUE(h.item("change.loss").visible);
    EXPECT_TRUE(sees_all()) << "the changes push none of them away";
}

/// What was just used stays under the pointer, however much opens or closes around it, and in sight when it leaves.
TEST(ExplanationPanel, KeepsTheSwitchThatWasUsedInItsPlace) {
    int tried = 0;
    for (const ImVec2 size : {small_window, large_window})
        for (const bool open : {false, true})
            for (const char* const step : {"layer_norm", "qkv", "scores", "attention", "heads", "residual", "mlp",
                                           "activation", "position_embedding", "norm_place"}) {
                Opening state = Harness::with_image("cat");
                if (open) state.state.settings.folded = {"prediction.open.explore", "changes.open"};
                Harness h(std::move(state), size);
                go_to(h, step);
                if (h.shows("explanation.scroll.to.switches")) h.tap("explanation.scroll.to.switches");
                std::vector<std::string> ids;
                for (const auto& [id, item] : h.app->probe().items())
                    if ((id.starts_with("switch.") || id.starts_with("edge.")) && item.visible) ids.push_back(id);
                for (const std::string& id : ids) {
                    if (!h.shows(id) || !h.item(id).visible) continue;
                    const float before = h.item(id).rect.y0;
                    h.hover(id);
                    if (std::abs(h.item(id).rect.y0 - before) > 1) continue;  // it had to be brought into view
                    const std::string where =
                        id + " of " + step + " at " + std::to_string(static_cast<int>(size.x)) + (open ? ", open" : "");
                    h.tap(id);
                    h.frame(4);
                    ++tried;
                    if (h.shows(id)) {
                        EXPECT_NEAR(h.item(id).rect.y0, before, 1) << where;
                    }
                    h.input.move(600, 300);
                    h.frame(6);
                    if (h.shows(id)) {
                        EXPECT_TRUE(h.item(id).visible) << where << ", left";
                        EXPECT_LE(h.item(id).rect.y0, before + 1) << where << ", left";
                    }
                }
            }
    EXPECT_GT(tried, 40) << "at least one of each step, size and state";
}

/// Scrolls from the top until a control is just above the lower end of the panel's parts.
void scroll_to_lower_end(Harness& h, const std::string& id) {
    const Rect words = h.item("section.words").rect;
    h.input.move(words.centre().x, words.y1 + 40);
    const auto is_there = [&] {
        float end = 0;
        for (const ImGuiWindow* const window : windows_with("explanation.scroll")) end = window->Rect().Max.y;
        return h.shows(id) && h.item(id).visible && h.item(id).rect.y1 < end - 4;
    };
    for (int i = 0; i < 80 && !is_there(); ++i) {
        h.input.wheel(0, -0.25);
        h.frame(3);
    }
    EXPECT_TRUE(is_there()) << id;
}

/// Even at the lower end, where what opens below would cover it.
TEST(ExplanationPanel, KeepsAControlAtItsLowerEndUnderThePointer) {
    for (const bool prediction : {false, true})
        for (const ImVec2 size : {small_window, large_window})
            for (const auto& [step, id] : {std::pair<std::string, std::string>{"scores", "switch.temperature"},
                                           {"attention", "switch.temperature"},
                                           {"activation", "switch.activation:relu"},
                                           {"layer_norm", "switch.no-norm"},
                                           {"layer_norm", "edge.no-norm"}}) {
                Opening state = Harness::with_image("cat");
                state.state.settings.folded.insert("changes.open");
                if (prediction) state.state.settings.folded.insert("prediction.open.explore");
                Harness h(std::move(state), size);
                go_to(h, step);
                scroll_to_lower_end(h, id);
                if (!h.shows(id)) continue;
                const Rect place = h.item(id).rect;
                const std::string where = id + " of " + step + " at " + std::to_string(static_cast<int>(size.x)) +
                                          (prediction ? ", prediction open" : "");
                const bool slides = id == "switch.temperature";
                h.input.move(slides ? place.x0 + 0.7F * place.width() : place.x0 + 12, place.y1 - (slides ? 6 : 14));
                h.frame(3);
                h.input.button(0, true);
                h.frame(2);
                for (const float share : {0.75F, 0.8F, 0.85F}) {
                    if (slides) h.input.move(place.x0 + share * place.width(), place.y1 - 6);
                    h.settle();
                    EXPECT_NEAR(h.item(id).rect.y0, place.y0, 1) << where;
                }
                h.input.button(0, false);
                h.settle();
                h.frame(6);
                EXPECT_EQ(h.what_ifs().size(), 1U) << where;
                EXPECT_NEAR(h.item(id).rect.y0, place.y0, 1) << where << ", after it";
                h.input.move(600, 300);
                h.frame(6);
                EXPECT_TRUE(h.item(id).visible) << where << ", left";
            }
}

/// The first and the last switch of the chapter, by their place on the screen.
std::pair<std::string, std::string> outer_switches(Harness& h) {
    std::string first, last;
    for (const auto& [id, item] : h.app->probe().items()) {
        if (!id.starts_with("switch.")) continue;
        if (first.empty() || item.rect.y0 < h.item(first).rect.y0) first = id;
        if (last.empty() || item.rect.y0 > h.item(last).rect.y0) last = id;
    }
    return {first, last};
}

void click_here(Harness& h) {
    h.input.button(0, true);
    h.frame(2);
    h.input.button(0, false);
    h.frame(4);
    h.settle();
    h.frame(4);
}

TEST(ExplanationPanel, SwitchesOnAndOffAgainAtTheSamePlace) {
    for (const ImVec2 size : {small_window, large_window})
        for (const bool prediction : {false, true})
            for (const bool last : {false, true}) {
                Opening state = Harness::with_image("cat");
                state.state.settings.folded.insert("changes.open");
                if (prediction) state.state.settings.folded.insert("prediction.open");
                Harness h(std::move(state), size);
                go_to(h, "activation");
                const auto [top, bottom] = outer_switches(h);
                ASSERT_NE(top, bottom);
                const std::string id = last ? bottom : top;
                const std::string where =
                    id + " at " + std::to_string(static_cast<int>(size.x)) + (prediction ? ", prediction open" : "");
                scroll_to_lower_end(h, id);
                const Rect place = h.item(id).rect;
                const Point at{place.x0 + 12, place.y1 - 14};
                h.input.move(at.x, at.y);
                h.frame(3);
                click_here(h);
                EXPECT_EQ(h.what_ifs().size(), 1U) << where;
                EXPECT_NEAR(h.item(id).rect.y0, place.y0, 1) << where;
                h.input.move(at.x, h.item("prediction.line").rect.y0 - 20);  // over the box, and back
                h.frame(6);
                EXPECT_NEAR(h.item(id).rect.y0, place.y0, 1) << where << ", over the box";
                h.input.move(at.x, at.y);
                h.frame(4);
                click_here(h);
                EXPECT_TRUE(h.what_ifs().empty()) << where << ", clicked again";
                EXPECT_NEAR(h.item(id).rect.y0, place.y0, 1) << where << ", off again";
                h.input.move(at.x, place.y0 - 30);
                h.frame(6);
                EXPECT_NEAR(h.item(id).rect.y0, place.y0, 1) << where << ", still in the panel";
            }
}

/// The box takes its room when the pointer leaves; a switch that it does not cover stays where it was.
TEST(ExplanationPanel, MovesNoSwitchThatTheBoxLeavesFree) {
    Opening state = Harness::with_image("cat");
    state.state.settings.folded = {"changes.open", "prediction.open"};
    Harness h(std::move(state), large_window);
    go_to(h, "activation");
    if (h.shows("explanation.scroll.to.words")) h.tap("explanation.scroll.to.words");
    const std::string first = outer_switches(h).first;
    const Rect place = h.item(first).rect;
    ASSERT_TRUE(h.item(first).visible);
    h.tap(first);
    h.input.move(600, 300);
    h.frame(6);
    ASSERT_TRUE(h.item("removal.0").visible);
    if (place.y1 + 60 < h.item("removal.0").rect.y0) {
        EXPECT_NEAR(h.item(first).rect.y0, place.y0, 1);
    }
    EXPECT_TRUE(h.item(first).visible);
}

}  // namespace
}  // namespace vitrine
