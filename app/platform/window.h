#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/platform/window_place.h"

namespace vitrine {

/// The window on the desktop: GLFW, an OpenGL 3.3 context, ImGui and its input. It knows nothing of what is drawn.
class Window {
public:
    /// Throws Error where there is no display or no OpenGL 3.3.
    explicit Window(const WindowPlace& place);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// What the owner of the frames does.
    struct Hooks {
        std::function<void()> before_frame;  // outside ImGui's frame: fonts may change here
        std::function<void()> frame;         // between NewFrame and Render
        std::function<bool()> busy;          // keeps the frames coming
        std::function<void(const std::vector<std::filesystem::path>&)> dropped;
    };

    /// Frames until the window is closed, at most as many as the display shows: after input, while busy, or when woken;
    /// none while nothing happens.
    void run(const Hooks& hooks);

    void close();
    void toggle_full_screen();
    void set_title(const std::string& title);
    void upload_fonts();

    /// From any thread: draw a frame soon.
    static void wake();

    int width() const;  // in pixels, which are ImGui's units, also where the desktop counts in larger ones (Wayland)
    int height() const;
    float content_scale() const;  // of the monitor: 2 on a high-density one

    /// Where the window is now, to be opened there again; full screen does not count.
    void remember(WindowPlace& place) const;

private:
    void listen();
    void wait(bool lively);
    void draw(const Hooks& hooks);

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace vitrine
