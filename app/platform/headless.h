#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace vitrine {

/// A frame drawn without any display: OpenGL through EGL, surfaceless, into memory.
class Headless {
public:
    /// Throws Error without OpenGL 3.3.
    Headless(int width, int height);
    ~Headless();
    Headless(const Headless&) = delete;
    Headless& operator=(const Headless&) = delete;

    /// Runs `frame` between NewFrame and Render and draws the result.
    void draw(const std::function<void()>& frame);
    /// Nothing is behind what is drawn: `pixels_with_alpha` sees through.
    void make_transparent();

    /// Call after fonts have changed.
    void upload_fonts();

    /// The picture, top row first, (height, width, 3).
    std::vector<std::uint8_t> pixels() const;
    /// With straight alpha, (height, width, 4).
    std::vector<std::uint8_t> pixels_with_alpha() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace vitrine
