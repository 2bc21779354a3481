#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/platform/window_place.h"

namespace vitrine {

/// A window on the desktop: GLFW, an OpenGL 3.3 context, an ImGui context and its input. It knows nothing of its
/// content.
///
/// Several may be open at once, all on one thread; they share textures and close in any order.
class Window {
public:
    /// Throws Error if there is no display or no OpenGL 3.3. The new window's contexts become current.
    explicit Window(const WindowPlace& place);
    /// Textures and other drawing objects may be destroyed before or after the window. Another window's contexts become
    /// current.
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Callbacks, run with the window's contexts current. They may open, show and close other windows, but not destroy
    /// their own.
    struct Hooks {
        std::function<void()> before_frame;  // outside ImGui's frame: fonts may change here
        std::function<void()> frame;         // between NewFrame and Render
        std::function<bool()> busy;          // whether to keep drawing frames without input
        std::function<void(const std::vector<std::filesystem::path>&)> dropped;
        std::function<bool()> may_close =
            {};  // the window stays open if it returns false; without one, it may always close
    };

    /// Draws frames until the window is closed, at most at the display's rate: after input, while busy, or when woken.
    /// Draws the other shown windows' frames, too.
    void run(const Hooks& hooks);
    /// Opens the window in addition to the running one; it can be shown again after it is closed.
    void show(const Hooks& hooks);
    bool is_open() const;

    void close();
    /// Fills the monitor of that name, if there is one, otherwise the one that shows most of the window; a full-screen
    /// window returns to its previous place instead. It stays full screen without the focus; if its monitor is removed,
    /// the window leaves full screen and appears on another.
    void toggle_full_screen(const std::string& monitor = {});
    void fill(const std::string& monitor);
    void leave_full_screen();
    bool is_full_screen() const;
    /// The name of the monitor that shows most of the window.
    std::string monitor() const;
    void set_title(const std::string& title);
    void upload_fonts();
    /// Makes its OpenGL and ImGui contexts current, to create or destroy drawing objects outside the callbacks.
    void make_current() const;

    /// The number of times that a monitor was added or removed.
    static int monitor_changes();
    /// Requests a frame of every window; any thread may call it.
    static void wake();

    int width() const;  // in pixels, ImGui's units, even if the desktop uses larger ones (Wayland)
    int height() const;
    float content_scale() const;  // of the monitor: 2 on a high-density one

    /// The window's place, for the next start; ignores full screen.
    void remember(WindowPlace& place) const;

private:
    static std::vector<Window*>& all();
    static std::optional<double> due();
    static void handle_wakes();
    static void wait();
    void listen();
    bool needs_frames() const;
    void step();
    void draw();
    void update_monitors();
    void send_again();

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace vitrine
