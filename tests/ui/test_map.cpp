#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/chapters/step.h"
#include "core/measures/analysis.h"
#include "core/vit/experiment.h"
#include "tests/ui/written.h"

// The map: where it leads, what lights up on it, and its switches.

namespace vitrine {
namespace {

TEST(Map, SwitchesNormsAndSkipsOfTheChosenBlockOff) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.tap("map.block.2");
    const int step = h.focus().step;
    h.tap("map.layer_norm.1.switch");
    EXPECT_EQ(h.what_ifs(), WhatIfs{normalise(Norm::none, 2)});
    EXPECT_TRUE(h.shows("map.block.2.plate")) << "marked as changed";
    EXPECT_FALSE(h.shows("map.block.3.plate"));
    EXPECT_FALSE(h.shows("map.layer_norm.2.switch")) << "one switch for both, which are off together";
    h.tap("map.layer_norm.1.switch");
    EXPECT_TRUE(h.what_ifs().empty());
    h.tap("map.residual.1.switch");
    EXPECT_EQ(h.what_ifs(), WhatIfs{without_skips(2)});
    h.tap("map.residual.1.switch");
    EXPECT_TRUE(h.what_ifs().empty());
    h.change()->what_ifs = {normalise(Norm::none)};
    h.settle();
    for (int block = 1; block <= h.result().model->config.blocks; ++block)
        EXPECT_TRUE(h.shows("map.block." + std::to_string(block) + ".plate")) << block;
    h.tap("map.layer_norm.1.switch");
    EXPECT_TRUE(h.what_ifs().empty()) << "what is off everywhere is on again everywhere";
    EXPECT_EQ(h.focus().step, step) << "a switch leads nowhere";
    h.tap("map.layer_norm.1");
    EXPECT_EQ(step_at(h.focus()).id, "layer_norm");
}

TEST(Map, SaysWhoseNormsAndSkipsItsSymbolsSwitch) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.tap("map.block.2");
    const auto tip = [&](const char* id) {
        h.input.move(1, 1);
        h.frame(3);
        h.hover(id);
        h.frame(60);
        return h.item("tooltip").text;
    };
    for (const auto& [id, in_block, everywhere] :
         {std::tuple{"map.layer_norm.1.switch", normalise(Norm::none, 2), normalise(Norm::none)},
          std::tuple{"map.residual.1.switch", without_skips(2), without_skips()}}) {
        for (const WhatIfs& on : {WhatIfs(), WhatIfs{in_block}}) {
            h.change()->what_ifs = on;
            h.settle();
            EXPECT_NE(tip(id).find("block 2"), std::string::npos) << tip(id);
        }
        h.change()->what_ifs = {everywhere};
        h.settle();
        EXPECT_NE(tip(id).find("all blocks"), std::string::npos) << tip(id);
    }
}

TEST(Map, ChoosesBetweenOneBlockAndAllBesideThePowerSymbolOfAPartThatIsOff) {
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
            for (const auto& [id, in_block, everywhere] :
                 {std::tuple{std::string("map.layer_norm.1"), normalise(Norm::none, 2), normalise(Norm::none)},
                  std::tuple{std::string("map.residual.1"), without_skips(2), without_skips()}}) {
                Opening state = Harness::with_image("cat");
                state.state.settings.language = language;
                Harness h(std::move(state), size);
                h.tap("map.block.2");
                EXPECT_FALSE(h.shows(id + ".all")) << "it is on";
                const Rect power = h.item(id + ".switch").rect;
                h.tap(id + ".switch");
                EXPECT_EQ(h.what_ifs(), WhatIfs{in_block});
                EXPECT_FALSE(h.shows("notice")) << "the words beside it say where it acts";
                ASSERT_TRUE(h.shows(id + ".all"));
                EXPECT_EQ(h.item(id + ".switch").rect, power) << "nothing moves";
                EXPECT_LE(h.item(id + ".all").rect.x1, power.x0);
                EXPECT_EQ(h.item(id + ".scope").value, 0);
                EXPECT_NE(h.item(id + ".scope").text.find('2'), std::string::npos);
                h.expect_readable(id + " is off in " + language);
                h.frame(20 * 60);
                h.tap(id + ".all");
                EXPECT_EQ(h.what_ifs(), WhatIfs{everywhere});
                EXPECT_EQ(h.item(id + ".scope").value, 1);
                h.press(Key::z, Key::ctrl);
                EXPECT_EQ(h.what_ifs(), WhatIfs{in_block});
                h.press(Key::z, Key::ctrl);
                EXPECT_TRUE(h.what_ifs().empty());
                EXPECT_FALSE(h.shows(id + ".all"));
                h.press(Key::y, Key::ctrl);
                h.press(Key::y, Key::ctrl);
                EXPECT_EQ(h.what_ifs(), WhatIfs{everywhere});
                h.tap(id + ".this");
                EXPECT_EQ(h.what_ifs(), WhatIfs{in_block}) << "and the other way";
                h.tap(id + ".this");
                EXPECT_EQ(h.what_ifs(), WhatIfs{in_block}) << "chosen already";
                h.tap(id + ".switch");
                EXPECT_TRUE(h.what_ifs().empty());
            }
}

TEST(Map, ChoosesTheBlocksOfAPartWhateverWasChangedSince) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.tap("map.block.2");
    h.tap("map.layer_norm.1.switch");
    h.tap("map.block.3");
    EXPECT_FALSE(h.shows("map.layer_norm.1.all")) << "on in this block";
    h.tap("map.layer_norm.1.switch");
    h.tap("map.mlp.switch");
    ASSERT_EQ(h.what_ifs().size(), 3U);
    h.tap("map.layer_norm.1.all");
    EXPECT_EQ(h.what_ifs(), (WhatIfs{remove_mlp(3), normalise(Norm::none)})) << "both blocks' changes are one";
}

TEST(MapSteps, NoStrokeCrossesTheDigitOfABlockInWhichSomethingIsOff) {
    Harness h;
    EXPECT_FALSE(h.shows("map.block.2.plate"));
    h.change()->what_ifs = {remove_head(2, 1)};
    h.settle();
    const Probe::Item plate = h.item("map.block.2.plate"), block = h.item("map.block.2");
    EXPECT_EQ(plate.text, block.text);
    EXPECT_LT(plate.rect.width(), block.rect.width()) << "the hatching stays seen beside it";
}

TEST(Map, LightsTheHalfThatIsShownAndChoosesIt) {
    Harness h;
    go_to(h, "layer_norm");
    EXPECT_TRUE(h.shows("map.layer_norm.1.lit"));
    EXPECT_FALSE(h.shows("map.layer_norm.2.lit"));
    h.tap("map.layer_norm.2");
    EXPECT_EQ(h.focus().half, Half::mlp);
    EXPECT_FALSE(h.shows("map.layer_norm.1.lit"));
    EXPECT_TRUE(h.shows("map.layer_norm.2.lit"));
    h.tap("map.residual.1");
    EXPECT_EQ(h.focus().half, Half::attention);
    EXPECT_EQ(curriculum()[static_cast<std::size_t>(h.focus().step)].id, "residual");
}

TEST(Map, LeadsToEveryChapter) {
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
        Harness h(Harness::with_image("cat"), size);
        std::set<std::string> reached;
        std::vector<std::string> ids;
        for (const auto& [id, item] : h.app->probe().items())
            if (id.starts_with("map.") && !id.starts_with("map.block.") && !id.starts_with("map.head.") &&
                !id.ends_with(".switch") && !id.ends_with(".lit"))
                ids.push_back(id);
        for (const std::string& id : ids) {
            h.change()->what_ifs.clear();
            for (int turns = 0; turns < 12 && !(h.item(id).visible && h.item(id).rect.height() > 12); ++turns) {
                const float middle = size.y / 2;
                h.input.move(h.item("map.image").rect.x0 + 2, middle);
                h.frame();
                h.input.wheel(0, h.item(id).rect.y0 > middle ? -1 : 1);
                h.frame(2);
            }
            h.tap(id);
            reached.insert(std::string(curriculum()[static_cast<std::size_t>(h.focus().step)].id));
        }
        for (const Step& step : curriculum()) EXPECT_TRUE(reached.contains(std::string(step.id))) << step.id;
    }
}

TEST(Map, ListsTheChaptersInTheOrderInWhichOneStepsThroughThem) {
    for (const ImVec2 size : {small_window, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        Point before{0, 0};
        for (const Step& step : curriculum()) {
            const std::string own = "map." + std::string(step.id == "position_embedding" ? "position" : step.id);
            const Rect rect = h.item(h.shows(own) ? own : own + ".1").rect;
            const bool beside = rect.y0 == before.y && rect.x0 > before.x;
            EXPECT_TRUE(beside || rect.y0 > before.y) << step.id << " comes after a later one";
            before = {rect.x0, rect.y0};
        }
    }
}

}  // namespace
}  // namespace vitrine
