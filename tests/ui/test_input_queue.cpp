#include <gtest/gtest.h>
#include <imgui.h>

#include "app/imgui_compat.h"
#include "app/input_queue.h"

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

}  // namespace
}  // namespace vitrine
