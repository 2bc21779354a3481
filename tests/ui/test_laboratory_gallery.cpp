#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "app/ui/widgets/number.h"
#include "core/measures/head_statistics.h"
#include "tests/ui/laboratory_room.h"

namespace vitrine {
namespace {

TEST(Gallery, AClickChoosesAHeadPOrItsMenuPicksIt) {
    Harness h(laboratory(Instrument::heads));
    click_at(h, h.item(tile(2, 3)).rect);
    EXPECT_EQ(h.focus().block, 2);
    EXPECT_EQ(h.focus().head, 3);
    click_at(h, h.item(tile(3, 1)).rect, 1);
    EXPECT_FALSE(lab(h).picked(3, 1)) << "the right button alone does nothing";
    h.tap("menu.pick");
    EXPECT_TRUE(lab(h).picked(3, 1));
    EXPECT_EQ(h.focus().head, 3) << "picking does not choose";
    h.press(Key::p);
    EXPECT_TRUE(lab(h).picked(2, 3));
    h.press(Key::p);
    EXPECT_FALSE(lab(h).picked(2, 3));
    h.tap("lab.pick");
    EXPECT_TRUE(lab(h).picked(2, 3));
    h.press(Key::enter);
    EXPECT_EQ(lab(h).instrument, Instrument::compare);
}

TEST(Gallery, HatchesAHeadThatIsSwitchedOffAsExploreDoes) {
    Harness h(laboratory(Instrument::heads));
    EXPECT_FALSE(h.shows(tile(2, 3) + ".off"));
    h.change()->what_ifs = {remove_head(2, 3)};
    h.settle();
    EXPECT_TRUE(h.shows(tile(2, 3) + ".off"));
    EXPECT_FALSE(h.shows(tile(2, 2) + ".off"));
    h.change().focus().lab.picks = {{2, 2, {}}, {2, 3, {}}};
    h.change().focus().lab.instrument = Instrument::compare;
    h.settle();
    EXPECT_TRUE(h.shows("compare.map.Y.off"));
    EXPECT_FALSE(h.shows("compare.map.X.off"));
}

TEST(Gallery, AllHeadsHaveTheirNumbersBelowThemOrNoneHas) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Opening opening = laboratory(Instrument::heads);
        opening.experiment.model = {};  // the picture-book model, with more heads
        Harness h(std::move(opening), size);
        h.change().focus().lab.order = HeadOrder::entropy;
        h.settle();
        h.frame(3);
        int captions = 0, numbers = 0;
        for (const auto& [id, item] : h.app->probe().items())
            if (id.starts_with("gallery.") && id.ends_with(".caption")) {
                ++captions;
                numbers += item.text.find("  ") != std::string::npos ? 1 : 0;
            }
        EXPECT_TRUE(numbers == 0 || numbers == captions) << numbers << " of " << captions;
        EXPECT_EQ(captions, h.result().model->config.blocks * h.result().model->config.heads);
        h.expect_readable("heads by entropy at " + std::to_string(size.x));
    }
}

TEST(Gallery, OrdersPutTheHeadsByTheirNumbers) {
    Harness h(laboratory(Instrument::heads));
    const auto places = [&] {
        std::vector<std::pair<double, int>> all;
        for (int i = 0; i < 16; ++i) all.emplace_back(h.item(tile(i / 4 + 1, i % 4)).value, i);
        std::sort(all.begin(), all.end());
        return all;
    };
    const auto expect_ascending = [&](const Tensor2& values) {
        float before = -1;
        for (const auto& [place, head] : places()) {
            const float own = values.data()[head];
            EXPECT_GE(own, before);
            before = own;
        }
    };
    h.tap("lab.order.entropy");
    expect_ascending(measured(h).statistics->of("entropy"));
    h.tap("lab.order.distance");
    expect_ascending(measured(h).statistics->of("distance"));
    h.tap("lab.order.class_share");
    expect_ascending(measured(h).statistics->of("class_share"));
    h.tap("lab.order.object_share");
    ASSERT_TRUE(measured(h).object_share) << "a drawn sample knows where its object lies";
    expect_ascending(*measured(h).object_share);
    h.tap("lab.order.similarity");
    ASSERT_TRUE(measured(h).groups);
    std::vector<int> order;
    for (const auto& [place, head] : places()) order.push_back(head);
    EXPECT_EQ(order, measured(h).groups->order);
    h.tap("lab.order.block");
    EXPECT_EQ(h.item(tile(2, 0)).value, 4);
}

/// The same number under the same name in both instruments: the mean of e^H, not e to the mean of H.
TEST(Gallery, CountsEffectiveTokensAsStatisticsDoes) {
    Harness h(laboratory(Instrument::heads));
    const Focus& f = h.focus();
    const auto block = static_cast<std::size_t>(f.block - 1), head = static_cast<std::size_t>(f.head);
    const auto effective = static_cast<double>(measured(h).statistics->of("effective_tokens")(block, head));
    const std::string& told = h.item("gallery.chosen.told").text;
    EXPECT_NE(told.find(number_text(effective) + " effective tokens"), std::string::npos) << told;
}

TEST(Gallery, KnowsNoObjectInAPhotographAndSaysSo) {
    Opening state = laboratory(Instrument::heads);
    state.experiment.image = {{}, std::filesystem::path(VITRINE_SOURCE) / "tests/ui/images/key.png"};
    Harness h(std::move(state));
    h.tap("lab.order.object_share");
    EXPECT_FALSE(measured(h).object_share);
    EXPECT_EQ(h.item(tile(1, 1)).value, 1) << "they stand by block";
}

TEST(Gallery, PointingTellsAndMovingTheQueryKeepsTheOrder) {
    Harness h(laboratory(Instrument::heads));
    h.tap("lab.order.entropy");
    const double before = h.item(tile(4, 2)).value;
    h.change().focus().token = 30;
    h.settle();
    EXPECT_EQ(h.item(tile(4, 2)).value, before);
    const Rect map = h.item(tile(4, 2)).rect;
    h.input.move(map.x0 + 3, map.y0 + 3);
    h.frame(3);
    EXPECT_EQ(h.app->workspace().selection.hovered_token(), 1) << "the upper left patch";
}

TEST(Scale, EveryScopeCurveAndTheFixedEndAreChoicesThatCanBeUndone) {
    Harness h(laboratory(Instrument::heads));
    h.tap("lab.scope.fixed");
    EXPECT_EQ(h.focus().scope, Scope::fixed);
    EXPECT_TRUE(h.shows("lab.fixed_high"));
    h.press(Key::s);
    EXPECT_EQ(h.focus().scope, Scope::head);
    EXPECT_EQ(lab(h).curve, Curve::root) << "what is seen first is not dark";
    h.tap("lab.curve.linear");
    EXPECT_EQ(lab(h).curve, Curve::linear);
    h.frame(60);  // what is chosen in one go is undone in one go
    h.tap("lab.curve.logarithm");
    EXPECT_EQ(lab(h).curve, Curve::logarithm);
    h.press(Key::f2);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(lab(h).curve, Curve::logarithm) << "a view of the Lab is undone in the Lab";
    EXPECT_EQ(h.app->state().room, "explore");
    h.press(Key::f3);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(lab(h).curve, Curve::linear);
    EXPECT_EQ(h.app->state().room, "laboratory");
}

TEST(Scale, EachKindOfFigureKeepsItsOwnCurve) {
    Harness h(laboratory(Instrument::heads));
    h.tap("lab.curve.logarithm");
    h.tap("lab.tab.compare");
    EXPECT_EQ(h.item("lab.curve.logarithm").value, 1) << "attention weights, too";
    EXPECT_NE(h.item("range_bar").text.find("colours by log a"), std::string::npos);
    for (const char* const tab : {"lab.tab.depth", "lab.tab.lens", "lab.tab.tokens"}) {
        h.tap(tab);
        h.change().focus().lab.figure = TokenFigure::norms;
        h.settle();
        EXPECT_EQ(h.item("lab.curve.linear").value, 1) << tab;
        h.tap("lab.curve.root");
        EXPECT_EQ(lab(h).curve, Curve::logarithm) << tab;
    }
    h.tap("lab.tab.depth");
    EXPECT_EQ(h.item("lab.curve.root").value, 1);
}

TEST(Gallery, SaysWhenAFewPatchesSetTheRangeAndOffersTheRoot) {
    Harness h(laboratory(Instrument::heads));
    h.tap("lab.curve.linear");
    bool told = false;
    for (int block = 1; block <= 4 && !told; ++block)
        for (int token = 0; token < 65 && !told; ++token) {
            h.change().focus().block = block;
            h.change().focus().token = token;
            h.frame(2);
            told = h.shows("gallery.few");
        }
    ASSERT_TRUE(told) << "no block of the picture has such a patch";
    h.tap("lab.curve.root");
    EXPECT_EQ(lab(h).curve, Curve::root);
    EXPECT_FALSE(h.shows("gallery.few"));
    h.expect_readable("the gallery");
}

}  // namespace
}  // namespace vitrine
