#include <gtest/gtest.h>

#include <string>

#include "tests/ui/harness.h"

// The colour range of attention's maps before one is chosen.

namespace vitrine {
namespace {

TEST(MapRanges, EachMapOfAChapterHasItsOwnUntilOneIsChosenAndComparedHeadsShareOne) {
    Harness h;
    go_to(h, "attention");
    EXPECT_EQ(h.item("scope.head").value, 1);
    const auto end_is_the_largest_of = [&](int head) {
        h.change().focus().head = head;
        h.settle();
        EXPECT_EQ(h.item("attention.scale").value, h.item("attention.most." + std::to_string(head)).value) << head;
    };
    for (int head = 0; head < h.result().model->config.heads; ++head) end_is_the_largest_of(head);
    EXPECT_NE(h.item("attention.own").text.find(h.app->text()("scope.block_short")), std::string::npos);
    h.app->ask(command::Look{{{"lab.instrument", "compare"}}});
    h.app->ask(command::EnterRoom{"laboratory"});
    h.settle();
    EXPECT_EQ(h.item("lab.scope.block").value, 1);
    h.tap("lab.scope.model");
    go_to(h, "attention");
    EXPECT_EQ(h.item("scope.model").value, 1) << "what was chosen holds in both";
}

}  // namespace
}  // namespace vitrine
