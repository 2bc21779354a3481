#include "app/platform/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "app/platform/gl.h"
#include "app/platform/glfw.h"
#include "app/platform/imgui_compat.h"
#include "app/platform/input_queue.h"
#include "app/platform/key_presses.h"
#include "app/platform/monitors.h"
#include "core/base/error.h"

namespace vitrine {

namespace {

constexpr int frames_after_event = 5;
constexpr double idle_seconds = 0.25;  // interval at which an idle window checks whether it is busy
constexpr double tooltip_seconds = 2;  // how long after the last event a tooltip may still appear

std::atomic<bool> woken = false;  // set by `wake`, whose empty event triggers no callback
int changes_of_monitors = 0;      // number of monitors added or removed

/// A requested area of a window. A window manager may ignore a request while monitors come and go, or while it is busy.
struct Sent {
    Area to;
    double at = 0;  // time of the last request in seconds
    int asked = 1;
};

/// False on Wayland, which tells no window its place.
bool knows_places() {
#ifdef GLFW_PLATFORM_WAYLAND
    return glfwGetPlatform() != GLFW_PLATFORM_WAYLAND;
#else
    return std::getenv("WAYLAND_DISPLAY") == nullptr;
#endif
}

std::optional<Sent> sent_to(Area to, int asked = 1) {
    return knows_places() ? std::optional(Sent{to, glfwGetTime(), asked}) : std::nullopt;
}

Area place_on_desktop(GLFWwindow* window) {
    Area area;
    glfwGetWindowPos(window, &area.x, &area.y);
    glfwGetWindowSize(window, &area.width, &area.height);
    return area;
}

/// A place on the primary monitor, no larger than it.
Area place_on_a_monitor(int width, int height) {
    const std::vector<Monitor> all = monitors();
    if (all.empty()) return {0, 0, width, height};
    const auto primary = std::find_if(all.begin(), all.end(), [](const Monitor& m) { return m.primary; });
    return centred_in((primary == all.end() ? all.front() : *primary).work, width, height);
}

}  // namespace

struct Window::State {
    Glfw glfw;
    GLFWwindow* window = nullptr;
    ImGuiContext* imgui = nullptr;
    Hooks hooks;
    InputQueue input;
    KeyPresses keys{input};
    std::vector<std::filesystem::path> dropped;
    bool shown = false, full_screen = false;
    bool runs = false;                       // started by `run`: not hidden when closed, since its place is still read
    int frames_wanted = frames_after_event;  // ImGui needs a few frames to settle after an event
    double shortest_frame = 1.0 / 60, last_frame = 0, last_event = 0;  // seconds
    Area before;                                                       // before full screen
    std::optional<Sent> sent;                                          // to or from full screen, a moment ago
    int monitors_seen = 0;                                             // changes of monitors handled so far

    ~State() {
        if (window != nullptr) glfwDestroyWindow(window);
    }
};

/// The open windows in the order of opening.
std::vector<Window*>& Window::all() {
    static std::vector<Window*> windows;
    return windows;
}

Window::Window(const WindowPlace& place) {
    // Checked before GLFW, whose Wayland part prints its own message to stderr.
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr)
        refuse_window("there is no display");
    state_ = std::make_unique<State>();
    State& s = *state_;
    Window* const first = all().empty() ? nullptr : all().front();
    s.window = open_glfw_window(place, first != nullptr ? first->state_->window : nullptr);
    s.shortest_frame = shortest_frame();
    glfwMakeContextCurrent(s.window);
    glfwSwapInterval(first == nullptr ? 1 : 0);  // one window synchronises with the display for all
    if (!gl::load([](const char* name) { return reinterpret_cast<void*>(glfwGetProcAddress(name)); })) {
        if (first != nullptr) first->make_current();
        throw Error("the window needs OpenGL 3.3, of which a function is missing; install the graphics card's driver");
    }
    s.imgui = ImGui::CreateContext();
    ImGui::SetCurrentContext(s.imgui);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(s.window, false);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    listen();
    s.monitors_seen = changes_of_monitors;
    glfwSetMonitorCallback([](GLFWmonitor*, int) { ++changes_of_monitors; });
    all().push_back(this);
}

Window::~Window() {
    make_current();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext(state_->imgui);
    std::erase(all(), this);
    if (!all().empty()) {
        all().front()->make_current();
        glfwSwapInterval(1);
    }
    gl::unload();
}

void Window::make_current() const {
    glfwMakeContextCurrent(state_->window);
    ImGui::SetCurrentContext(state_->imgui);
}

/// Our own callbacks: all events go through the queue, so that ImGui 1.86 loses none.
void Window::listen() {
    GLFWwindow* const w = state_->window;
    glfwSetWindowUserPointer(w, state_.get());
    static const auto state = [](GLFWwindow* window) -> State& {
        State& s = *static_cast<State*>(glfwGetWindowUserPointer(window));
        s.frames_wanted = frames_after_event;
        s.last_event = glfwGetTime();
        return s;
    };
    glfwSetCursorPosCallback(w, [](GLFWwindow* window, double x, double y) {
        const float scale = pixels_per_unit(window);
        state(window).input.move(static_cast<float>(x) * scale, static_cast<float>(y) * scale);
    });
    glfwSetCursorEnterCallback(w, [](GLFWwindow* window, int entered) {
        if (entered == GLFW_FALSE) state(window).input.leave();
    });
    glfwSetMouseButtonCallback(w, [](GLFWwindow* window, int button, int action, int) {
        state(window).input.button(button, action == GLFW_PRESS);
    });
    glfwSetScrollCallback(w, [](GLFWwindow* window, double x, double y) {
        state(window).input.wheel(static_cast<float>(x), static_cast<float>(y));
    });
    glfwSetKeyCallback(w, [](GLFWwindow* window, int number, int scancode, int action, int modifiers) {
        State& s = state(window);
        const int key = place_of_key(number, scancode);
        if (action == GLFW_REPEAT || key < 0) return;
        if (action == GLFW_RELEASE) return s.keys.release(key);
        set_keyboard(Keyboard(names_of_layout()));         // the layout may have changed at any time
        const bool alt = (modifiers & GLFW_MOD_ALT) != 0;  // with Ctrl it is AltGr on some systems
        s.keys.press(key, {!alt && (modifiers & GLFW_MOD_CONTROL) != 0, (modifiers & GLFW_MOD_SHIFT) != 0});
    });
    glfwSetCharCallback(w, [](GLFWwindow* window, unsigned code_point) { state(window).keys.type(code_point); });
    glfwSetDropCallback(w, [](GLFWwindow* window, int count, const char** paths) {
        for (int i = 0; i < count; ++i) state(window).dropped.emplace_back(paths[i]);
    });
    glfwSetFramebufferSizeCallback(w, [](GLFWwindow* window, int, int) { state(window); });
    glfwSetWindowRefreshCallback(w, [](GLFWwindow* window) { state(window); });
    glfwSetWindowFocusCallback(w, [](GLFWwindow* window, int focused) {
        ImGuiContext* const before = ImGui::GetCurrentContext();
        ImGui::SetCurrentContext(state(window).imgui);
        ImGui_ImplGlfw_WindowFocusCallback(window, focused);
        ImGui::SetCurrentContext(before);
    });
}

/// True if the window needs a frame now. Its contexts must be current.
bool Window::needs_frames() const {
    const State& s = *state_;
    return s.frames_wanted > 0 || !s.input.empty() || s.hooks.busy();
}

void Window::handle_wakes() {
    if (!woken.exchange(false)) return;
    for (const Window* const window : all()) window->state_->frames_wanted = frames_after_event;
}

/// Time of the next frame of a window that needs one, in GLFW's seconds; none if no window does.
std::optional<double> Window::due() {
    std::optional<double> first;
    for (const Window* const window : all()) {
        const State& s = *window->state_;
        if (!s.shown) continue;
        window->make_current();
        if (window->needs_frames()) first = std::min(first.value_or(1e30), s.last_frame + s.shortest_frame);
    }
    return first;
}

/// Waits for the next frame: at the display's rate while there is something to show, else for events.
void Window::wait() {
    handle_wakes();
    due() ? glfwPollEvents() : glfwWaitEventsTimeout(idle_seconds);
    handle_wakes();
    const std::optional<double> next = due();
    for (double left; next && (left = *next - glfwGetTime()) > 0;) glfwWaitEventsTimeout(left);
    handle_wakes();
}

/// Draws a frame, if needed.
void Window::step() {
    State& s = *state_;
    if (!s.shown) return;
    make_current();
    if (!is_open() && s.hooks.may_close && !s.hooks.may_close()) {
        glfwSetWindowShouldClose(s.window, GLFW_FALSE);
        s.frames_wanted = frames_after_event;
    }
    if (!is_open()) {
        s.shown = false;
        if (!s.runs) glfwHideWindow(s.window);
        return;
    }
    update_monitors();
    send_again();
    make_current();
    if (!s.dropped.empty()) s.hooks.dropped(std::exchange(s.dropped, {}));
    const bool waits_for_time = ImGui::GetIO().WantTextInput || glfwGetTime() - s.last_event < tooltip_seconds;
    if (!needs_frames() && !waits_for_time) return;
    s.frames_wanted = std::max(0, s.frames_wanted - 1);
    draw();
}

void Window::draw() {
    State& s = *state_;
    s.last_frame = glfwGetTime();
    s.hooks.before_frame();
    make_current();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    const WindowSize size = pixel_size(s.window);
    ImGui::GetIO().DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
    ImGui::GetIO().DisplayFramebufferScale = {1, 1};
    s.input.apply();
    ImGui::NewFrame();
    s.hooks.frame();
    make_current();  // a hook may have opened or closed another window
    ImGui::Render();
    gl::call().Viewport(0, 0, size.width, size.height);
    gl::call().ClearColor(0, 0, 0, 1);
    gl::call().Clear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(s.window);
}

void Window::show(const Hooks& hooks) {
    State& s = *state_;
    s.hooks = hooks;
    s.shown = true;
    s.frames_wanted = frames_after_event;
    glfwSetWindowShouldClose(s.window, GLFW_FALSE);
    glfwShowWindow(s.window);
}

void Window::run(const Hooks& hooks) {
    show(hooks);
    state_->runs = true;
    while (state_->shown) {
        wait();
        for (Window* const window : std::vector<Window*>(all()))
            if (std::find(all().begin(), all().end(), window) != all().end()) window->step();
    }
}

bool Window::is_open() const { return state_->shown && glfwWindowShouldClose(state_->window) == GLFW_FALSE; }

void Window::close() { glfwSetWindowShouldClose(state_->window, GLFW_TRUE); }

void Window::toggle_full_screen(const std::string& monitor) { is_full_screen() ? leave_full_screen() : fill(monitor); }

bool Window::is_full_screen() const { return state_->full_screen; }

std::string Window::monitor() const { return monitor_name_of(state_->window); }

void Window::fill(const std::string& name) {
    State& s = *state_;
    GLFWmonitor* const named = find_monitor(name);
    GLFWmonitor* const monitor = named != nullptr ? named : monitor_of(s.window);
    const GLFWvidmode* const mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr || (s.full_screen && glfwGetWindowMonitor(s.window) == monitor)) return;
    if (!s.full_screen) s.before = s.sent ? s.sent->to : place_on_desktop(s.window);  // it may not be at `to` yet
    Area area{0, 0, mode->width, mode->height};
    glfwGetMonitorPos(monitor, &area.x, &area.y);
    glfwSetWindowPos(s.window, area.x, area.y);  // some window managers use the monitor that contains the window
    glfwSetWindowMonitor(s.window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    s.full_screen = true;
    s.sent = sent_to(area);
    s.frames_wanted = frames_after_event;
}

/// Restores the previous place, or one on another monitor if that is gone.
void Window::leave_full_screen() {
    State& s = *state_;
    if (!s.full_screen) return;
    s.full_screen = false;
    const Area to = can_be_grasped(s.before) ? s.before : place_on_a_monitor(s.before.width, s.before.height);
    glfwSetWindowMonitor(s.window, nullptr, to.x, to.y, to.width, to.height, GLFW_DONT_CARE);
    s.sent = sent_to(to);
    s.frames_wanted = frames_after_event;
}

/// After a change to or from full screen, repeats the request a few times until the window is at its place.
void Window::send_again() {
    State& s = *state_;
    constexpr double patience = 0.5;  // seconds
    constexpr int most = 4;
    if (!s.sent) return;
    if (place_on_desktop(s.window) == s.sent->to) return s.sent.reset();
    if (glfwGetTime() - s.sent->at < patience) return;
    if (s.sent->asked == most) return s.sent.reset();
    const Area to = s.sent->to;
    GLFWmonitor* const monitor = glfwGetWindowMonitor(s.window);
    if (monitor != nullptr) {  // leaves full screen first, else GLFW would do nothing
        glfwSetWindowMonitor(s.window, nullptr, to.x, to.y, s.before.width, s.before.height, GLFW_DONT_CARE);
        glfwSetWindowMonitor(s.window, monitor, 0, 0, to.width, to.height, GLFW_DONT_CARE);
    } else {
        glfwSetWindowPos(s.window, to.x, to.y);
        glfwSetWindowSize(s.window, to.width, to.height);
    }
    s.sent = sent_to(to, s.sent->asked + 1);
    s.frames_wanted = frames_after_event;
}

/// After monitors were added or removed: restores a window that filled or was on a lost one.
void Window::update_monitors() {
    State& s = *state_;
    if (std::exchange(s.monitors_seen, changes_of_monitors) == changes_of_monitors) return;
    s.frames_wanted = frames_after_event;
    s.shortest_frame = shortest_frame();
    if (s.full_screen && glfwGetWindowMonitor(s.window) == nullptr) return leave_full_screen();  // GLFW released it
    const Area now = place_on_desktop(s.window);
    if (s.full_screen || can_be_grasped(now)) return;
    const Area to = place_on_a_monitor(now.width, now.height);
    glfwSetWindowPos(s.window, to.x, to.y);
    glfwSetWindowSize(s.window, to.width, to.height);
}

void Window::set_title(const std::string& title) { glfwSetWindowTitle(state_->window, title.c_str()); }

void Window::upload_fonts() {
    make_current();
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

int Window::monitor_changes() { return changes_of_monitors; }

void Window::wake() {
    woken = true;
    glfwPostEmptyEvent();
}

int Window::width() const { return pixel_size(state_->window).width; }
int Window::height() const { return pixel_size(state_->window).height; }

float Window::content_scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(state_->window, &x, &y);
    return x;
}

void Window::remember(WindowPlace& place) const {
    const State& s = *state_;
    place.maximised = glfwGetWindowAttrib(s.window, GLFW_MAXIMIZED) == GLFW_TRUE;
    if (place.maximised || s.full_screen) return;
    glfwGetWindowPos(s.window, &place.x, &place.y);
    const float scale = std::max(0.5F, content_scale());  // GLFW multiplies the size by it when it opens the window
    place.width = static_cast<int>(std::lround(static_cast<float>(width()) / scale));
    place.height = static_cast<int>(std::lround(static_cast<float>(height()) / scale));
}

}  // namespace vitrine
