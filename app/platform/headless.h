#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

struct ImGuiContext;

namespace vitrine {

/// Frames drawn into memory, in an ImGui context of their own. Where there is a window, its OpenGL context draws them
/// between two of its frames; else they have a context of their own, through EGL and without a surface.
class Headless {
public:
    /// Throws Error without OpenGL 3.3.
    Headless(int width, int height);
    ~Headless();
    Headless(const Headless&) = delete;
    Headless& operator=(const Headless&) = delete;

    /// While it lives, the contexts of the frames are current; afterwards the previous ones are. Textures and other
    /// objects for drawing must be made and destroyed while one lives.
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
    /// With straight alpha, (height, width, 4).
    std::vector<std::uint8_t> pixels_with_alpha() const;

private:
    void enter();
    void leave();

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace vitrine
