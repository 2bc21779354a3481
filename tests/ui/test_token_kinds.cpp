#include "app/chapters/model_words.h"
#include "app/ui/text.h"
#include "app/workspace/laboratory_state.h"
#include "core/vit/what_ifs.h"
#include "tests/files.h"
#include "tests/test_folder.h"
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

/// Models that differ from the paper's outside their blocks.
std::vector<Config> every_structure() {
    const Config plain;
    std::vector<Config> all = {with_every_kind_of_token(), without_class_token()};
    for (const Readout readout :
         {Readout::mean, Readout::last, Readout::class_and_mean, Readout::class_and_distillation}) {
        all.push_back(with_every_kind_of_token());
        all.back().readout = readout;
    }
    all.push_back(without_class_token());
    all.back().norm_before_mean = true;
    all.push_back(all.back());
    all.back().classes = 0;
    all.push_back(with_every_kind_of_token());
    all.back().leading = plain.leading;
    all.back().embedding_norm = true;
    all.back().patch_bias = false;
    all.back().classes = 0;
    all.push_back(all.back());
    all.back().features = 6;
    all.back().ending = HeadKind::features;
    for (const HeadKind ending : {HeadKind::values, HeadKind::several}) {
        all.push_back(with_every_kind_of_token());
        all.back().classes = 0;
        all.back().features = 3;
        all.back().feature_bias = true;
        all.back().ending = ending;
        all.back().labels = {"red", "green", "blue"};
    }
    all.push_back(with_every_kind_of_token());
    all.back().leading = {{TokenKind::class_token, 1, false}, {TokenKind::register_token, 2, false}};
    return all;
}

TEST(TokenKindsInTheWindow, EveryChapterIsDrawnForEveryToken) {
    for (const Config& c : every_structure()) {
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
    for (const Config& c : every_structure()) {
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

TEST(TokenKindsInTheWindow, NoWordsSpeakOfAClassTokenThatIsNotThere) {
    std::vector<Config> without(4, without_class_token());
    without[1].norm_before_mean = true;
    without[2].readout = Readout::attention;
    without[2].pooling_dim = 8;
    without[3].classes = 0;
    for (const auto& [language, class_token] :
         {std::pair("en", "class token"), {"ja", "クラストークン"}, {"ko", "클래스 토큰"}}) {
        const Text text = load_text(language);
        for (const Config& c : without) {
            const auto expect_none = [&, &token = class_token](const std::string& key) {
                if (!text.has(key)) return;
                const std::string own = key_for(text, key, c);
                EXPECT_EQ(text(own).find(token), std::string::npos) << language << ": " << own;
            };
            for (const Step& step : curriculum())
                for (const char* const part : {".sentence", ".words", ".question", ".hint"})
                    if (step.id != "class_token") expect_none("step." + std::string(step.id) + part);
            for (const Named<Instrument>& each : instrument_names)
                for (const char* const part : {".sentence", ".words"})
                    expect_none("lab." + std::string(each.name) + part);
            for (const char* const key : {"lab.rollout.words", "lab.relevance.words", "lab.chosen", "lab.tell_head"})
                expect_none(key);
        }
    }
}

TEST(TokenKindsInTheWindow, NotAnExplanationHasAThirdMapForEveryModelWithClasses) {
    for (const int classes : {0, 4}) {
        Config c = with_every_kind_of_token();
        c.classes = classes;
        Harness h(opening_of(c));
        h.app->ask(command::GoToChapter{"explanation"});
        h.settle();
        h.frame(3);
        EXPECT_TRUE(h.shows("explanation.moved"));
        EXPECT_EQ(h.shows("explanation.drops"), classes > 0);
        EXPECT_FALSE(h.shows("explanation.drops.none"));
    }
}

TEST(TokenKindsInTheWindow, AHeadThatReadsSeveralTokensHasAMapOfItsOwnThroughTheBlocks) {
    for (const Readout readout : {Readout::class_token, Readout::mean, Readout::attention}) {
        Config c = with_every_kind_of_token();
        c.readout = readout;
        c.pooling_dim = readout == Readout::attention ? 8 : 0;
        Opening opening = opening_of(c);
        opening.state.room = "laboratory";
        Harness h(std::move(opening));
        for (const DepthMethod method : {DepthMethod::rollout, DepthMethod::relevance}) {
            h.change().focus().lab.instrument = Instrument::depth;
            h.change().focus().lab.method = method;
            h.settle();
            EXPECT_EQ(h.shows("depth.readout"), readout != Readout::class_token) << name_of(readout);
        }
    }
}

TEST(TokenKindsInTheWindow, NothingIsSortedByAClassTokenThatIsNotThere) {
    for (const bool there : {true, false}) {
        Opening opening = opening_of(there ? with_every_kind_of_token() : without_class_token());
        opening.state.room = "laboratory";
        Harness h(std::move(opening));
        h.change().focus().lab.instrument = Instrument::heads;
        h.settle();
        EXPECT_EQ(h.shows("lab.order.class_share"), there);
        h.change().focus().lab.instrument = Instrument::statistics;
        h.change().focus().lab.statistic = "class_share";
        h.settle();
        EXPECT_EQ(h.shows("statistics.row.class_share.value"), there);
        EXPECT_TRUE(h.shows("statistics.row.entropy.value"));
    }
}

TEST(ModelsOfTheHub, EquationsNameEveryLeadingToken) {
    const auto equation = [](const Config& c, const char* step) {
        Harness h(opening_of(c));
        h.change().focus().step = step_index(step);
        h.settle();
        return h.item("equation").text;
    };
    Config c = with_every_kind_of_token();
    c.leading = {{TokenKind::class_token, 1, true}, {TokenKind::distillation, 1, true}};
    EXPECT_NE(equation(c, "class_token").find("dist"), std::string::npos);
    EXPECT_NE(equation(c, "position_embedding").find("dist"), std::string::npos);
    c.leading = {{TokenKind::class_token, 1, false}, {TokenKind::register_token, 4, false}};
    c.positions = Positions::rotary;
    c.position_table = false;
    EXPECT_NE(equation(c, "position_embedding").find("r¹"), std::string::npos);
    const std::string all = equation(with_every_kind_of_token(), "class_token");
    for (const char* const kind : {"class", "dist", "r¹"}) EXPECT_NE(all.find(kind), std::string::npos) << all;
    c = with_every_kind_of_token();
    c.leading = {{TokenKind::class_token, 1, true}};
    EXPECT_EQ(equation(c, "position_embedding").find("dist"), std::string::npos);
}

TEST(ModelsOfTheHub, AreToldAsTheyAre) {
    const auto opened = [](const Config& c, const char* step) {
        auto h = std::make_unique<Harness>(opening_of(c));
        h->change().focus().step = step_index(step);
        h->settle();
        return h;
    };
    const auto words = [](Harness& h, const char* id) { return h.item(id).text; };
    Config c = with_every_kind_of_token();
    c.readout = Readout::class_and_distillation;
    {
        const auto h = opened(c, "prediction");
        EXPECT_EQ(words(*h, "map.readout"), "Two classifiers, their mean");
        EXPECT_TRUE(h->shows("prediction.class_head"));
        EXPECT_TRUE(h->shows("prediction.distillation_head"));
        EXPECT_NE(words(*h, "code").find("head_dist"), std::string::npos);
        EXPECT_EQ(key_for(load_text("en"), "step.prediction.words", c), "step.prediction.words.class_and_distillation");
    }
    c.readout = Readout::class_and_mean;
    {
        const auto h = opened(c, "prediction");
        EXPECT_NE(words(*h, "code").find("side by side"), std::string::npos);
        EXPECT_TRUE(h->shows("prediction.products")) << "one linear layer reads both";
    }
    {
        const auto h = opened(without_class_token(), "class_token");
        EXPECT_EQ(words(*h, "map.class_token"), "No class token");
        EXPECT_EQ(key_for(load_text("en"), "step.class_token.words", without_class_token()),
                  "step.class_token.words.no_class");
    }
    const Config plain;
    c = with_every_kind_of_token();
    c.leading = plain.leading;
    c.embedding_norm = true;
    c.classes = 0;
    c.features = 6;
    c.ending = HeadKind::features;
    {
        const auto h = opened(c, "position_embedding");
        EXPECT_TRUE(h->shows("map.embedding_norm"));
        EXPECT_TRUE(h->shows("position.normed"));
        EXPECT_NE(words(*h, "code").find("norm_before"), std::string::npos);
    }
    const auto h = opened(c, "prediction");
    EXPECT_EQ(words(*h, "map.features"), "Projection, 6 features");
    EXPECT_TRUE(h->shows("prediction.features"));
    EXPECT_NE(words(*h, "prediction.none").find("features"), std::string::npos);
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
