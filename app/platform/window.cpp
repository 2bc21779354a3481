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
#include <utility>

#include "app/platform/gl.h"
#include "app/platform/imgui_compat.h"
#include "app/platform/input_queue.h"
#include "core/error.h"

namespace vitrine {

struct Window::State {
    GLFWwindow* window = nullptr;
    InputQueue input;
    std::vector<std::filesystem::path> dropped;
    int frames_wanted = 3;  // ImGui needs a few frames to settle after an event
    double shortest_frame = 1.0 / 60, last_frame = 0, last_event = 0;  // seconds
    bool full_screen = false;
    int x = 0, y = 0, width = 0, height = 0;  // before full screen
};

namespace {

constexpr int frames_after_event = 3;
constexpr double idle_seconds = 0.25;  // how often a quiet window looks whether it is busy after all
constexpr double tooltip_seconds = 2;  // after the last event nothing new comes up by itself

std::atomic<bool> woken = false;  // an empty event reaches no callback

/// GLFW's last complaint, for the sentence.
std::string glfw_reason() {
    const char* words = nullptr;
    glfwGetError(&words);
    return words != nullptr ? words : "unknown reason";
}

[[noreturn]] void refuse(const std::string& why) {
    throw Error("the window cannot be opened (" + why +
                "); run it in a desktop session, or use vitrine trace and vitrine snapshot, which need no display");
}

/// The grid of the logo, drawn by code.
void set_icon(GLFWwindow* window) {
    constexpr int side = 64, cells = 4, cell = side / cells;
    std::vector<unsigned char> pixels(side * side * 4);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const int row = y / cell, column = x / cell;
            const bool gap = x % cell < 2 || y % cell < 2,
                       bright = (row == 1 || row == 2) && (column == 1 || column == 2);
            const unsigned char color[] = {
                static_cast<unsigned char>(bright ? 255 : 110), static_cast<unsigned char>(bright ? 200 : 168),
                static_cast<unsigned char>(bright ? 87 : 254), static_cast<unsigned char>(gap ? 0 : 255)};
            std::copy_n(color, 4, &pixels[static_cast<std::size_t>((y * side + x) * 4)]);
        }
    const GLFWimage icon{side, side, pixels.data()};
    glfwSetWindowIcon(window, 1, &icon);
}

struct Size {
    int width = 0, height = 0;
};

Size window_size(GLFWwindow* window) {
    Size size;
    glfwGetWindowSize(window, &size.width, &size.height);
    return size;
}

Size pixel_size(GLFWwindow* window) {
    Size size;
    glfwGetFramebufferSize(window, &size.width, &size.height);
    return size;
}

/// Pixels in one of the desktop's units: 1 on X11, the monitor's scale on Wayland.
float pixels_per_unit(GLFWwindow* window) {
    const int units = window_size(window).width, pixels = pixel_size(window).width;
    return units > 0 && pixels > 0 ? static_cast<float>(pixels) / static_cast<float>(units) : 1.0F;
}

/// A little less than the fastest display's frame, so that waiting never misses one.
double shortest_frame() {
    int count = 0, rate = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i)
        if (const GLFWvidmode* const mode = glfwGetVideoMode(monitors[i]); mode != nullptr)
            rate = std::max(rate, mode->refreshRate);
    return 0.9 / (rate > 0 ? rate : 60);
}

/// The monitor that shows most of the window; none without monitors.
GLFWmonitor* monitor_of(GLFWwindow* window) {
    int x = 0, y = 0, count = 0;
    glfwGetWindowPos(window, &x, &y);
    const Size size = window_size(window);
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    int most = 0;
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* const mode = glfwGetVideoMode(monitors[i]);
        if (mode == nullptr) continue;
        const int wide = std::min(x + size.width, left + mode->width) - std::max(x, left);
        const int high = std::min(y + size.height, top + mode->height) - std::max(y, top);
        if (wide > 0 && high > 0 && wide * high > most) {
            most = wide * high;
            best = monitors[i];
        }
    }
    return best;
}

/// Whether the remembered place is still on some monitor.
bool is_visible(int x, int y, int width) {
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0, w = 0, h = 0;
        glfwGetMonitorWorkarea(monitors[i], &left, &top, &w, &h);
        constexpr int grip = 100;
        if (x + width > left + grip && x < left + w - grip && y >= top - 10 && y < top + h - grip) return true;
    }
    return false;
}

}  // namespace

Window::Window(const WindowPlace& place) : state_(std::make_unique<State>()) {
    // Asked before GLFW, whose Wayland half has words of its own for this on stderr.
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) refuse("there is no display");
    glfwSetErrorCallback(nullptr);
    if (glfwInit() == GLFW_FALSE) refuse(glfw_reason());
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_MAXIMIZED, place.maximised ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    State& s = *state_;
    s.window = glfwCreateWindow(place.width, place.height, "Vitrine", nullptr, nullptr);
    if (s.window == nullptr) {
        const std::string reason = glfw_reason();
        glfwTerminate();
        throw Error("the window needs OpenGL 3.3 (" + reason +
                    "); install the package libgl1-mesa-dri or the graphics card's driver");
    }
    glfwSetWindowSizeLimits(s.window, 800, 500, GLFW_DONT_CARE, GLFW_DONT_CARE);
    if (place.x != WindowPlace::anywhere && is_visible(place.x, place.y, place.width))
        glfwSetWindowPos(s.window, place.x, place.y);
    s.shortest_frame = shortest_frame();
    set_icon(s.window);
    glfwMakeContextCurrent(s.window);
    glfwSwapInterval(1);
    if (!gl::load([](const char* name) { return reinterpret_cast<void*>(glfwGetProcAddress(name)); })) {
        glfwTerminate();
        throw Error("the window needs OpenGL 3.3, of which a function is missing; install the graphics card's driver");
    }
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(s.window, false);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    listen();
}

Window::~Window() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    gl::unload();
    glfwDestroyWindow(state_->window);
    glfwTerminate();
}

/// Our own callbacks: everything goes through the queue, so that nothing is lost on ImGui 1.86.
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
    glfwSetKeyCallback(w, [](GLFWwindow* window, int key, int, int action, int) {
        State& s = state(window);
        if (action != GLFW_REPEAT && key >= 0) s.input.key(key, action == GLFW_PRESS);
    });
    glfwSetCharCallback(w, [](GLFWwindow* window, unsigned code_point) { state(window).input.character(code_point); });
    glfwSetDropCallback(w, [](GLFWwindow* window, int count, const char** paths) {
        for (int i = 0; i < count; ++i) state(window).dropped.emplace_back(paths[i]);
    });
    glfwSetFramebufferSizeCallback(w, [](GLFWwindow* window, int, int) { state(window); });
    glfwSetWindowRefreshCallback(w, [](GLFWwindow* window) { state(window); });
    glfwSetWindowFocusCallback(w, [](GLFWwindow* window, int focused) {
        state(window);
        ImGui_ImplGlfw_WindowFocusCallback(window, focused);
    });
}

/// Until the next frame is due: at the display's rate while there is something to show, else when something happens.
void Window::wait(bool lively) {
    State& s = *state_;
    lively ? glfwPollEvents() : glfwWaitEventsTimeout(idle_seconds);
    for (double left; (left = s.last_frame + s.shortest_frame - glfwGetTime()) > 0;) glfwWaitEventsTimeout(left);
    if (woken.exchange(false)) s.frames_wanted = frames_after_event;
}

void Window::draw(const Hooks& hooks) {
    State& s = *state_;
    s.last_frame = glfwGetTime();
    hooks.before_frame();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    const Size size = pixel_size(s.window);
    ImGui::GetIO().DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
    ImGui::GetIO().DisplayFramebufferScale = {1, 1};
    s.input.apply();
    ImGui::NewFrame();
    hooks.frame();
    ImGui::Render();
    gl::call().Viewport(0, 0, size.width, size.height);
    gl::call().ClearColor(0, 0, 0, 1);
    gl::call().Clear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(s.window);
}

void Window::run(const Hooks& hooks) {
    State& s = *state_;
    glfwShowWindow(s.window);
    while (glfwWindowShouldClose(s.window) == GLFW_FALSE) {
        const auto lively = [&] { return s.frames_wanted > 0 || !s.input.empty() || hooks.busy(); };
        wait(lively());
        if (!s.dropped.empty()) hooks.dropped(std::exchange(s.dropped, {}));
        const bool waits_for_time = ImGui::GetIO().WantTextInput || glfwGetTime() - s.last_event < tooltip_seconds;
        if (!lively() && !waits_for_time) continue;
        s.frames_wanted = std::max(0, s.frames_wanted - 1);
        draw(hooks);
    }
}

void Window::close() { glfwSetWindowShouldClose(state_->window, GLFW_TRUE); }

void Window::toggle_full_screen() {
    State& s = *state_;
    if (s.full_screen) {
        glfwSetWindowMonitor(s.window, nullptr, s.x, s.y, s.width, s.height, GLFW_DONT_CARE);
    } else {
        glfwGetWindowPos(s.window, &s.x, &s.y);
        glfwGetWindowSize(s.window, &s.width, &s.height);
        GLFWmonitor* const monitor = monitor_of(s.window);
        const GLFWvidmode* const mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
        if (mode == nullptr) return;
        glfwSetWindowMonitor(s.window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    }
    s.full_screen = !s.full_screen;
}

void Window::set_title(const std::string& title) { glfwSetWindowTitle(state_->window, title.c_str()); }

void Window::upload_fonts() {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

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
