#include "app/workspace/laboratory_state.h"
#include "core/vit/what_ifs.h"
#include "tests/token_models.h"
#include "tests/ui/harness.h"

// The window with models whose tokens are other than a class token and patches.

namespace vitrine {
namespace {

Opening opening_of(const Config& c) {
    Opening opening = Harness::with_image("cat");
    opening.experiment.model.learned = std::make_shared<Model>(random_model(c, 3));
    return opening;
}

void expect_no_missing_word(Harness& h, const std::string& where) {
    for (const auto& [id, item] : h.app->probe().items())
        EXPECT_EQ(item.text.find("⟦"), std::string::npos) << where << ": " << id << " shows " << item.text;
}

TEST(TokenKindsInTheWindow, EveryChapterIsDrawnForEveryToken) {
    for (const Config& c : {with_every_kind_of_token(), without_class_token()}) {
        Harness h(opening_of(c));
        for (const Step& step : curriculum()) {
            h.change().focus().step = step_index(step.id);
            for (int token = 0; token < std::min(c.tokens(), 6); ++token) {
                h.change().focus().token = token;
                h.frame(2);
            }
            for (const float time : {0.0F, 0.5F, 1.0F}) {
                h.change()->motion = {time, false};
                h.frame();
            }
            expect_no_missing_word(h, std::string(step.id));
            EXPECT_TRUE(h.shows("question")) << step.id;
        }
    }
}

TEST(TokenKindsInTheWindow, EveryInstrumentIsDrawn) {
    for (const Config& c : {with_every_kind_of_token(), without_class_token()}) {
        Opening opening = opening_of(c);
        opening.state.room = "laboratory";
        Harness h(std::move(opening));
        for (const Named<Instrument>& each : instrument_names) {
            h.change().focus().lab.instrument = each.value;
            for (const Named<TokenFigure>& figure : token_figure_names) {
                if (each.value != Instrument::tokens && figure.value != token_figure_names[0].value) continue;
                h.change().focus().lab.figure = figure.value;
                h.settle();
                expect_no_missing_word(h, std::string(each.name) + ", " + figure.name);
                EXPECT_TRUE(h.shows("status.idle")) << each.name;
            }
        }
    }
}

TEST(TokenKindsInTheWindow, TheStripAndTheTopBarNameATokenByItsKind) {
    Harness h(opening_of(with_every_kind_of_token()));
    EXPECT_EQ(h.item("token.0").text, "CLS");
    EXPECT_EQ(h.item("token.1").text, "DIST");
    EXPECT_EQ(h.item("token.3").text, "REG 2");
    EXPECT_EQ(h.item("token.4").text, "patch 1");
    h.tap("token.3");
    EXPECT_EQ(h.focus().token, 3);
    EXPECT_NE(h.item("top.selection").text.find("register 2"), std::string::npos) << h.item("top.selection").text;
    h.tap("top.release");
    EXPECT_EQ(h.focus().token, 0) << "the class token looks again";
}

TEST(TokenKindsInTheWindow, AMapHasACellForEachTokenOutsideTheImage) {
    Harness h(opening_of(with_every_kind_of_token()));
    h.change().focus().step = step_index("layer_norm");
    h.frame(3);
    h.tap("norm.mean_map.3");
    EXPECT_EQ(h.focus().token, 3) << "the second register";
    h.tap("norm.mean_map.class");
    EXPECT_EQ(h.focus().token, 0);
    Harness none(opening_of(without_class_token()));
    none.change().focus().step = step_index("layer_norm");
    none.frame(3);
    EXPECT_TRUE(none.shows("norm.mean_map"));
    EXPECT_FALSE(none.shows("norm.mean_map.class"));
}

TEST(TokenKindsInTheWindow, SwitchingAPatchOffIsSavedAsThatPatchAndARegisterCannotBeSwitched) {
    Harness h(opening_of(with_every_kind_of_token()));
    h.change().focus().step = step_index("patches");
    h.change().focus().token = 2;
    h.frame(2);
    h.press(Key::x);
    EXPECT_TRUE(h.what_ifs().empty()) << "a register is no patch";
    h.change().focus().token = 4;
    h.frame(2);
    h.press(Key::x);
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_token(4)});
    EXPECT_EQ(h.app->session().what_ifs, std::vector<std::string>{"patch:1"});
    EXPECT_NE(h.item("removal.0").text.find("patch 1"), std::string::npos) << h.item("removal.0").text;
}

}  // namespace
}  // namespace vitrine
