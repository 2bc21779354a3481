#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/app.h"

namespace vitrine {

/// Draws the application without a display.
struct Drawing {
    int width = 1920, height = 1080;
    double scale = 0;  // 0: as the window of that size would have
};

/// A screen of that size that shows one state after the other; pictures are (height, width, 3), rows from the top.
class Screen {
public:
    /// Throws Error where there is no OpenGL.
    explicit Screen(const Drawing& drawing);
    ~Screen();

    /// Opens what the state names and draws it. Throws Error where it cannot be opened.
    std::vector<std::uint8_t> draw(AppState state);

    /// Lets the runs of the learning mode, which was drawn before, learn for so many seconds of their own.
    void learn(double seconds);

    /// The result behind the last picture, and its words.
    const App& app() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace vitrine
