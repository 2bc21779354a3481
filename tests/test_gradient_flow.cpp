#include <gtest/gtest.h>

#include "core/training/gradient_flow.h"
#include "core/training/pictures/pictures.h"

namespace vitrine {
namespace {

TEST(GradientFlow, PassesThroughSkipsAndDiesWithoutThemAndNorms) {
    const std::vector<GradientFlow> flows =
        gradient_flows(draw_picture({{1, Difficulty::normal, false}, 2, 128, {}}).image);
    ASSERT_EQ(flows.size(), std::size(wiring_names));
    const auto share = [&](Wiring wiring) {
        const GradientFlow& f = flows[static_cast<std::size_t>(wiring)];
        EXPECT_EQ(f.wiring, wiring);
        EXPECT_EQ(f.norms.size(), 13U);
        EXPECT_GT(f.norms.back(), 0);
        return f.norms.front() / f.norms.back();
    };
    EXPECT_GT(share(Wiring::pre_norm), 0.3);
    EXPECT_LT(share(Wiring::pre_norm), 10);
    EXPECT_GT(share(Wiring::post_norm), 1e-3);
    EXPECT_GT(share(Wiring::no_norm), 0.3) << "skips alone keep a gradient alive at the beginning";
    EXPECT_LT(share(Wiring::no_skips), share(Wiring::pre_norm));
    EXPECT_LT(share(Wiring::neither), 1e-12);
    EXPECT_GT(share(Wiring::no_skips), 1e-4) << "norms alone keep it alive, too";
}

}  // namespace
}  // namespace vitrine
