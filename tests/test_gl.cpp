#include <gtest/gtest.h>
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/platform/gl.h"
#include "app/platform/headless.h"
#include "app/ui/fonts.h"
#include "app/ui/text.h"
#include "core/base/error.h"

namespace vitrine {
namespace {

TEST(Gl, IsInertWithoutAContext) {
    ASSERT_FALSE(gl::available());
    const std::uint8_t pixel[4] = {1, 2, 3, 4};
    gl::Texture texture(gl::Texture::Format::rgba8, 1, 1, pixel, gl::Texture::Filter::nearest);
    const gl::Shader shader("shaders that", "are not there");
    const gl::RenderTo render(texture);
    shader.use();
    shader.set("value", 1.0F);
    texture.bind(0);
    gl::draw_full_screen();
    EXPECT_EQ(texture.id(), 0U);
    EXPECT_EQ(texture.width(), 1);
}

class WithoutADisplay : public testing::Test {
protected:
    void SetUp() override {
        try {
            screen.emplace(96, 64);
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        current.emplace(*screen);
        build_fonts(theme, text);
        screen->upload_fonts();
    }

    Text text = Text::parse("{}", "none");
    Theme theme;
    std::optional<Headless> screen;
    std::optional<Headless::Current> current;
};

TEST_F(WithoutADisplay, APictureStandsOnItsFeet) {
    screen->draw([] {
        ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, {96, 32}, IM_COL32(255, 0, 0, 255));
        ImGui::GetBackgroundDrawList()->AddRectFilled({0, 32}, {48, 64}, IM_COL32(0, 0, 255, 255));
    });
    const std::vector<std::uint8_t> pixels = screen->pixels();
    const auto at = [&](std::size_t x, std::size_t y) {
        const std::uint8_t* const p = &pixels[(y * 96 + x) * 3];
        return std::vector<int>{p[0], p[1], p[2]};
    };
    ASSERT_EQ(pixels.size(), 96U * 64 * 3);
    EXPECT_EQ(at(1, 1), (std::vector<int>{255, 0, 0}));
    EXPECT_EQ(at(1, 62), (std::vector<int>{0, 0, 255}));
    EXPECT_EQ(at(94, 62), (std::vector<int>{0, 0, 0}));
}

TEST_F(WithoutADisplay, DrawingIntoATextureGivesBackWhatWasThere) {
    const gl::Texture target(gl::Texture::Format::rgba8, 8, 4, nullptr, gl::Texture::Filter::nearest);
    int before[4] = {}, inside[4] = {}, after[4] = {};
    gl::call().GetIntegerv(GL_VIEWPORT, before);
    {
        const gl::RenderTo render(target);
        gl::call().GetIntegerv(GL_VIEWPORT, inside);
    }
    gl::call().GetIntegerv(GL_VIEWPORT, after);
    EXPECT_EQ(inside[2], 8);
    EXPECT_EQ(inside[3], 4);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(after[i], before[i]);
}

TEST_F(WithoutADisplay, AnotherOneDrawsInTheSameContextAndGivesBackWhatWasThere) {
    int frame_buffer = 0, viewport[4] = {}, buffer_after = 0, viewport_after[4] = {};
    gl::call().GetIntegerv(GL_FRAMEBUFFER_BINDING, &frame_buffer);
    gl::call().GetIntegerv(GL_VIEWPORT, viewport);
    const ImGuiContext* const imgui = ImGui::GetCurrentContext();
    std::vector<std::uint8_t> pixels;
    {
        Headless other(10, 6);
        EXPECT_EQ(ImGui::GetCurrentContext(), imgui);
        const Headless::Current inside(other);
        EXPECT_NE(ImGui::GetCurrentContext(), imgui);
        Theme own;
        build_fonts(own, text);
        other.upload_fonts();
        other.draw([] { ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, {10, 6}, IM_COL32(0, 255, 0, 255)); });
        pixels = other.pixels();
    }
    ASSERT_EQ(pixels.size(), 10U * 6 * 3);
    EXPECT_EQ(pixels[1], 255);
    gl::call().GetIntegerv(GL_FRAMEBUFFER_BINDING, &buffer_after);
    gl::call().GetIntegerv(GL_VIEWPORT, viewport_after);
    EXPECT_EQ(ImGui::GetCurrentContext(), imgui);
    EXPECT_EQ(buffer_after, frame_buffer);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(viewport_after[i], viewport[i]);
}

TEST_F(WithoutADisplay, WithoutItsContextsBeingCurrentThereAreNone) {
    EXPECT_TRUE(gl::available());
    current.reset();
    EXPECT_FALSE(gl::available());
    EXPECT_EQ(ImGui::GetCurrentContext(), nullptr);
    current.emplace(*screen);
    screen->draw([] { ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, {96, 64}, IM_COL32(0, 0, 255, 255)); });
    EXPECT_EQ(screen->pixels()[2], 255) << "what was uploaded is still there";
}

TEST_F(WithoutADisplay, ATextureIsMovedNotCopied) {
    const float value = 1;
    gl::Texture one(gl::Texture::Format::r32f, 1, 1, &value, gl::Texture::Filter::nearest);
    const unsigned id = one.id();
    gl::Texture other = std::move(one);
    EXPECT_NE(id, 0U);
    EXPECT_EQ(other.id(), id);
}

}  // namespace
}  // namespace vitrine
