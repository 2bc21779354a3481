#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/platform/window_place.h"

namespace vitrine {

/// A window on the desktop: GLFW, an OpenGL 3.3 context, an ImGui context and its input. It knows nothing of what is
/// drawn.
///
/// Several may be open at once, all on one thread; they share their textures and close in any order.
class Window {
public:
    /// Throws Error where there is no display or no OpenGL 3.3. The new window's contexts are the current ones.
    explicit Window(const WindowPlace& place);
    /// What it drew with may go before or after; another window's contexts become the current ones.
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// What the owner of the frames does, with the window's contexts being the current ones. A hook may open, show and
    /// close other windows, but not destroy its own.
    struct Hooks {
        std::function<void()> before_frame;  // outside ImGui's frame: fonts may change here
        std::function<void()> frame;         // between NewFrame and Render
        std::function<bool()> busy;          // keeps the frames coming
        std::function<void(const std::vector<std::filesystem::path>&)> dropped;
        std::function<bool()> may_close = {};  // where it says no, the window stays; it may always without one
    };

    /// Frames until the window is closed, at most as many as the display shows: after input, while busy, or when woken;
    /// none while nothing happens. The other windows that are shown get theirs meanwhile.
    void run(const Hooks& hooks);
    /// Opens it beside the one that runs; to be shown again once it is closed.
    void show(const Hooks& hooks);
    bool is_open() const;

    void close();
    /// Full screen on the monitor of that name, where there is one, else on the one that shows most of the window; from
    /// full screen back to where it was. It stays full where the focus leaves; where its monitor goes, the window comes
    /// back whole on another.
    void toggle_full_screen(const std::string& monitor = {});
    void fill(const std::string& monitor);
    void leave_full_screen();
    bool is_full_screen() const;
    /// The name of the monitor that shows most of it.
    std::string monitor() const;
    void set_title(const std::string& title);
    void upload_fonts();
    /// Its OpenGL and ImGui contexts become the current ones: to make or remove what it draws outside the hooks.
    void make_current() const;

    /// How often monitors have come or gone.
    static int monitor_changes();
    /// From any thread: draw a frame of every window soon.
    static void wake();

    int width() const;  // in pixels, which are ImGui's units, also where the desktop counts in larger ones (Wayland)
    int height() const;
    float content_scale() const;  // of the monitor: 2 on a high-density one

    /// Where the window is now, to be opened there again; full screen does not count.
    void remember(WindowPlace& place) const;

private:
    static std::vector<Window*>& all();
    static std::optional<double> due();
    static void take_wakes();
    static void wait();
    void listen();
    bool lively() const;
    void step();
    void draw();
    void mind_monitors();

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace vitrine
