#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <tuple>

#include "app/chapters/changed_sentence.h"
#include "app/chapters/step.h"
#include "app/library/edges.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/vit/what_ifs.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

// What the window tells of a what-if, and that it stays where it is while one switches.

namespace vitrine {
namespace {

/// Logit, margin, loss and probability of the class that was first, worked out here once more.
struct AnswerTold {
    double probability, logit, margin, loss;
};
AnswerTold told_by(const Trace& trace, std::size_t first) {
    double all = 0, other = -1e300;
    const Tensor2& logits = trace.head->logits;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        all += std::exp(static_cast<double>(logits(0, i)));
        if (i != first) other = std::max(other, static_cast<double>(logits(0, i)));
    }
    const double own = static_cast<double>(logits(0, first));
    return {std::exp(own) / all, own, own - other, std::log(all) - own};
}

/// The class that was first.
std::size_t first_of(const Harness& h) {
    const Tensor2& before = h.result().baseline.head->logits;
    return static_cast<std::size_t>(std::max_element(before.begin(), before.end()) - before.begin());
}

void expect_change(Harness& h, const std::string& id) {
    const std::size_t first = first_of(h);
    const AnswerTold a = told_by(h.result().baseline, first), b = told_by(h.result().trace, first);
    const std::string bar = id == "change" ? "top.0" : "prediction.class.0";
    EXPECT_NEAR(h.item(bar).value, b.probability, 1e-5) << "the class's bar tells its probability";
    EXPECT_NEAR(h.item(id + ".logit").value, b.logit - a.logit, 1e-5);
    EXPECT_NEAR(h.item(id + ".margin").value, b.margin - a.margin, 1e-5);
    EXPECT_NEAR(h.item(id + ".loss").value, b.loss - a.loss, 1e-5);
}

/// What is off in every block is said of all of them, what is off in one of that one.
TEST(WhatIfsTold, TheSentenceSaysWhetherOneBlockOrAllAreMeant) {
    Harness h;
    const Config& config = h.result().model->config;
    for (const auto& [step, all, one] : {std::tuple{"layer_norm", normalise(Norm::none), normalise(Norm::none, 2)},
                                         std::tuple{"residual", without_skips(), without_skips(2)}}) {
        const std::string key = "step." + std::string(step) + ".sentence_off";
        Focus focus = h.focus();
        focus.step = step_index(step);
        focus.block = 2;
        EXPECT_EQ(key_of_sentence(config, std::vector{one}, focus), key);
        EXPECT_EQ(key_of_sentence(config, std::vector{all}, focus), key + "_everywhere");
        for (const std::string& language : language_codes()) {
            EXPECT_TRUE(load_text(language).has(key + "_everywhere")) << language;
        }
    }
}

TEST(WhatIfs, TellLogitMarginAndLossBesideTheProbability) {
    Harness h;
    go_to(h, "prediction");
    h.press(Key::space);
    h.frame(120);
    EXPECT_FALSE(h.shows("change.logit")) << "nothing is changed";
    h.change()->what_ifs = {remove_head(4, 1), remove_mlp(2)};
    h.settle();
    expect_change(h, "change");
    expect_change(h, "prediction.change");
    h.hover("change");
    EXPECT_TRUE(h.shows("readout"));
    EXPECT_NE(h.item("readout").text.find("→"), std::string::npos) << "before and after";
}

/// "p and logit rise, the margin falls" reads as a mistake unless it is said how that can be.
TEST(WhatIfs, SayWhyAMarginGoesTheOtherWay) {
    Harness h;
    Probe probe;
    TextureCache textures;
    const Ui ui{h.app->context().theme, h.app->text(), probe, textures};
    struct Case {
        double probability, logit, margin;  // by how much each changes
        const char* key;
    };
    for (const Case& c : {Case{0.1, 1.0, 0.5, "is"}, Case{-0.1, -1.0, -0.5, "is"}, Case{0.1, 1.0, -0.5, "other_rose"},
                          Case{-0.1, -1.0, 0.5, "other_fell"}, Case{-0.1, 1.0, 0.5, "others_rose"},
                          Case{0.1, -1.0, -0.5, "others_fell"}, Case{0.1, 1.0, -0.0001, "is"}}) {
        AnswerChange change;
        change.before = {.probability = 0.5, .logit = 3, .margin = 2, .loss = 0.7};
        change.now = {.probability = 0.5 + c.probability, .logit = 3 + c.logit, .margin = 2 + c.margin, .loss = 0.6};
        EXPECT_EQ(margin_words(ui, change), h.app->text()(std::string("change.margin_") + c.key))
            << c.probability << " " << c.logit << " " << c.margin;
    }
    h.change()->what_ifs = {remove_mlp(2)};
    h.settle();
    h.frame(2);
    const auto change = answer_change(*h.result().trace.head, *h.result().baseline.head);
    EXPECT_EQ(h.item("change.margin_is").text, margin_words(ui, change)) << "the window says so";
}

/// The same of "p falls, its logit rises", in the short line itself; and a class of two words is read as one.
TEST(WhatIfs, SayInTheShortLineWhyAProbabilityGoesTheOtherWayThanItsLogit) {
    Harness h;
    Probe probe;
    TextureCache textures;
    const Ui ui{h.app->context().theme, h.app->text(), probe, textures};
    const auto told = [&](double probability, double logit) {
        AnswerChange change;
        change.before = {.probability = 0.5, .logit = 3, .margin = 2, .loss = 0.7};
        change.now = {.probability = 0.5 + probability, .logit = 3 + logit, .margin = 1, .loss = 0.8};
        return change_words(ui, change, "change.short");
    };
    EXPECT_NE(told(-0.1, 1).find("the others rose more"), std::string::npos) << told(-0.1, 1);
    EXPECT_NE(told(0.1, -1).find("the others fell more"), std::string::npos) << told(0.1, -1);
    for (const double sign : {-1.0, 1.0}) EXPECT_EQ(told(0.1 * sign, sign).find("others"), std::string::npos);

    Model model = *h.result().model;
    model.config.labels = {"nothing", "two different"};
    model.provenance.path = "a file";
    EXPECT_EQ(class_in_words(ui, model, 0), "nothing");
    EXPECT_EQ(class_in_words(ui, model, 1), "“two different”");
    h.change()->what_ifs = {normalise(Norm::none)};
    go_to(h, "prediction");
    h.settle();
    h.frame(3);
    const std::string& title = h.item("prediction.change.title").text;
    EXPECT_TRUE(title.find("as if it were true") != std::string::npos || title.find("the others") != std::string::npos)
        << "of which class the loss is: " << title;
}

TEST(WhatIfs, OfferTheirExampleInOneForm) {
    for (const char* const language : {"en", "ja", "ko"}) {
        Opening state = Harness::with_image("cat");
        state.state.settings.language = language;
        Harness h(std::move(state), {1280, 720});
        for (const char* const step : {"activation", "layer_norm"}) {
            go_to(h, step);
            std::set<float> widths;
            for (const auto& [id, item] : h.app->probe().items())
                if (id.starts_with("edge.") && h.app->probe().items().contains("switch." + id.substr(5)))
                    widths.insert(item.rect.width());
            EXPECT_EQ(widths.size(), 1U) << step << " " << language;
            h.expect_readable(step);
        }
    }
}

/// However little room there is: of one's own photo, too, of which more must be told.
TEST(WhatIfs, LeaveTheFirstClassBeforeAndTheOneAfterInSight) {
    const TestFolder folder;
    std::ofstream(folder / "photo.ppm", std::ios::binary) << "P6 4 2 255\n" << std::string(24, 'x');
    for (const bool own : {false, true}) {
        Harness h(Harness::with_image("cat"), {1280, 720});
        if (own) h.app->open({folder / "photo.ppm"});
        h.settle();
        h.change()->settings.folded.insert("changes.open");
        h.change()->what_ifs = {remove_mlp(1), remove_mlp(2), remove_mlp(3), remove_mlp(4)};
        h.settle();
        const auto first_of = [&](const Trace& trace) {
            return "class." +
                   h.result()
                       .model->config.labels[static_cast<std::size_t>(top_predictions(*trace.head, 1).front().index)];
        };
        const std::string before = h.app->text()(first_of(h.result().baseline)),
                          after = h.app->text()(first_of(h.result().trace));
        if (!own) {
            ASSERT_NE(before, after);
        }
        for (const char* const room : {"explore", "laboratory"}) {
            h.app->ask(command::EnterRoom{room});
            h.settle();
            std::set<std::string> seen;
            for (const auto& [id, item] : h.app->probe().items())
                if (id.starts_with("top.") && id.size() == 5 && item.visible && item.rect.y1 <= 720)
                    seen.insert(item.text);
            const Probe::Item& change = h.item("change.title");
            if (change.visible && change.text.starts_with(h.app->text()("change.of", {{"class", before}})))
                seen.insert(before);
            EXPECT_TRUE(seen.contains(before)) << before << " in " << room << (own ? ", own photo" : "");
            EXPECT_TRUE(seen.contains(after)) << after << " in " << room << (own ? ", own photo" : "");
        }
    }
}

TEST(WhatIfs, SayWhichBlocksTheyActOn) {
    Harness h;
    for (const std::string& language : language_codes()) {
        h.change()->settings.language = language;
        go_to(h, "activation");
        const std::string every = h.app->text()("removal.activation_everywhere", {{"value", "ReLU"}});
        EXPECT_EQ(h.item("switch.activation:relu").text, every);
        EXPECT_NE(h.item("switch.activation:relu@" + std::to_string(h.focus().block)).text, every);
        h.hover("switch.activation:relu");
        h.frame(60);
        EXPECT_EQ(h.item("tooltip").text, h.app->text()("switches.everywhere_tip"));
    }
}

TEST(WhatIfs, ThatChangeNextToNothingAreGreyAndSayHowLittle) {
    const Palette& palette = palette_of(ThemeKind::dark);
    EXPECT_EQ(change_color(palette, 1.5e-6), palette.muted);
    EXPECT_EQ(change_color(palette, -4.9e-4), palette.muted);
    EXPECT_EQ(change_color(palette, 0.01), palette.positive);
    EXPECT_EQ(change_color(palette, -0.01), palette.negative);
    EXPECT_EQ(share_change_text(1.5e-6), "+1.50 × 10⁻⁴ pp");
    EXPECT_EQ(share_change_text(-0.123), "−12.3 pp");
    EXPECT_EQ(share_change_text(0), "0 pp");
}

TEST(WhatIfsTold, PointsAreWrittenAsTheLanguageDoes) {
    Harness h(Harness::with_image("cat"), {1920, 1080});
    h.change()->what_ifs = {remove_positions()};
    h.settle();
    go_to(h, "prediction");
    for (const std::string& language : language_codes()) {
        h.change()->settings.language = language;
        h.settle();
        const std::string unit = " " + h.app->text()("glossary.pp");
        int written = 0;
        for (const Probe::Words& words : h.app->probe().words()) {
            written += words.text.ends_with(unit) ? 1 : 0;
            EXPECT_TRUE(unit == " pp" || !words.text.ends_with(" pp")) << words.text << " in " << language;
        }
        EXPECT_GT(written, 0) << language;
    }
}

/// Where a switch is, whatever it does.
TEST(WhatIfs, NothingMovesUnderThePointerWhenOneSwitches) {
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
        Harness h(Harness::with_image("cat"), size);
        for (const Step& step : curriculum()) {
            if (step.switches == nullptr) continue;
            go_to(h, step.id);
            for (const Intervention& i : step.switches(h.result(), h.focus())) {
                const std::string id = "switch." + to_word(i, h.result().model->config);
                const Rect before = h.item(id).rect;
                const bool whole = h.item(id).visible && before.height() > 20;
                if (!whole) continue;  // below the fold
                h.tap(id);
                const Rect after = h.item(id).rect;
                EXPECT_EQ(after.y0, before.y0) << id << " of " << step.id << " at " << size.x;
                EXPECT_EQ(after.x0, before.x0) << id;
                const bool above = h.shows("change.loss") && h.item("change.loss").visible;
                const bool at_once = above || h.shows("change.short");
                EXPECT_TRUE(at_once) << "the effect of " << id << " of " << step.id << " at " << size.x;
                if (!above && at_once) {
                    const double margin = told_by(h.result().trace, first_of(h)).margin -
                                          told_by(h.result().baseline, first_of(h)).margin;
                    EXPECT_NEAR(h.item("change.short").value, margin, 1e-4) << id;
                    EXPECT_TRUE(h.item("change.short").visible) << id;
                    const std::string label = h.result().model->config.label(static_cast<int>(first_of(h)));
                    EXPECT_TRUE(h.item("change.short").text.starts_with("Change for " + label + ": "))
                        << "whose change it is: " << h.item("change.short").text;
                }
                h.tap(id);
                EXPECT_TRUE(h.what_ifs().empty()) << "the second click meets " << id;
            }
        }
    }
}

TEST(WhatIfs, OfferAPictureNearTheEdgeBesideTheirSwitch) {
    Harness h;
    go_to(h, "position_embedding");
    const std::optional<std::string> picture = edge_picture(*h.result().model, remove_positions());
    ASSERT_TRUE(picture);
    h.tap("edge.positions");
    EXPECT_EQ(h.app->workspace().experiment.image.sample, *picture);
    EXPECT_TRUE(contains(h.what_ifs(), remove_positions())) << "and the switch is on";
    const bool above = h.shows("change.margin") && h.item("change.margin").visible;
    EXPECT_TRUE(above || h.shows("change.short")) << "the effect is told at once";
    h.input.move(600, 300);
    h.frame(4);
    EXPECT_TRUE(h.shows("edge.here"));
    EXPECT_GT(std::abs(h.item("change.margin").value), 0.1);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.app->workspace().experiment.image.sample.find("cat") == std::string::npos, false) << "undo leads back";
}

TEST(WhatIfs, OfferAPictureNearTheEdgeForWhatWasChangedLast) {
    Harness h;
    EXPECT_FALSE(h.shows("edge.try"));
    h.change()->what_ifs = {remove_head(2, 0), remove_head(1, 0)};
    h.settle();
    const std::optional<std::string> picture = edge_picture(*h.result().model, remove_head(1, 0));
    ASSERT_TRUE(picture);
    h.tap("edge.try");
    EXPECT_EQ(h.app->workspace().experiment.image.sample, *picture);
    EXPECT_EQ(h.what_ifs().size(), 2U);
    h.tap("removals.restore");
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_FALSE(h.shows("edge.here"));
}

TEST(WhatIfs, UndoNamesTheImageThatIsBack) {
    Harness h;
    h.change()->what_ifs = {remove_head(1, 0)};
    h.settle();
    h.tap("edge.try");
    h.press(Key::z, Key::ctrl);
    EXPECT_NE(h.app->state().notice.find(h.app->text()("travel.image", {{"name", "cat"}})), std::string::npos)
        << h.app->state().notice;
}

TEST(WhatIfs, ADrawnPictureInsteadOfOnesOwnIsToldWithTheWayBack) {
    Harness h;
    h.carry_out(command::OpenImage{{{}, "/home/someone/holiday.jpg"}});
    h.app->ask(command::OpenImage{{"dog", {}}});
    h.frame(1);
    EXPECT_NE(h.app->state().notice.find("holiday.jpg"), std::string::npos) << h.app->state().notice;
    h.app->take_in(arrival::Notice{});
    h.app->ask(command::OpenImage{{"cat", {}}});
    h.frame(1);
    EXPECT_TRUE(h.app->state().notice.empty()) << "one drawn picture after another";
}

TEST(WhatIfs, AKeyOpensThePictureNearTheEdge) {
    Harness h;
    h.press(Key::w);
    EXPECT_EQ(h.item("top.image").text, "cat") << "nothing is changed";
    h.change()->what_ifs = {remove_positions()};
    h.settle();
    h.press(Key::w);
    EXPECT_EQ(h.app->workspace().experiment.image.sample, *edge_picture(*h.result().model, remove_positions()));
}

TEST(WhatIfs, AreListedInARoomThatScrollsHoweverManyThereAre) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.change()->settings.folded.insert("changes.open");
    h.change()->what_ifs = {remove_positions(), remove_mlp(1),     remove_mlp(2),  remove_head(1, 0),
                            key_is_query(),     without_scaling(), remove_token(3)};
    h.settle();
    EXPECT_TRUE(h.item("top.0").visible);
    EXPECT_TRUE(h.item("change.margin").visible);
    EXPECT_TRUE(h.item("removal.0").visible);
    EXPECT_TRUE(h.item("removal.1").visible);
}

TEST(WhatIfs, NoSwitchSaysNoTwice) {
    Harness h(Harness::with_image("cat"));
    for (const std::string& language : language_codes()) {
        h.change()->settings.language = language;
        go_to(h, "residual");
        for (const char* const word : {"no-skip", "no-skip@1"})
            EXPECT_NE(h.item("switch." + std::string(word)).text.find(h.app->text()("removal.no_skip")),
                      std::string::npos)
                << word;
        EXPECT_EQ(h.item("switch.no-skip").text, h.app->text()("removal.no_skip")) << language;
    }
}

TEST(ExplanationPanel, BeginsAtTheTopInEveryChapter) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "attention");
    const Rect panel = h.item("section.words").rect, before = h.item("section.switches").rect;
    h.input.move(panel.centre().x, panel.y1 + 40);
    h.frame(2);
    h.input.wheel(0, -6);
    h.frame(6);
    EXPECT_LT(h.item("section.switches").rect.y0, before.y0 - 20) << "it scrolls";
    h.input.move(5, 5);
    go_to(h, "scores");
    EXPECT_NEAR(h.item("section.words").rect.y0, panel.y0, 1);
    EXPECT_NEAR(h.item("section.words").rect.height(), panel.height(), 1) << "whole";
}

TEST(SwitchesOfAStep, AreNeverCut) {
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            Harness h(std::move(state), size);
            for (const char* const step : {"layer_norm", "residual", "norm_place", "attention", "mlp"}) {
                go_to(h, step);
                h.change()->what_ifs = {normalise(Norm::none), remove_head(2, 1)};
                h.settle();
                h.expect_readable(std::string(step) + " " + language + " " + std::to_string(static_cast<int>(size.x)));
                h.change()->what_ifs.clear();
            }
        }
}

TEST(WhatIfs, RestoreAllKeepsItsPlaceWhateverIsChanged) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        h.change()->settings.folded.insert("changes.open");
        std::optional<float> place;
        const auto expect_there = [&](const char* when) {
            const float now = h.item("removals.restore").rect.y0;
            EXPECT_EQ(now, place.value_or(now)) << when << " at " << size.x;
            place = now;
        };
        WhatIfs what_ifs;
        for (const int head : {0, 1, 2}) {
            what_ifs.push_back(remove_head(2, head));
            h.change()->what_ifs = what_ifs;
            h.settle();
            expect_there("with another change");
        }
        h.change()->what_ifs = {remove_head(1, 0)};
        h.settle();
        h.tap("edge.try");
        expect_there("with its example");
        h.tap("prediction.line");
        expect_there("with all classes");
        h.expect_readable("what is changed");
        const Rect in_open_box = h.item("removals.restore").rect;
        h.tap("changes.box");
        EXPECT_EQ(h.item("removals.title").value, 0) << "the box is closed";
        EXPECT_EQ(h.item("removals.restore").rect.centre().x, in_open_box.centre().x);
    }
}

}  // namespace
}  // namespace vitrine
