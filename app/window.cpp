#include "app/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/gl.h"
#include "app/imgui_compat.h"
#include "app/input_queue.h"
#include "core/error.h"

namespace vitrine {

struct Window::State {
    GLFWwindow* window = nullptr;
    InputQueue input;
    std::vector<std::filesystem::path> dropped;
    int frames_wanted = 3;  // ImGui needs a few frames to settle after an event
    bool full_screen = false;
    int x = 0, y = 0, width = 0, height = 0;  // before full screen
};

namespace {

constexpr int frames_after_event = 3;
constexpr double idle_seconds = 0.25;  // a tooltip's delay and a blinking caret need no more

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

Window::Window(const Settings& settings) : state_(std::make_unique<State>()) {
    // Asked before GLFW, whose Wayland half has words of its own for this on stderr.
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) refuse("there is no display");
    glfwSetErrorCallback(nullptr);
    if (glfwInit() == GLFW_FALSE) refuse(glfw_reason());
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_MAXIMIZED, settings.maximised ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    State& s = *state_;
    s.window = glfwCreateWindow(settings.width, settings.height, "Vitrine", nullptr, nullptr);
    if (s.window == nullptr) {
        const std::string reason = glfw_reason();
        glfwTerminate();
        throw Error("the window needs OpenGL 3.3 (" + reason +
                    "); install the package libgl1-mesa-dri or the graphics card's driver");
    }
    glfwSetWindowSizeLimits(s.window, 800, 500, GLFW_DONT_CARE, GLFW_DONT_CARE);
    if (settings.x >= 0 && is_visible(settings.x, settings.y, settings.width))
        glfwSetWindowPos(s.window, settings.x, settings.y);
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
        return s;
    };
    glfwSetCursorPosCallback(w, [](GLFWwindow* window, double x, double y) {
        state(window).input.move(static_cast<float>(x), static_cast<float>(y));
    });
    glfwSetCursorEnterCallback(w, [](GLFWwindow* window, int entered) {
        if (entered == GLFW_FALSE) state(window).input.move(-1e30F, -1e30F);
    });
    glfwSetMouseButtonCallback(w, [](GLFWwindow* window, int button, int action, int) {
        state(window).input.button(button, action == GLFW_PRESS);
    });
    glfwSetScrollCallback(w, [](GLFWwindow* window, double x, double y) {
        state(window).input.wheel(static_cast<float>(x), static_cast<float>(y));
    });
    glfwSetKeyCallback(w, [](GLFWwindow* window, int key, int, int action, int) {
        if (action != GLFW_REPEAT && key >= 0) state(window).input.key(key, action == GLFW_PRESS);
        state(window).frames_wanted = frames_after_event;
    });
    glfwSetCharCallback(w, [](GLFWwindow* window, unsigned code_point) { state(window).input.character(code_point); });
    glfwSetDropCallback(w, [](GLFWwindow* window, int count, const char** paths) {
        for (int i = 0; i < count; ++i) state(window).dropped.emplace_back(paths[i]);
    });
    glfwSetFramebufferSizeCallback(
        w, [](GLFWwindow* window, int, int) { state(window).frames_wanted = frames_after_event; });
    glfwSetWindowRefreshCallback(w, [](GLFWwindow* window) { state(window).frames_wanted = frames_after_event; });
    glfwSetWindowFocusCallback(w, [](GLFWwindow* window, int focused) {
        state(window).frames_wanted = frames_after_event;
        ImGui_ImplGlfw_WindowFocusCallback(window, focused);
    });
}

void Window::run(const Hooks& hooks) {
    State& s = *state_;
    glfwShowWindow(s.window);
    while (glfwWindowShouldClose(s.window) == GLFW_FALSE) {
        const bool lively = s.frames_wanted > 0 || !s.input.empty() || hooks.busy();
        if (lively)
            glfwPollEvents();
        else
            glfwWaitEventsTimeout(idle_seconds);
        s.frames_wanted = std::max(0, s.frames_wanted - 1);
        if (!s.dropped.empty()) {
            hooks.dropped(s.dropped);
            s.dropped.clear();
        }
        hooks.before_frame();
        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        s.input.apply();
        ImGui::NewFrame();
        hooks.frame();
        ImGui::Render();
        int w = 0, h = 0;
        glfwGetFramebufferSize(s.window, &w, &h);
        gl::call().Viewport(0, 0, w, h);
        gl::call().ClearColor(0, 0, 0, 1);
        gl::call().Clear(GL_COLOR_BUFFER_BIT);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        glfwSwapBuffers(s.window);
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
        GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
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

void Window::wake() { glfwPostEmptyEvent(); }

int Window::width() const {
    int w = 0, h = 0;
    glfwGetWindowSize(state_->window, &w, &h);
    return w;
}

int Window::height() const {
    int w = 0, h = 0;
    glfwGetWindowSize(state_->window, &w, &h);
    return h;
}

float Window::content_scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(state_->window, &x, &y);
    return x;
}

void Window::remember(Settings& settings) const {
    const State& s = *state_;
    settings.maximised = glfwGetWindowAttrib(s.window, GLFW_MAXIMIZED) == GLFW_TRUE;
    if (settings.maximised || s.full_screen) return;
    const float scale = std::max(0.5F, content_scale());
    glfwGetWindowPos(s.window, &settings.x, &settings.y);
    settings.width = static_cast<int>(std::lround(static_cast<float>(width()) / scale));
    settings.height = static_cast<int>(std::lround(static_cast<float>(height()) / scale));
}

}  // namespace vitrine
