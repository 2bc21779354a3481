#include <gtest/gtest.h>
#include <imgui.h>

#include <string>
#include <utility>
#include <vector>

#include "app/platform/imgui_compat.h"
#include "app/platform/input_queue.h"
#include "app/platform/key_presses.h"

namespace vitrine {
namespace {

class Queue : public testing::Test {
protected:
    void SetUp() override {
        context = ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().DisplaySize = {640, 480};
        ImGui::GetIO().DeltaTime = 1.0F / 60;
        ImGui::GetIO().Fonts->AddFontDefault();
        set_up_keys();
        use_null_renderer();
    }
    void TearDown() override { ImGui::DestroyContext(context); }

    void frame() {
        input.apply();
        ImGui::NewFrame();
        presses += key_pressed(Key::right) ? 1 : 0;
        clicks += ImGui::IsMouseClicked(0) ? 1 : 0;
        double_clicks += ImGui::IsMouseDoubleClicked(0) ? 1 : 0;
        with_ctrl = with_ctrl || (key_pressed(Key::a) && ctrl_down());
        ImGui::EndFrame();
    }

    void press(Key key) {
        input.key(glfw_number(key), true);
        input.key(glfw_number(key), false);
    }

    /// Frames until nothing waits; -1 where that takes more than 10,000.
    int frames_to_drain() {
        for (int frames = 0; frames <= 10000; ++frames) {
            if (input.empty()) return frames;
            frame();
        }
        return -1;
    }

    ImGuiContext* context = nullptr;
    double now = 0;  // seconds
    InputQueue input{[this] { return now; }};
    int presses = 0, clicks = 0, double_clicks = 0;
    bool with_ctrl = false;
};

TEST_F(Queue, LosesNoKeyThatGoesDownAndUpWithinOneFrame) {
    for (int i = 0; i < 20; ++i) {
        input.key(glfw_number(Key::right), true);
        input.key(glfw_number(Key::right), false);
    }
    for (int i = 0; i < 60; ++i) frame();
    EXPECT_EQ(presses, 20);
}

TEST_F(Queue, LosesNoClick) {
    input.move(10, 10);
    for (int i = 0; i < 4; ++i) {
        input.button(0, true);
        input.button(0, false);
    }
    for (int i = 0; i < 20; ++i) frame();
    EXPECT_EQ(clicks, 4);
}

TEST_F(Queue, ADoubleClickIsQuickInTheHandHoweverSlowTheFrames) {
    ImGui::GetIO().DeltaTime = 0.5F;
    const auto click_after = [&](double seconds) {
        now += seconds;
        input.button(0, true);
        input.button(0, false);
    };
    input.move(10, 10);
    click_after(5);
    click_after(0.2);
    for (int i = 0; i < 8; ++i) frame();
    EXPECT_EQ(clicks, 2);
    EXPECT_EQ(double_clicks, 1);
    click_after(5);
    click_after(0.8);
    for (int i = 0; i < 8; ++i) frame();
    EXPECT_EQ(clicks, 4);
    EXPECT_EQ(double_clicks, 1) << "these were two";
}

TEST_F(Queue, KeepsAModifierDownWhileItsKeyIsPressed) {
    input.key(glfw_number(Key::ctrl), true);
    input.key(glfw_number(Key::a), true);
    input.key(glfw_number(Key::a), false);
    input.key(glfw_number(Key::ctrl), false);
    for (int i = 0; i < 10; ++i) frame();
    EXPECT_TRUE(with_ctrl);
    EXPECT_FALSE(ctrl_down());
}

TEST_F(Queue, TypesCharactersInTheirOrder) {
    for (const unsigned letter : {0x56U, 0xE9U, 0x5199U}) input.character(letter);
    std::vector<unsigned> typed;
    while (!input.empty()) {
        input.apply();
        const ImVector<ImWchar>& letters = ImGui::GetIO().InputQueueCharacters;
        ImGui::NewFrame();
        for (const ImWchar letter : letters) typed.push_back(letter);
        ImGui::EndFrame();
    }
    EXPECT_EQ(typed, (std::vector<unsigned>{0x56, 0xE9, 0x5199}));
}

TEST_F(Queue, MovesBeforeItPresses) {
    input.move(10, 10);
    input.button(0, true);
    input.move(90, 90);
    input.button(0, false);
    frame();
    EXPECT_EQ(clicks, 1);
    EXPECT_EQ(ImGui::GetIO().MousePos.x, 10);
    for (int i = 0; i < 4; ++i) frame();
    EXPECT_EQ(ImGui::GetIO().MousePos.x, 90);
    EXPECT_FALSE(ImGui::IsMouseDown(0));
}

TEST_F(Queue, APointerThatLeavesIsOverNothing) {
    input.move(10, 10);
    frame();
    EXPECT_TRUE(ImGui::IsMousePosValid());
    input.leave();
    frame();
    EXPECT_FALSE(ImGui::IsMousePosValid());
}

TEST_F(Queue, ADragGoesOnOutsideTheWindow) {
    input.move(600, 10);
    input.button(0, true);
    for (int i = 0; i < 2; ++i) frame();
    input.leave();
    frame();
    EXPECT_EQ(ImGui::GetIO().MousePos.x, 600);
    input.move(700, 10);
    frame();
    EXPECT_EQ(ImGui::GetIO().MousePos.x, 700);
    EXPECT_TRUE(ImGui::IsMouseDown(0));
}

TEST_F(Queue, AtLowFrameRatesOldPressesAreNotReplayed) {
    for (int i = 0; i < 600; ++i) {  // a minute of ten presses a second, while one frame is drawn
        input.move(static_cast<float>(i), 10);
        press(Key::right);
        input.wheel(0, 1);
        now += 0.1;
    }
    EXPECT_LE(frames_to_drain(), 40);
    EXPECT_GE(presses, 4);
    EXPECT_LE(presses, 20);
    const int before = presses;
    press(Key::right);
    EXPECT_GE(frames_to_drain(), 0);
    EXPECT_EQ(presses, before + 1) << "the key was up";
}

TEST_F(Queue, DrainsInABoundedNumberOfFramesWhateverWasPressed) {
    for (int i = 0; i < 5000; ++i) {
        input.key(glfw_number(Key::ctrl), true);
        press(Key::right);
        input.key(glfw_number(Key::ctrl), false);
        input.move(static_cast<float>(i), 10);
        input.button(0, true);
        input.button(0, false);
        input.wheel(0, 1);
        input.character('x');
    }
    const int frames = frames_to_drain();
    EXPECT_GE(frames, 0);
    EXPECT_LE(frames, 300);
    EXPECT_EQ(ImGui::GetIO().MousePos.x, 4999);
    EXPECT_FALSE(ctrl_down());
    EXPECT_FALSE(ImGui::IsMouseDown(0));
}

TEST_F(Queue, WhatIsStillHeldStaysHeldHoweverOldItIs) {
    input.key(glfw_number(Key::shift), true);
    input.button(0, true);
    for (int i = 0; i < 100; ++i) press(Key::right);
    now += 60;
    ASSERT_GE(frames_to_drain(), 0);
    EXPECT_TRUE(shift_down());
    EXPECT_TRUE(ImGui::IsMouseDown(0));
}

TEST_F(Queue, AKeyIsNeverPartedFromItsModifier) {
    int without = 0;
    for (int i = 0; i < 100; ++i) {
        input.key(glfw_number(Key::ctrl), true);
        press(Key::a);
        input.key(glfw_number(Key::ctrl), false);
    }
    now += 60;
    while (!input.empty()) {
        frame();
        without += key_pressed(Key::a) && !ctrl_down() ? 1 : 0;
    }
    EXPECT_TRUE(with_ctrl);
    EXPECT_EQ(without, 0);
}

TEST_F(Queue, PointerMovesAloneTakeOneFrame) {
    for (int i = 0; i < 1000; ++i) input.move(static_cast<float>(i), 10);
    EXPECT_EQ(frames_to_drain(), 1);
    EXPECT_EQ(ImGui::GetIO().MousePos.x, 999);
}

TEST_F(Queue, TextIsTypedWholeHoweverSlowTheFrames) {
    const std::string text = "a sentence that is typed while the machine is busy";
    for (const char letter : text) {
        const int key = letter == ' ' ? ' ' : letter - 'a' + 'A';
        input.key(key, true);
        input.character(static_cast<unsigned>(letter));
        input.move(static_cast<float>(now), 5);
        input.key(key, false);
        now += 0.2;
    }
    std::string typed;
    int frames = 0;
    for (; !input.empty() && frames < 1000; ++frames) {
        ImGui::GetIO().WantTextInput = true;  // as an active field has left it
        input.apply();
        for (const ImWchar letter : ImGui::GetIO().InputQueueCharacters) typed += static_cast<char>(letter);
        ImGui::NewFrame();
        ImGui::EndFrame();
    }
    EXPECT_EQ(typed, text);
    EXPECT_LE(frames, 30);
}

TEST_F(Queue, EnterStaysBetweenTheLettersAroundItHoweverFastTheyAreTyped) {
    input.character('0');
    input.key(glfw_number(Key::enter), true);
    input.character('1');  // before Enter goes up
    input.key(glfw_number(Key::enter), false);
    std::string typed;
    while (!input.empty()) {
        ImGui::GetIO().WantTextInput = true;
        input.apply();
        for (const ImWchar letter : ImGui::GetIO().InputQueueCharacters) typed += static_cast<char>(letter);
        ImGui::NewFrame();
        if (key_pressed(Key::enter)) typed += '\n';  // a field takes a frame's characters first
        ImGui::EndFrame();
    }
    EXPECT_EQ(typed, "0\n1");
}

TEST_F(Queue, NoEnterIsLostFromATextHoweverSlowTheFrames) {
    for (int i = 0; i < 20; ++i) {
        input.character('a');
        press(Key::enter);
        now += 0.5;
    }
    int lines = 0;
    while (!input.empty()) {
        ImGui::GetIO().WantTextInput = true;
        input.apply();
        ImGui::NewFrame();
        lines += key_pressed(Key::enter) ? 1 : 0;
        ImGui::EndFrame();
    }
    EXPECT_EQ(lines, 20);
}

TEST_F(Queue, AKeyThatTurnsOutToBeAnotherIsTakenBack) {
    input.key(glfw_number(Key::right), true);
    input.take_back_key(glfw_number(Key::left));
    input.take_back_key(glfw_number(Key::right));
    EXPECT_TRUE(input.empty());
}

/// What the window's callbacks tell, with the layout that is on.
class Presses : public Queue {
protected:
    void TearDown() override {
        set_keyboard(Keyboard());
        Queue::TearDown();
    }
    static void use(std::initializer_list<std::pair<const int, std::string>> differences) {
        KeyNames names = us_key_names();
        for (const auto& [place, name] : differences) names[place] = name;
        set_keyboard(Keyboard(names));
    }
    bool pressed(Key key) {
        bool seen = false;
        while (!input.empty()) {
            frame();
            seen = seen || key_pressed(key);
        }
        return seen;
    }

    KeyPresses keys{input};
};

TEST_F(Presses, TheLetterOnTheKeyCountsNotItsPlace) {
    use({{'Q', "a"}, {'A', "q"}});
    keys.press(glfw_number(Key::ctrl), {});
    keys.press('Q', {true, false});
    EXPECT_TRUE(pressed(Key::a));
    EXPECT_TRUE(with_ctrl);
}

TEST_F(Presses, AKeyGoesUpAsTheOneThatWentDownThoughTheLayoutHasChanged) {
    use({{'Y', "z"}, {'Z', "y"}});
    keys.press('Y', {});
    EXPECT_TRUE(pressed(Key::z));
    set_keyboard(Keyboard());
    keys.release('Y');
    frame();
    keys.press('Z', {});
    EXPECT_TRUE(pressed(Key::z)) << "it was up";
}

TEST_F(Presses, ASignThatNeedsShiftIsKnownByWhatItTypes) {
    use({{',', ";"}, {'.', ":"}});
    keys.press(glfw_number(Key::shift), {});
    keys.press(',', {false, true});
    keys.type('.');
    keys.release(',');
    EXPECT_TRUE(pressed(Key::period));
    keys.press('1', {});
    keys.type('1');
    EXPECT_TRUE(pressed(Key::digit_1));
}

TEST_F(Presses, OfTwoCtrlKeysTheSecondHoldsOn) {
    constexpr int left_ctrl = 341, right_ctrl = 345;
    keys.press(left_ctrl, {});
    keys.press(right_ctrl, {});
    keys.release(left_ctrl);
    while (!input.empty()) frame();
    EXPECT_TRUE(ctrl_down());
    keys.release(right_ctrl);
    while (!input.empty()) frame();
    EXPECT_FALSE(ctrl_down());
}

}  // namespace
}  // namespace vitrine
