#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "app/library/library.h"
#include "core/measures/analysis.h"
#include "core/vit/what_ifs.h"
#include "tests/files.h"
#include "tests/small_model.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

int step(const char* id) { return step_index(id); }

TEST(App, OpensOnTheSampleAndNamesItRight) {
    Harness h;
    EXPECT_TRUE(h.shows("status.idle"));
    EXPECT_EQ(h.item("top.0").text, "cat");
    EXPECT_GT(h.item("top.0").value, 0.9);
}

TEST(App, ArrowsWalkThroughEveryStepAndBack) {
    Harness h;
    const int last = static_cast<int>(curriculum().size()) - 1;
    for (int i = 0; i <= last + 1; ++i) {
        EXPECT_EQ(h.item("step").text, curriculum()[static_cast<std::size_t>(std::min(i, last))].id);
        h.press(Key::right);
    }
    h.press(Key::left);
    EXPECT_EQ(h.focus().step, last - 1);
}

TEST(App, EveryStepIsReachedByTheTimeLineAndByTheMap) {
    Harness h;
    for (std::size_t i = curriculum().size(); i-- > 0;) {
        h.tap("time.step." + std::string(curriculum()[i].id));
        EXPECT_EQ(h.focus().step, static_cast<int>(i));
    }
    for (const char* const id : {"prediction", "image", "patches", "patch_embedding"}) {
        h.tap(std::string("map.") + id);
        EXPECT_EQ(h.focus().step, step(id));
    }
    h.tap("map.attention");
    EXPECT_EQ(h.focus().step, step("attention"));
    h.tap("map.position");
    EXPECT_EQ(h.focus().step, step("position_embedding"));
}

TEST(App, NextAndBackButtonsStep) {
    Harness h;
    h.tap("time.next");
    h.tap("time.next");
    EXPECT_EQ(h.focus().step, 2);
    h.tap("time.back");
    EXPECT_EQ(h.focus().step, 1);
}

TEST(App, UpAndDownChangeTheBlockAndDigitsTheHead) {
    Harness h;
    h.press(Key::down);
    h.press(Key::down);
    EXPECT_EQ(h.focus().block, 3);
    h.press(Key::up);
    EXPECT_EQ(h.focus().block, 2);
    h.press(Key::digit_4);
    EXPECT_EQ(h.focus().head, 3);
    h.press(Key::digit_9);  // there are four heads only
    EXPECT_EQ(h.focus().head, 3);
    h.tap("map.block.4");
    EXPECT_EQ(h.focus().block, 4);
    h.tap("map.head.1");
    EXPECT_EQ(h.focus().head, 1);
}

TEST(Attention, ClickingAPatchMakesItTheQueryAndChoosesItsHeadAsTheNameBelowDoes) {
    Harness h;
    h.change().focus().step = step("attention");
    h.settle();
    h.tap("attention.map.2.cell.29");
    EXPECT_EQ(h.focus().token, 29);
    EXPECT_EQ(h.focus().head, 2) << "the large maps show the head that was clicked";
    h.hover("attention.map.2.cell.30");
    EXPECT_NE(h.item("readout").text.find(h.app->text()("attention.click_tip")), std::string::npos) << "it is said";
    h.tap("attention.head.1");
    EXPECT_EQ(h.focus().head, 1);
    EXPECT_EQ(h.focus().token, 29);
    h.press(Key::escape);
    EXPECT_EQ(h.focus().token, 29) << "Escape lets nothing go";
}

TEST(Attention, PointingAtAPatchShowsItsWeightAndLightsItEverywhere) {
    Harness h;
    h.change().focus().step = step("attention");
    h.settle();
    h.hover("attention.map.1.cell.29");
    EXPECT_EQ(h.app->workspace().selection.hovered_token(), 29);
    EXPECT_EQ(h.app->workspace().selection.hovered_head(), 1);
    const float weight = attention_row(*h.result().trace.block(1), 1, 0)[29];
    const Fact expected = number_fact("weight a", weight);
    bool found = false;
    for (int i = 0; h.shows("fact." + std::to_string(i)); ++i)
        found = found || h.item("fact." + std::to_string(i)).text == expected.label + " = " + expected.value;
    EXPECT_TRUE(found) << "the numbers beside the picture tell " << expected.value;
}

TEST(Attention, DoubleClickOrEnterShowsOneHeadAlone) {
    Harness h;
    h.change().focus().step = step("attention");
    h.settle();
    h.tap("attention.map.0.cell.29");
    h.frame(60);
    h.double_tap("attention.map.3.cell.10");
    EXPECT_TRUE(h.focus().solo);
    EXPECT_EQ(h.focus().head, 3);
    EXPECT_EQ(h.focus().token, 29) << "the query stays";
    EXPECT_TRUE(h.shows("attention.map.3"));
    EXPECT_FALSE(h.shows("attention.map.0"));
    h.double_tap("attention.map.3.cell.11");
    EXPECT_FALSE(h.focus().solo);
    EXPECT_EQ(h.focus().token, 29);
    h.press(Key::enter);
    h.tap("attention.all_heads");
    EXPECT_FALSE(h.focus().solo);
    h.press(Key::enter);
    h.press(Key::escape);
    EXPECT_FALSE(h.focus().solo);
    h.press(Key::escape);
    EXPECT_EQ(h.focus().token, 29) << "Esc closes; it lets nothing go that was chosen";
    h.tap("top.release");
    EXPECT_EQ(h.focus().token, 0);
    EXPECT_FALSE(h.shows("top.release"));
    h.press(Key::enter);
    EXPECT_TRUE(h.focus().solo);
}

TEST(Attention, TheScopeOfTheColoursIsChosenByClickAndByKey) {
    Harness h;
    h.change().focus().step = step("attention");
    h.settle();
    EXPECT_EQ(h.focus().scope, Scope::automatic);
    h.press(Key::s);
    EXPECT_EQ(h.focus().scope, Scope::block) << "the range after the shown one, each map's own";
    h.tap("scope.model");
    EXPECT_EQ(h.focus().scope, Scope::model);
    h.press(Key::s);
    EXPECT_EQ(h.focus().scope, Scope::head);
}

TEST(WhatIf, TheCrossOfAHeadSwitchesItOffAndOnAndThePredictionFollowsAtOnce) {
    Harness h;
    h.change().focus().step = step("attention");
    h.settle();
    const float before = h.result().baseline.head->logits(0, 6);
    h.tap("attention.head.0.switch");
    ASSERT_EQ(h.what_ifs().size(), 1U);
    EXPECT_EQ(h.what_ifs()[0], remove_head(1, 0));
    EXPECT_NE(h.result().trace.head->logits(0, 6), before);
    EXPECT_EQ(h.result().baseline.head->logits(0, 6), before);
    h.tap("attention.head.0.switch");
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.result().trace.head, h.result().baseline.head);
}

TEST(WhatIf, TheKeyXSwitchesWhatTheStepIsAbout) {
    Harness h;
    h.change().focus().step = step("attention");
    h.change().focus().block = 2;
    h.change().focus().head = 1;
    h.settle();
    h.press(Key::x);
    ASSERT_EQ(h.what_ifs(), WhatIfs{remove_head(2, 1)});
    h.press(Key::x);
    h.change().focus().step = step("position_embedding");
    h.press(Key::x);
    ASSERT_EQ(h.what_ifs(), WhatIfs{remove_positions()});
    h.press(Key::backspace);
    h.change().focus().step = step("patches");
    h.change().focus().token = 12;
    h.press(Key::x);
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_token(12)});
}

TEST(WhatIf, UnitsAndTokensHaveTheNamesThatTheirFiguresGiveThem) {
    Harness h;
    const Config config = h.result().model->config;
    h.change()->what_ifs = {parse_intervention("unit:1.6", config), parse_intervention("edge:2.0:0:1+5", config)};
    h.settle();
    EXPECT_EQ(h.item("removal.0").text, h.app->text()("removal.unit", {{"unit", "7"}, {"block", "1"}}));
    EXPECT_EQ(h.item("removal.1").text,
              h.app->text()("removal.edge",
                            {{"other", "patch 1, patch 5"}, {"token", "CLS"}, {"head", "1"}, {"block", "2"}}));
}

TEST(WhatIf, PositionsAndMlpHaveTheirSwitchOnTheMapAndPatchesInTheirMenu) {
    Harness h;
    h.tap("map.position.switch");
    h.tap("map.mlp.switch");
    h.tap("token.9", 1);
    h.tap("menu.switch.patch");
    EXPECT_EQ(h.what_ifs(), (WhatIfs{remove_positions(), remove_mlp(1), remove_token(9)}));
    EXPECT_TRUE(h.shows("removal.2"));
    h.tap("removal.1.switch");
    EXPECT_EQ(h.what_ifs(), (WhatIfs{remove_positions(), remove_token(9)}));
    h.tap("removals.restore");
    EXPECT_TRUE(h.what_ifs().empty());
}

TEST(App, UndoAndRedoGoThroughWhatWasChanged) {
    Harness h;
    h.tap("map.position.switch");
    h.tap("map.mlp.switch");
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_positions()});
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_positions()});
    h.tap("top.undo");
    EXPECT_TRUE(h.what_ifs().empty());
    h.tap("top.redo");
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_positions()});
}

TEST(App, UndoSaysWhatIsNoLongerChangedAndWhenOnlyTheViewIs) {
    Harness h;
    const Text& text = h.app->text();
    h.tap("map.position.switch");
    h.settle();
    h.tap("map.head.3");
    h.settle();
    h.press(Key::z, Key::ctrl);
    h.frame();
    EXPECT_EQ(h.item("notice").text, text("travel.view"));
    h.press(Key::z, Key::ctrl);
    h.frame();
    EXPECT_EQ(h.item("notice").text, text("travel.gone", {{"names", text("removal.positions")}}));
    h.press(Key::y, Key::ctrl);
    h.frame();
    const std::string off = text("switches.without", {{"part", text("removal.positions")}});
    EXPECT_EQ(h.item("notice").text, text("travel.back", {{"names", off}}));
}

TEST(App, UndoAcrossModelsOfAnotherSizeNeverLooksOutsideThem) {
    Harness h;
    h.change().focus().block = 4;
    h.change().focus().token = 64;
    h.tap("map.mlp.switch");
    h.app->open({fs::path(VITRINE_SOURCE) / "tests/golden/models/plain_hf"});
    h.settle();
    EXPECT_EQ(h.item("top.model").text, "plain_hf");
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_LE(h.focus().token, 9);
    for (int i = 0; i < static_cast<int>(curriculum().size()); ++i) {
        h.change().focus().step = i;
        h.settle();
    }
    h.change().focus().step = step("prediction");
    h.settle();
    EXPECT_TRUE(h.shows("prediction.none")) << "a model without a classifier says so";
    for (int i = 0; i < 8; ++i) h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.item("top.model").text, "Pictograms");
    for (int i = 0; i < 8; ++i) h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.item("top.model").text, "plain_hf");
}

TEST(App, ATokenOfTheStripIsChosenByClickAndNotByHover) {
    Harness h;
    h.hover("token.5");
    EXPECT_EQ(h.app->workspace().selection.hovered_token(), 5);
    EXPECT_EQ(h.focus().token, 0);
    h.tap("token.5");
    EXPECT_EQ(h.focus().token, 5);
    EXPECT_EQ(h.item("top.selection").value, 5);
}

TEST(Patches, PointingLightsAndClickingKeepsAPatch) {
    Harness h;
    h.change().focus().step = step("patches");
    h.frame(100);  // the motion pulls the patches apart
    h.tap("patches.grid.cell.18");
    EXPECT_EQ(h.focus().token, 18);
}

TEST(Patches, TheMotionPlaysPausesAndIsScrubbed) {
    Harness h;
    h.press(Key::right);
    h.frame(100);
    EXPECT_EQ(h.app->workspace().motion, (Motion{1.0F, false, true})) << "finished; its motion waits";
    h.press(Key::space);
    h.frame(100);
    EXPECT_FALSE(h.app->workspace().motion.waits);
    EXPECT_EQ(h.app->workspace().motion.time, 1.0F);
    h.tap("time.scrub");
    EXPECT_NEAR(h.app->workspace().motion.time, 0.5F, 0.05F);
    h.tap("time.play");
    EXPECT_GT(h.app->workspace().motion.time, 0.5F);
}

TEST(PatchEmbedding, TheNumberShownIsTheOneInTheTrace) {
    Harness h;
    h.change().focus().step = step("patch_embedding");
    h.change().focus().token = 20;
    h.change().focus().feature = 7;
    h.settle();
    EXPECT_NEAR(h.item("embedding.result").value,
                static_cast<double>(h.result().trace.embedding->patch_embedding(19, 7)), 1e-4);
    h.tap("embedding.vector");
    EXPECT_NE(h.focus().feature, 7) << "a click on a bar chooses its feature";
}

TEST(Position, ClickingATileChoosesItsPatch) {
    Harness h;
    h.change().focus().step = step("position_embedding");
    h.settle();
    h.tap("position.tiles");
    EXPECT_GT(h.focus().token, 0);
    h.tap("position.switch_all.switch");
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_positions()});
}

TEST(Position, TellsHowAlikeTwoAreOnlyWhereThePointerIsOnThem) {
    Harness h;
    h.change().focus().step = step("position_embedding");
    h.settle();
    for (const char* const map : {"position.tiles", "position.map"}) {
        h.hover(map);
        EXPECT_NE(h.item("readout").text.find("cos"), std::string::npos) << map;
        h.hover("token.3");
        EXPECT_FALSE(h.shows("readout")) << "after " << map;
    }
}

TEST(Prediction, ShowsTheProbabilitiesOfTheTrace) {
    Harness h;
    h.change().focus().step = step("prediction");
    h.settle();
    const auto top = top_predictions(*h.result().trace.head, 5);
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(static_cast<float>(h.item("prediction.class." + std::to_string(i)).value),
                  top[static_cast<std::size_t>(i)].probability);
}

TEST(Gallery, ASampleIsOpenedByClick) {
    Harness h;
    h.tap("top.image");
    h.tap("sample.rocket");
    EXPECT_EQ(h.item("top.image").text, "rocket");
    EXPECT_EQ(h.item("top.0").text, "rocket");
    EXPECT_FALSE(h.shows("dialog"));
}

TEST(Browser, OpensAnImageAndAModelFromAFolder) {
    const TestFolder own;
    const fs::path folder = own.path();
    fs::create_directories(folder / "models" / "mine");
    fs::copy(fs::path(VITRINE_SOURCE) / "tests/ui/images/key.png", folder / "schlüssel.png");
    for (const char* const name : {"config.json", "model.safetensors", "preprocessor_config.json"})
        fs::copy(small_model_folder() / name, folder / "models" / "mine" / name);
    Opening state = Harness::with_image("cat");
    state.state.settings.image_folder = folder.string();
    state.state.settings.model_folder = folder.string();
    Harness h(std::move(state));
    h.press(Key::o);
    EXPECT_EQ(h.item("browser.item.0").text, "models");
    h.tap("browser.item.1");
    EXPECT_EQ(h.item("top.image").text, "schlüssel.png");
    EXPECT_EQ(h.item("top.0").text, "key");
    EXPECT_TRUE(h.shows("foreign")) << "the bundled model knows only what it draws";
    h.press(Key::m);
    h.tap("browser.item.0");
    h.tap("browser.item.0");
    EXPECT_EQ(h.item("top.model").text, "mine");
}

TEST(Drop, AForeignImageShowsTheCardThatItsAnswerMeansNothing) {
    const TestFolder folder;
    const fs::path file = folder / "foreign.ppm";
    std::ofstream(file, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
    Harness h;
    EXPECT_FALSE(h.shows("foreign"));
    h.app->open({file});
    h.settle();
    EXPECT_TRUE(h.shows("foreign"));
    const std::string classes = std::to_string(h.result().model->config.classes) + " classes";
    EXPECT_NE(h.item("foreign").text.find(classes), std::string::npos) << h.item("foreign").text;
    EXPECT_EQ(h.item("foreign").value, 0) << "one line, until it is unfolded";
    h.tap("foreign.fold");
    h.frame(3);
    EXPECT_LT(h.item("foreign.fold").rect.y1, h.item("foreign.words").rect.y0 + 1) << "the words follow their heading";
    EXPECT_LT(h.item("foreign.words").rect.y1, h.item("foreign.help").rect.y0 + 1);
    h.tap("foreign.help");
    EXPECT_EQ(h.item("dialog").text, "dialog.get_model");
    h.press(Key::escape);
    EXPECT_FALSE(h.shows("dialog"));
    h.tap("foreign.own");
    EXPECT_EQ(h.item("dialog").text, "dialog.own");
}

/// A model is opened by jobs: the window stands still for as long as that takes.
TEST(Drop, NothingThatDrawsOpensAModel) {
    for (const char* const folder :
         {"app/frame", "app/dialogs", "app/sessions", "app/exports", "app/rooms", "app/lecture"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(VITRINE_SOURCE) / folder)) {
            if (!entry.is_regular_file()) continue;
            const std::string source = read(entry.path());
            for (const char* const call : {" open_model(", " load_model("})
                EXPECT_EQ(source.find(call), std::string::npos) << call << " in " << entry.path();
        }
}

TEST(Drop, TheCardOfAForeignImageUnfoldsByItselfOnceWithThePrediction) {
    const TestFolder folder;
    const fs::path file = folder / "foreign.ppm";
    std::ofstream(file, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.app->open({file});
    h.settle();
    const float height = h.app->rect_of("top.0").y0 - h.app->rect_of("foreign").y0;
    EXPECT_LT(height, 32) << "one line";
    const auto remedies = [&] { return h.shows("foreign.help") && h.shows("foreign.own"); };
    EXPECT_FALSE(remedies()) << "the panel's words have the room";
    const auto unfolded = [&] { return h.item("foreign").value == 1; };
    go_to(h, "attention");
    EXPECT_FALSE(unfolded());
    go_to(h, "prediction");
    EXPECT_TRUE(unfolded());
    go_to(h, "mlp");
    EXPECT_FALSE(unfolded());
    EXPECT_FALSE(remedies());
    go_to(h, "prediction");
    EXPECT_FALSE(unfolded()) << "it was read";
    EXPECT_TRUE(h.app->state().settings.folded.contains("foreign"));
    h.tap("foreign.fold");
    EXPECT_TRUE(unfolded());
    h.frame(4);
    EXPECT_TRUE(remedies());
    h.expect_readable("the remedies in a low panel");
}

TEST(Drop, TheCardOfAForeignImageHasItsRemediesInSightInAHighPanel) {
    const TestFolder folder;
    const fs::path file = folder / "foreign.ppm";
    std::ofstream(file, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
    Harness h(Harness::with_image("cat"), {1920, 1080});
    h.app->open({file});
    h.settle();
    EXPECT_EQ(h.item("foreign").value, 0);
    for (const char* const remedy : {"foreign.help", "foreign.own"}) EXPECT_TRUE(h.shows(remedy)) << remedy;
}

TEST(TokenStrip, KeepsTheChosenPatchInSightInAWindowOfAnotherSizeAndAgainInTheOldOne) {
    Opening state = Harness::with_image("cat");
    state.experiment.model = {};
    Harness h(std::move(state), {1920, 1080});
    go_to(h, "attention");
    const int last = h.result().model->config.tokens() - 1;
    for (const int token : {60, 120, last}) {
        h.change().focus().token = token;
        h.settle();
        for (const ImVec2 size : {ImVec2{1024, 640}, ImVec2{1920, 1080}, ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
            ImGui::GetIO().DisplaySize = size;
            h.frame(6);
            EXPECT_TRUE(h.shows("token." + std::to_string(token))) << token << " at " << size.x;
        }
    }
}

TEST(TokenStrip, StaysWhereItIsWhenATokenInSightIsClicked) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "attention");
    for (const char* const token : {"token.5", "token.9", "token.0", "token.3"}) {
        const Rect before = h.item(token).rect;
        h.tap(token);
        EXPECT_EQ(h.item(token).rect.x0, before.x0) << token;
    }
}

TEST(Drop, ABadFileIsASentenceAndWhatWasOpenStaysOpen) {
    const TestFolder folder;
    const fs::path file = folder / "vitrine_bad.png";
    std::ofstream(file) << "this is no picture";
    Harness h;
    h.app->open({file});
    h.settle();
    EXPECT_NE(h.app->error().find("vitrine_bad.png"), std::string::npos);
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_TRUE(h.shows("error.close"));
    h.tap("error.close");
    EXPECT_TRUE(h.app->error().empty());
    h.app->open({file.parent_path() / "no_such_model.safetensors"});
    h.settle();
    EXPECT_NE(h.app->error().find("no_such_model"), std::string::npos);
    EXPECT_EQ(h.item("top.model").text, "Pictograms");
}

TEST(App, HelpFindThemeAndScaleAreOneKeyAway) {
    Harness h;
    h.press(Key::f1);
    EXPECT_EQ(h.item("dialog").text, "dialog.help");
    h.tap("dialog.close");
    EXPECT_FALSE(h.shows("dialog"));
    h.press(Key::k, Key::ctrl);
    h.type("rocket");
    h.press(Key::enter);
    EXPECT_EQ(h.item("top.image").text, "rocket");
    EXPECT_FALSE(h.shows("dialog"));
    h.press(Key::t);
    EXPECT_EQ(h.app->theme().kind, ThemeKind::light);
    const float scale = h.app->theme().scale;
    h.press(Key::plus, Key::ctrl);
    EXPECT_GT(h.app->theme().scale, scale);
    h.press(Key::digit_0, Key::ctrl);
    EXPECT_EQ(h.app->theme().scale, scale);
    h.press(Key::q, Key::ctrl);
    EXPECT_TRUE(h.app->wants_to_quit());
}

TEST(App, SectionsFoldAndStayFolded) {
    Harness h;
    EXPECT_TRUE(h.shows("fact.0"));
    h.tap("section.numbers");
    EXPECT_FALSE(h.shows("fact.0"));
    EXPECT_TRUE(h.app->state().settings.folded.contains("numbers"));
    h.tap("section.numbers");
    EXPECT_TRUE(h.shows("fact.0"));
}

TEST(Words, EveryKeyThatTheFrameAsksForExists) {
    for (const ImVec2 size : {ImVec2(1920, 1080), ImVec2(1280, 720)}) {
        Harness h(Harness::with_image("cat"), size);
        for (int i = 0; i < static_cast<int>(curriculum().size()); ++i) {
            h.change().focus().step = i;
            h.settle();
            for (const auto& [id, item] : h.app->probe().items())
                EXPECT_EQ(item.text.find("⟦"), std::string::npos) << id << ": " << item.text;
        }
    }
}

TEST(Map, EveryChosenPlaceIsFilledAlikeInBothThemes) {
    for (const ThemeKind theme : {ThemeKind::dark, ThemeKind::light}) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.theme = theme;
        Harness h(std::move(opening));
        const Color accent = h.app->theme().palette.accent;
        char fill[32];
        std::snprintf(fill, sizeof fill, "fill=\"#%02x%02x%02x\"", accent.r, accent.g, accent.b);
        const auto filled = [&](const char* step) {
            go_to(h, step);
            h.app->record("map");
            h.frame(1);
            const std::string svg = h.app->take_recording();
            int count = 0;
            for (std::size_t at = svg.find(fill); at != std::string::npos; at = svg.find(fill, at + 1)) ++count;
            return count;
        };
        const int others = filled("attention");
        EXPECT_GT(others, 0);
        EXPECT_EQ(filled("position_embedding"), others);
        EXPECT_EQ(filled("mlp"), others);
    }
}

}  // namespace
}  // namespace vitrine
