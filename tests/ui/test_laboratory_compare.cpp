#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/measured.h"
#include "app/workspace/shown_table.h"
#include "core/measures/attention_measures.h"
#include "core/vit/experiment.h"
#include "core/vit/model.h"
#include "core/vit/token_weights.h"
#include "tests/ui/laboratory_room.h"

namespace vitrine {
namespace {

TEST(Compare, LeavesHeadsThatAreOffOutOfTheSharedScale) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.scope = Scope::block;
    Harness h(std::move(state));
    const Config& c = h.result().model->config;
    const auto most = [&](int head) {
        float largest = 0;
        const std::vector<float> weights = weights_of_head(h.result().trace, h.focus().block, head, {h.focus().token});
        for (const float weight : c.patches_of(weights)) largest = std::max(largest, weight);
        return static_cast<double>(largest);
    };
    int brightest = 0;
    for (int head = 0; head < c.heads; ++head)
        if (most(head) > most(brightest)) brightest = head;
    const double before = h.item("range_bar").value;
    EXPECT_DOUBLE_EQ(before, most(brightest));
    h.change()->what_ifs = {remove_head(h.focus().block, brightest)};
    h.settle();
    double second = 0;
    for (int head = 0; head < c.heads; ++head)
        if (head != brightest) second = std::max(second, most(head));
    EXPECT_DOUBLE_EQ(h.item("range_bar").value, second);
    EXPECT_LT(second, before);
}

/// Over a dark picture, too, a middling difference of either sign stands out from no difference.
TEST(Compare, DifferencesStandOutFromThePictureBelowInBothThemes) {
    const auto luminance = [](const std::array<double, 3>& rgb) {
        const auto linear = [](double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
    };
    const auto over = [](Color above, double opacity, const std::array<double, 3>& below) {
        const double of[] = {above.r / 255.0, above.g / 255.0, above.b / 255.0};
        std::array<double, 3> mixed{};
        for (std::size_t i = 0; i < 3; ++i) mixed[i] = opacity * of[i] + (1 - opacity) * below[i];
        return mixed;
    };
    for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
        const MapGround ground = ground_below(ColourMap::diverging, kind);
        const double usual = static_cast<double>(Focus().brightness * ground.brightness);
        for (const std::uint8_t grey :
             {kind == ThemeKind::light ? std::uint8_t{80} : std::uint8_t{120}, std::uint8_t{128}}) {
            const std::array<double, 3> below =
                over({grey, grey, grey, 255}, usual, over(ground.color, 1, std::array<double, 3>{}));
            std::array<double, 2> contrasts{};
            for (std::size_t sign = 0; sign < 2; ++sign) {
                const HeatMap map{.scale = {ColourMap::diverging, -1, 1}, .opacity_floor = 0};
                const Color cell = colour_of_cell(map, sign == 0 ? -0.5F : 0.5F, kind);
                const double a = luminance(over(cell, cell.a / 255.0, below)) + 0.05, b = luminance(below) + 0.05;
                contrasts[sign] = std::max(a, b) / std::min(a, b);
                EXPECT_GT(contrasts[sign], 1.35) << static_cast<int>(kind) << " " << static_cast<int>(grey);
            }
            EXPECT_NEAR(contrasts[0], contrasts[1], 0.05) << "neither sign is stronger";
        }
    }
}

TEST(Compare, BeginsWithTheChosenHeadAndTheOneOfItsBlockThatLooksMostUnlikeIt) {
    Opening state = laboratory(Instrument::heads);
    state.selection.focus.block = 3;
    state.selection.focus.head = 1;
    Harness h(std::move(state));
    EXPECT_TRUE(lab(h).picks.empty());
    h.tap("lab.tab.compare");
    ASSERT_EQ(lab(h).picks.size(), 2U);
    EXPECT_EQ(lab(h).picks[0], (Pick{3, 1, {}}));
    EXPECT_EQ(lab(h).picks[1].block, 3);
    const auto block = h.result().trace.block(3);
    const auto apart = [&](int head) {
        return total_variation(attention_row(*block, 1, 0), attention_row(*block, head, 0));
    };
    for (int head = 0; head < 4; ++head) EXPECT_LE(apart(head), apart(lab(h).picks[1].head));
    EXPECT_TRUE(h.shows("compare.map.Y"));
    h.tap("lab.clear");
    EXPECT_TRUE(lab(h).picks.empty()) << "what is let go stays so";
    h.tap("lab.tab.heads");
    h.change().focus().lab.picks = {{1, 0, {}}};
    h.tap("lab.tab.compare");
    EXPECT_EQ(lab(h).picks.size(), 1U) << "what was picked is left alone";
}

TEST(Compare, ExplainsTheDivergenceWhereOnePoints) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{2, 0, {}}, {2, 1, {}}};
    state.selection.focus.lab.combine = Combine::difference;
    Harness h(std::move(state));
    for (const char* const name : {"Total variation distance", "Jensen–Shannon"})
        EXPECT_NE(h.item("compare.variation").text.find(name), std::string::npos) << name;
    h.hover("compare.apart");
    h.frame(60);
    EXPECT_EQ(h.item("tooltip").text, h.app->text()("compare.apart_tip"));
}

TEST(Compare, BeginsAnewWithTheHeadOfTheBarWhereOnlyItsOwnPairIsPicked) {
    Harness h(laboratory(Instrument::heads));
    h.tap("lab.tab.compare");
    ASSERT_EQ(lab(h).picks.size(), 2U);
    const std::vector<Pick> first = lab(h).picks;
    h.tap("lab.tab.heads");
    h.tap("lab.tab.compare");
    EXPECT_EQ(lab(h).picks, first) << "the same head";
    h.tap("lab.tab.heads");
    h.change().focus().block = 3;  // as a chapter that opens on a head of its own does
    h.change().focus().head = 2;
    h.settle();
    h.tap("lab.tab.compare");
    ASSERT_EQ(lab(h).picks.size(), 2U);
    EXPECT_EQ(lab(h).picks[0], (Pick{3, 2, {}}));
    EXPECT_EQ(lab(h).picks[1].block, 3);
    h.tap("compare.Y.unpick");
    h.tap("lab.tab.heads");
    h.change().focus().block = 1;
    h.settle();
    h.tap("lab.tab.compare");
    EXPECT_EQ(lab(h).picks, (std::vector<Pick>{{3, 2, {}}})) << "what a reader has picked stays";
}

TEST(Compare, ACheckMarkUnpicksAHeadAndSwitchesNothingOff) {
    Harness h(laboratory(Instrument::compare));
    h.hover("compare.Y.unpick");
    h.frame(60);
    EXPECT_EQ(h.item("tooltip").text, h.app->text()("compare.unpick_tip"));
    h.tap("compare.Y.unpick");
    EXPECT_EQ(lab(h).picks.size(), 1U);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_FALSE(h.shows("compare.X.switch")) << "× says off, here as in Explore";
}

TEST(Compare, NoHeadHasTheLetterOfAHalf) {
    Opening opening = laboratory(Instrument::compare);
    Harness h(std::move(opening));
    h.tap("lab.whole_block");
    for (const char* const half : {"A", "B"}) EXPECT_FALSE(h.shows(std::string("compare.map.") + half));
    EXPECT_TRUE(h.shows("compare.map.X") && h.shows("compare.map.Y"));
}

TEST(Compare, EverySwitchOfAQuerySaysWhatItPins) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            state.state.room = "laboratory";
            state.experiment.model = {};
            Focus& f = state.selection.focus;
            f.lab.instrument = Instrument::compare;
            f.lab.picks = {{1, 0, {}}, {2, 1, {}}};
            f.lab.combine = Combine::difference;
            f.token = 120;
            Harness h(std::move(state), size);
            for (const char* const pin : {"compare.X.pin", "compare.Y.pin"}) {
                const std::string number = "120", &said = h.item(pin).text;
                EXPECT_NE(said.find(number), std::string::npos) << said << " in " << language << " at " << size.x;
                EXPECT_GT(said.size(), number.size()) << said << ": the number alone says nothing";
            }
        }
}

TEST(Compare, ItsButtonsAreInSightAtTheSmallestSize) {
    for (const char* const language : {"en", "ja", "ko"}) {
        Opening state = laboratory(Instrument::compare);
        state.state.settings.language = language;
        Harness h(std::move(state), {1280, 720});
        for (const char* const id : {"lab.add", "lab.whole_block", "lab.clear", "lab.combine.difference"}) {
            EXPECT_TRUE(h.item(id).visible) << id << " in " << language;
            EXPECT_GT(h.item(id).rect.height(), 20) << id << " in " << language;
        }
    }
}

TEST(Compare, NamesAHeadByBlockAndHeadUnderItsMapAndBesideADifference) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{2, 3, {}}, {4, 2, {}}};
    Harness h(std::move(state));
    EXPECT_EQ(h.item("compare.X").text, "X: block 2, head 4");
    h.tap("lab.combine.difference");
    EXPECT_EQ(h.item("compare.names").text, "X: block 2, head 4\nY: block 4, head 3") << "the maps are too narrow";
    h.expect_readable("a difference");
}

TEST(Compare, ADifferenceHasARangeAndASignedRootAndNamesItsQuery) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.token = 12;
    state.selection.focus.lab.picks = {{2, 0, {}}, {2, 1, {}}};
    state.selection.focus.lab.combine = Combine::difference;
    Harness h(std::move(state));
    const std::string words = h.item("compare.difference_bar").text;
    EXPECT_NE(words.find("±√"), std::string::npos) << words;
    EXPECT_NE(words.find("query: patch 12"), std::string::npos) << words;
    EXPECT_FALSE(h.shows("lab.curve.logarithm")) << "no sign has a logarithm";
    h.tap("lab.scope.block");
    const double block = h.item("compare.difference_bar").value;
    h.tap("lab.curve.linear");
    EXPECT_EQ(h.item("compare.difference_bar").text.find("√"), std::string::npos);
    h.tap("lab.scope.model");
    EXPECT_GE(h.item("compare.difference_bar").value, block);
    h.tap("lab.scope.head");
    EXPECT_LE(h.item("compare.difference_bar").value, block);
    EXPECT_FALSE(h.shows("curve.root")) << "the curve is chosen in one place";
    h.change().focus().lab.picks[1].query = 3;
    h.settle();
    EXPECT_NE(h.item("compare.difference_bar").text.find("queries: patch 12, patch 3"), std::string::npos);
}

/// Until a range is chosen, a difference has its own, which the controls show; heads side by side share their block's.
TEST(Compare, ADifferenceHasItsOwnRangeUntilOneIsChosen) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{2, 0, {}}, {2, 1, {}}};
    Harness h(std::move(state));
    const auto in_force = [&] { return range_in_view(lab(h), h.focus().scope); };
    EXPECT_EQ(in_force(), Scope::block);
    h.tap("lab.combine.difference");
    EXPECT_EQ(in_force(), Scope::head);
    double largest = 0;
    const std::vector<float> x = weights_of_head(h.result().trace, 2, 0, {h.focus().token}),
                             y = weights_of_head(h.result().trace, 2, 1, {h.focus().token});
    const Config& c = h.result().model->config;
    for (int patch = 0; patch < c.patches(); ++patch) {
        const auto at = static_cast<std::size_t>(c.token_of(patch));
        largest = std::max(largest, static_cast<double>(std::abs(x[at] - y[at])));
    }
    EXPECT_NEAR(h.item("compare.difference_bar").value, largest, 1e-6);
    h.tap("lab.scope.block");
    EXPECT_EQ(in_force(), Scope::block);
    EXPECT_GE(h.item("compare.difference_bar").value, largest - 1e-6);
}

/// As faint as the difference is on the scale of all heads, its own scale is one click away.
TEST(Compare, SaysHowAFaintDifferenceIsSeen) {
    for (const std::string& language : language_codes())
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
            int faint = 0;
            for (const int token : {0, 12, 60}) {
                Opening state = laboratory(Instrument::compare);
                state.state.settings.language = language;
                state.selection.focus.token = token;
                state.selection.focus.scope = Scope::model;
                state.selection.focus.lab.curve = Curve::linear;
                state.selection.focus.lab.picks = {{1, 0, {}}, {1, 1, {}}};
                state.selection.focus.lab.combine = Combine::difference;
                Harness h(std::move(state), size);
                const Rect map = h.item("compare.result").rect;
                if (!h.shows("compare.faint")) continue;
                ++faint;
                EXPECT_NE(h.item("compare.faint").text.find(h.app->text()("lab.scope.head")), std::string::npos);
                h.expect_readable("a faint difference in " + language);
                h.change().focus().scope = Scope::head;
                h.settle();
                EXPECT_FALSE(h.shows("compare.faint"));
                EXPECT_EQ(h.item("compare.result").rect.y0, map.y0) << "nothing moves";
                EXPECT_EQ(h.item("compare.result").rect.width(), map.width());
            }
            EXPECT_GT(faint, 0) << language << " " << size.x;
        }
}

TEST(Compare, OffersNoHeadThatIsAlreadyThereWithTheSameQuery) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{2, 0, {}}};
    state.selection.focus.block = 2;
    Harness h(std::move(state));
    h.tap("lab.add");
    EXPECT_EQ(lab(h).picks.size(), 1U);
    h.change().focus().head = 1;
    h.settle();
    h.tap("lab.add");
    EXPECT_EQ(lab(h).picks.size(), 2U);
    h.change().focus().lab.picks[0].query = 7;
    h.change().focus().head = 0;
    h.settle();
    h.tap("lab.add");
    EXPECT_EQ(lab(h).picks.size(), 3U) << "with another query it may be there twice";
}

TEST(Compare, SaysWhatToDoOnceAllIsLetGoAndFillsWithABlock) {
    Harness h(laboratory(Instrument::compare));
    h.tap("lab.clear");
    EXPECT_FALSE(h.shows("compare.map.X"));
    h.change().focus().block = 2;
    h.settle();
    h.tap("lab.whole_block");
    EXPECT_TRUE(h.shows("compare.map.W"));
    h.tap("compare.Y.unpick");
    EXPECT_EQ(lab(h).picks.size(), 3U);
    EXPECT_FALSE(lab(h).picked(2, 1));
    h.tap("lab.clear");
    EXPECT_TRUE(lab(h).picks.empty());
}

TEST(Compare, EveryMapShowsTheClassTokenBesideItsPatches) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{1, 0, {}}, {4, 2, {}}};
    Harness h(std::move(state), {1280, 720});
    const auto weight = [&](int block, int head) {
        return static_cast<double>(attention_row(*h.result().trace.block(block), head, h.focus().token)[0]);
    };
    const auto expect_cell = [&](const std::string& map, double value) {
        ASSERT_TRUE(h.shows(map + ".class")) << map;
        const Rect cell = h.item(map + ".class").rect, patches = h.item(map).rect;
        EXPECT_LT(cell.x1, patches.x0) << map;
        EXPECT_NEAR(h.item(map + ".class.value").value, value, 1e-7) << map;
        h.hover(map + ".class");
        EXPECT_NE(h.item("readout").text.find(number_text(value)), std::string::npos) << h.item("readout").text;
    };
    const double x = weight(1, 0), y = weight(4, 2), even = 1.0 / h.result().model->config.tokens();
    expect_cell("compare.map.X", x);
    expect_cell("compare.map.Y", y);
    EXPECT_LT(h.item("compare.map.X").rect.x1, h.item("compare.map.Y.class").rect.x0);
    h.change().focus().lab.combine = Combine::difference;
    h.frame(3);
    expect_cell("compare.result", static_cast<double>(static_cast<float>(x) - static_cast<float>(y)));
    h.change().focus().lab.combine = Combine::max;
    h.frame(3);
    expect_cell("compare.result", std::max(x, y));
    h.change().focus().lab.combine = Combine::uniform;
    h.frame(3);
    EXPECT_NEAR(h.item("compare.map.X.class.value").value, x - even, 1e-7);
    h.expect_readable("maps with the class token");
    h.tap("compare.map.X.class");
    EXPECT_EQ(h.focus().token, 0);
}

TEST(Compare, ADifferenceIsAntisymmetricAndItsVariationIsRight) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{1, 0, {}}, {4, 2, {}}};
    state.selection.focus.lab.combine = Combine::difference;
    Harness h(std::move(state));
    const Trace& trace = h.result().trace;
    const auto first = trace.block(1), last = trace.block(4);
    const std::span<const float> a = attention_row(*first, 0, 0), b = attention_row(*last, 2, 0);
    double variation = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        variation += std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) / 2;
    EXPECT_NEAR(h.item("compare.variation").value, variation, 1e-5);
    EXPECT_NE(h.item("compare.variation").text.find("CLS: " + point_change_text(static_cast<double>(a[0] - b[0]))),
              std::string::npos)
        << h.item("compare.variation").text;
    EXPECT_EQ(h.item("compare.variation").text.find(" · "), std::string::npos) << "each number has a line";
    const double forth = told(h, "compare.result").value;
    h.change().focus().lab.picks = {lab(h).picks[1], lab(h).picks[0]};
    h.settle();
    EXPECT_NEAR(told(h, "compare.result").value, -forth, 1e-9);
    EXPECT_NE(forth, 0);
    EXPECT_NEAR(h.item("compare.variation").value, variation, 1e-5);
}

TEST(Compare, SaysTheDifferenceOnTheClassTokenInASmallWindowInEveryLanguage) {
    for (const char* const language : {"en", "ja", "ko"}) {
        Opening state = laboratory(Instrument::compare);
        state.state.settings.language = language;
        state.selection.focus.lab.picks = {{1, 0, {}}, {1, 1, {}}};
        state.selection.focus.lab.combine = Combine::difference;
        Harness h(std::move(state), {1280, 720});
        EXPECT_NE(h.item("compare.variation").text.find("CLS"), std::string::npos) << language;
        h.expect_readable(language);
    }
}

TEST(Compare, CombinesPatchByPatchAndAgainstUniform) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{2, 0, {}}, {2, 1, {}}, {2, 2, {}}};
    Harness h(std::move(state));
    const auto weight = [&](int head, std::size_t token) {
        return static_cast<double>(attention_row(*h.result().trace.block(2), head, 0)[token]);
    };
    const auto expect_shown = [&](const std::string& id, double tolerance, auto value) {
        const PatchTold now = told(h, id);
        EXPECT_NEAR(now.value, value(now.token), tolerance) << id;
    };
    expect_shown("compare.map.Z", 1e-9, [&](std::size_t t) { return weight(2, t); });
    h.tap("lab.combine.uniform");
    expect_shown("compare.map.Y", 1e-7, [&](std::size_t t) { return weight(1, t) - 1.0 / 65; });
    h.tap("lab.combine.mean");
    expect_shown("compare.result", 1e-6,
                 [&](std::size_t t) { return (weight(0, t) + weight(1, t) + weight(2, t)) / 3; });
    h.tap("lab.combine.max");
    expect_shown("compare.result", 1e-9, [&](std::size_t t) {
        return std::max({weight(0, t), weight(1, t), weight(2, t)});
    });
    h.tap("lab.combine.min");
    expect_shown("compare.result", 1e-9, [&](std::size_t t) {
        return std::min({weight(0, t), weight(1, t), weight(2, t)});
    });
}

TEST(Compare, ShowsSixOfALargerSetAndCombinesThemAll) {
    Opening state = laboratory(Instrument::compare);
    for (int i = 0; i < 16; ++i) state.selection.focus.lab.picks.push_back({i / 4 + 1, i % 4, {}});
    Harness h(std::move(state));
    EXPECT_TRUE(h.shows("compare.map.U"));
    EXPECT_FALSE(h.shows("compare.map.G"));
    h.tap("lab.combine.mean");
    const PatchTold now = told(h, "compare.result");
    double mean = 0;
    for (int i = 0; i < 16; ++i)
        mean += static_cast<double>(attention_row(*h.result().trace.block(i / 4 + 1), i % 4, 0)[now.token] / 16);
    EXPECT_NEAR(now.value, mean, 1e-6);
}

TEST(Compare, APinnedQueryStaysWhileTheOthersFollow) {
    Opening state = laboratory(Instrument::compare);
    state.selection.focus.lab.picks = {{3, 1, {}}};
    state.selection.focus.token = 12;
    Harness h(std::move(state));
    h.tap("compare.X.pin");
    EXPECT_EQ(lab(h).picks[0].query, 12);
    h.change().focus().block = 3;
    h.change().focus().head = 1;
    h.tap("lab.add");
    ASSERT_EQ(lab(h).picks.size(), 2U) << "the same head twice, with two queries";
    h.change().focus().token = 40;
    h.settle();
    EXPECT_EQ(h.item("compare.X.pin").value, 1);
    EXPECT_EQ(h.item("compare.Y.pin").value, 0);
    EXPECT_NE(h.item("compare.X.pin").text, h.item("compare.Y.pin").text);
    h.tap("compare.X.pin");
    EXPECT_FALSE(lab(h).picks[0].query);
}

TEST(Laboratory, WhatWasLetGoInCompareStaysSoAfterUndoAndRedo) {
    Harness h(laboratory(Instrument::compare));
    h.settle();
    ASSERT_EQ(h.focus().lab.picks.size(), 2U) << "it begins with a pair";
    h.tap("lab.clear");
    h.settle();
    ASSERT_TRUE(h.focus().lab.picks.empty());
    h.frame(60);
    h.app->ask(command::Do{"instrument.next"});
    h.settle();
    ASSERT_NE(h.focus().lab.instrument, Instrument::compare);
    h.press(Key::z, Key::ctrl);
    h.settle();
    ASSERT_EQ(h.focus().lab.instrument, Instrument::compare);
    EXPECT_TRUE(h.focus().lab.picks.empty()) << "as it was left";
    h.press(Key::y, Key::ctrl);
    h.app->ask(command::Do{"instrument.previous"});
    h.settle();
    EXPECT_EQ(h.focus().lab.picks.size(), 2U) << "who comes by himself begins with a pair";
}

TEST(Laboratory, AnEmptiedCompareComesBackEmptyFromASession) {
    Session session;
    {
        Harness h(laboratory(Instrument::compare));
        h.settle();
        h.tap("lab.clear");
        h.settle();
        session = parse_session(to_json(h.app->session()), "s");
    }
    Harness h;
    h.app->restore(session);
    h.settle();
    h.frame(5);
    ASSERT_EQ(h.focus().lab.instrument, Instrument::compare);
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_TRUE(h.focus().lab.picks.empty());
    EXPECT_TRUE(h.shows("lab.clear"));
    h.app->ask(command::Do{"instrument.next"});
    h.settle();
    h.app->ask(command::Do{"instrument.previous"});
    h.settle();
    EXPECT_EQ(h.focus().lab.picks.size(), 2U) << "who comes by himself begins with a pair";
}

TEST(Compare, ItsTableBeginsWithTheFiguresOwnNumbers) {
    Harness h;
    Focus focus = h.focus();
    focus.lab.instrument = Instrument::compare;
    focus.lab.picks = {{1, 0, {}}, {2, 1, 5}};
    const Measured measured{};
    const auto table = [&](Combine combine) {
        focus.lab.combine = combine;
        return shown_table(h.result(), focus, &measured);
    };
    const Table apart = table(Combine::side_by_side), difference = table(Combine::difference);
    const std::size_t n = apart.shape[1];
    ASSERT_EQ(apart.shape[0], 2U);
    ASSERT_EQ(difference.shape[0], 3U);
    EXPECT_EQ(difference.labels[0][0], "X − Y");
    EXPECT_EQ(difference.labels[0][2], "2.1@5");
    EXPECT_EQ(difference.axes[0], "block (from 1).head (from 0)@query (from 0)");
    for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(difference.values[i], apart.values[i] - apart.values[n + i]) << i;
        EXPECT_EQ(difference.values[n + i], apart.values[i]) << i;
        EXPECT_EQ(table(Combine::max).values[i], std::max(apart.values[i], apart.values[n + i])) << i;
    }
    EXPECT_FLOAT_EQ(table(Combine::uniform).values[3], apart.values[3] - 1.0F / static_cast<float>(n));
}

TEST(Compare, SaysThatPicksStayWhenAnotherHeadIsChosen) {
    Harness h(laboratory(Instrument::compare));
    h.frame(3);
    EXPECT_FALSE(h.shows("lab.picks_stay"));
    const auto picks = lab(h).picks;
    h.change().focus().block = 3;
    h.settle();
    h.frame(3);
    EXPECT_TRUE(h.shows("lab.picks_stay"));
    EXPECT_EQ(lab(h).picks, picks);
}

TEST(Compare, BeginsAnewWhereABlockHasOneHeadAlone) {
    Config c;
    c.image_height = c.image_width = 32;
    c.patch_size = 8;
    c.embedding_dim = 16;
    c.heads = 1;
    c.blocks = 3;
    c.mlp_dim = 24;
    c.classes = 3;
    Opening state = laboratory(Instrument::heads);
    state.experiment.model.learned = std::make_shared<Model>(random_model(c, 3));
    Harness h(std::move(state));
    h.change().focus().block = 1;
    h.settle();
    h.tap("lab.tab.compare");
    ASSERT_EQ(lab(h).picks, (std::vector<Pick>{{1, 0, {}}}));
    h.tap("lab.tab.heads");
    h.change().focus().block = 2;
    h.settle();
    h.tap("lab.tab.compare");
    EXPECT_EQ(lab(h).picks, (std::vector<Pick>{{2, 0, {}}}));
}

TEST(Compare, WithARangeForEachMapTheBarBesideTheDifferenceIsThatOfXAlone) {
    Harness h(laboratory(Instrument::compare));
    h.change().focus().lab.combine = Combine::difference;
    for (const Scope scope : {Scope::block, Scope::head}) {
        h.change().focus().scope = scope;
        h.settle();
        h.frame(3);
        const bool own = scope == Scope::head;
        bool of_both = false;
        for (const Probe::Words& drawn : h.app->probe().words())
            of_both = of_both || drawn.text.find("in X and Y") != std::string::npos || drawn.text.starts_with("X, Y");
        EXPECT_EQ(of_both, !own);
    }
}

}  // namespace
}  // namespace vitrine
