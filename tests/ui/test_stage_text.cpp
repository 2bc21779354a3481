#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <span>
#include <string>

#include "app/exports/stage_text.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "tests/ui/harness.h"
#include "tests/ui/laboratory_room.h"
#include "tests/ui/text_room.h"

// What a screen reader says of the stage, on the clipboard.

namespace vitrine {
namespace {

std::string copied() {
    const char* const words = ImGui::GetClipboardText();
    return words == nullptr ? std::string() : words;
}

TEST(StageText, HasTitleSentenceNumbersChangesAndPredictionOfEveryStep) {
    Harness h;
    h.change()->what_ifs = {remove_head(1, 0)};
    for (const std::string& language : language_codes()) {
        h.change()->settings.language = language;
        for (const Step& step : curriculum()) {
            go_to(h, step.id);
            const std::string words = stage_text(h.app->context());
            EXPECT_EQ(words.rfind(h.app->text()(key_of(step, "title")) + "\n", 0), 0U) << words;
            for (const char* const role : {"query", "key", "value", "strong", "muted", "accent", "sup", "sub", "cite"})
                EXPECT_EQ(words.find("{" + std::string(role) + "|"), std::string::npos) << "markup: " << words;
            EXPECT_NE(words.find("\n" + h.app->text()("section.numbers") + "\n"), std::string::npos) << step.id;
            EXPECT_NE(words.find(h.item("removal.0").text), std::string::npos) << step.id;
            EXPECT_NE(words.find(" → "), std::string::npos) << step.id;
        }
    }
}

TEST(StageText, WritesScriptsInPlainLetters) {
    Harness h;
    go_to(h, "qkv");
    EXPECT_NE(stage_text(h.app->context()).find("W_Q, W_K, W_V: "), std::string::npos);
    go_to(h, "attention");
    EXPECT_NE(stage_text(h.app->context()).find("e^H: "), std::string::npos);
}

TEST(StageText, HasNumbersOfEveryInstrument) {
    for (const auto& [instrument, name] : instrument_names) {
        if (instrument == Instrument::words) continue;  // this model has no text tower
        Harness h(laboratory(instrument));
        const std::string words = stage_text(h.app->context());
        const std::size_t at = words.find("\n" + h.app->text()("section.numbers") + "\n");
        ASSERT_NE(at, std::string::npos) << name << ": " << words;
        const std::string numbers = words.substr(at, words.find("\n\n", at + 1) - at);
        EXPECT_TRUE(std::ranges::any_of(numbers, [](char c) { return c >= '0' && c <= '9'; })) << name;
        EXPECT_LT(std::ranges::count(numbers, '\n'), 64) << name << ": larger tables in short";
    }
    Harness h(laboratory(Instrument::heads));
    const std::span<const float> row = attention_row(*h.result().trace.block(1), 0, h.focus().token);
    EXPECT_NE(stage_text(h.app->context()).find(full_text(static_cast<double>(std::ranges::max(row)))),
              std::string::npos)
        << stage_text(h.app->context());
}

TEST(StageText, ThereIsNoneOfRunsInTraining) {
    Harness h;
    h.press(Key::f4);
    h.carry_out(command::Do{"copy_text"});
    EXPECT_EQ(stage_text(h.app->context()), "");
}

TEST(StageText, HasTheModelsOwnSentence) {
    Opening opening = Harness::with_image("cat");
    opening.experiment.model = {};
    opening.experiment.model.path = std::filesystem::path(VITRINE_SOURCE) / "tests/golden/blocks/rotary";
    Harness h(std::move(opening));
    go_to(h, "position_embedding");
    EXPECT_NE(stage_text(h.app->context()).find("queries and keys are turned"), std::string::npos)
        << stage_text(h.app->context());
}

TEST(StageText, TellsTheNumbersInFull) {
    Harness h;
    go_to(h, "scores");
    const std::string words = stage_text(h.app->context());
    EXPECT_NE(words.find("√d: "), std::string::npos) << words;
    EXPECT_NE(words.find(h.item("prediction.line").text), std::string::npos) << words;
}

TEST(StageText, IsCopiedByKeyAndByTheFinder) {
    Harness h;
    go_to(h, "attention");
    h.input.key(glfw_number(Key::shift), true);
    h.press(Key::c, Key::ctrl);
    h.input.key(glfw_number(Key::shift), false);
    h.frame(2);
    EXPECT_EQ(copied(), stage_text(h.app->context()));
    EXPECT_EQ(h.item("notice").text, h.app->text()("export.text_copied"));
    ImGui::SetClipboardText("");
    h.press(Key::k, Key::ctrl);
    h.type("screen reader");
    h.press(Key::enter);
    EXPECT_EQ(copied(), stage_text(h.app->context()));
}

TEST(StageText, IsThereForTextsAndInstruments) {
    Harness h(in_the_text_room());
    const std::string words = stage_text(h.app->context());
    EXPECT_NE(words.find(h.item("text.said").text), std::string::npos) << words;
    h.press(Key::f3);
    h.settle();
    EXPECT_FALSE(stage_text(h.app->context()).empty());
}

}  // namespace
}  // namespace vitrine
