#include <gtest/gtest.h>
#include <imgui.h>

#include <vector>

#include "app/platform/imgui_compat.h"
#include "app/platform/input_queue.h"

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
        with_ctrl = with_ctrl || (key_pressed(Key::a) && ctrl_down());
        ImGui::EndFrame();
    }

    ImGuiContext* context = nullptr;
    InputQueue input;
    int presses = 0, clicks = 0;
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

}  // namespace
}  // namespace vitrine
