#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/workspace/settings.h"
#include "core/vit/what_ifs.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

/// The chapter's switches that are in sight.
std::vector<std::string> switches_in_sight(Harness& h) {
    std::vector<std::string> ids;
    for (const auto& [id, item] : h.app->probe().items())
        if (id.starts_with("switch.") && item.visible && item.rect.height() > 20) ids.push_back(id);
    return ids;
}

/// Whichever of a chapter's switches was clicked, and whenever the box of changes opens.
TEST(OpenChanges, LeaveThreeSwitchesOfTheChapterInSightInALowWindow) {
    for (const bool open : {false, true}) {
        Opening opening = Harness::with_image("cat");
        if (open) opening.state.settings.folded = {"changes.open"};
        Harness h(std::move(opening), {1280, 720});
        go_to(h, "layer_norm");
        h.tap("explanation.scroll.to.switches");
        const std::vector<std::string> all = switches_in_sight(h);
        ASSERT_GE(all.size(), 3U);
        h.tap(all.front());
        if (!open) {
            EXPECT_EQ(switches_in_sight(h), all);
            h.tap("changes.box");
        }
        h.input.move(600, 300);
        h.frame(8);
        EXPECT_TRUE(h.item("change.loss").visible) << "the box is open";
        EXPECT_GE(switches_in_sight(h).size(), 3U) << (open ? "it was open" : "it was opened");
    }
}

}  // namespace
}  // namespace vitrine
