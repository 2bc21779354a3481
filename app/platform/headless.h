#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

struct ImGuiContext;

namespace vitrine {

/// Draws frames into memory, in its own ImGui context. If there is a window, uses the window's OpenGL context between
/// two of the window's frames; otherwise creates its own one, through EGL and without a surface.
class Headless {
public:
    /// Throws Error without OpenGL 3.3.
    Headless(int width, int height);
    ~Headless();
    Headless(const Headless&) = delete;
    Headless& operator=(const Headless&) = delete;

    /// Makes the contexts of a `Headless` current while it lives, and then restores the previous ones. Textures and
    /// other objects for drawing must be made and destroyed while one lives.
    class Current {
    public:
        explicit Current(Headless& headless);
        ~Current();
        Current(const Current&) = delete;
        Current& operator=(const Current&) = delete;

    private:
        Headless& headless_;
        ImGuiContext* const imgui_before_;
    };

    // Call these while a Current lives.
    /// Runs `frame` between NewFrame and Render and draws the result.
    void draw(const std::function<void()>& frame);
    /// Makes the background transparent, for `pixels_with_alpha`.
    void make_transparent();

    /// Call after fonts have changed.
    void upload_fonts();

    /// The picture, top row first, (height, width, 3).
    std::vector<std::uint8_t> pixels() const;
    /// The picture with straight (not premultiplied) alpha, (height, width, 4).
    std::vector<std::uint8_t> pixels_with_alpha() const;

private:
    void enter();
    void leave();

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace vitrine
