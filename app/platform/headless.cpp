#include "app/platform/headless.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <optional>

#include "app/platform/gl.h"
#include "app/platform/imgui_compat.h"
#include "core/base/error.h"

namespace vitrine {

struct Headless::State {
    int width = 0, height = 0;
    int entered = 0;  // number of living `Current` objects
    // Its own display and context, created if no OpenGL context was loaded before.
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    ImGuiContext* imgui = nullptr;
    gl::Texture target;
    std::optional<gl::RenderTo> render;
    bool transparent = false;

    /// The drawn pixels, top row first, (height, width, 4).
    std::vector<std::uint8_t> read() const;
};

std::vector<std::uint8_t> Headless::State::read() const {
    const auto row = static_cast<std::size_t>(width) * 4, rows = static_cast<std::size_t>(height);
    std::vector<std::uint8_t> bottom_up(row * rows), picture(row * rows);
    gl::call().PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl::call().ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, bottom_up.data());
    for (std::size_t y = 0; y < rows; ++y)
        std::copy_n(bottom_up.data() + (rows - 1 - y) * row, row, picture.data() + y * row);
    return picture;
}

namespace {

[[noreturn]] void refuse(const char* what) {
    throw Error(std::string("drawing without a display needs OpenGL 3.3 through EGL, and ") + what +
                "; install the package libgl1-mesa-dri");
}

EGLDisplay open_display() {
    const auto get = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    const EGLDisplay display = get != nullptr ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr)
                                              : eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE)
        refuse("EGL does not start");
    return display;
}

void* address_of(const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); }

EGLContext open_context(EGLDisplay display) {
    eglBindAPI(EGL_OPENGL_API);
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    eglChooseConfig(display, wanted, &config, 1, &count);
    const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLContext context = eglCreateContext(display, count > 0 ? config : nullptr, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT || eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE)
        refuse("there is no OpenGL 3.3 context");
    const bool whole = gl::load(address_of);
    if (whole) gl::unload();  // `enter` loads it again
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (!whole) refuse("a function of OpenGL 3.3 is missing");
    return context;
}

}  // namespace

Headless::Headless(int width, int height) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.width = width;
    s.height = height;
    if (!gl::available()) {
        s.display = open_display();
        s.context = open_context(s.display);
    }
    ImGuiContext* const before = ImGui::GetCurrentContext();
    s.imgui = ImGui::CreateContext();
    ImGui::SetCurrentContext(before);  // CreateContext makes the first context current
    const Current current(*this);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DeltaTime = 1.0F / 60.0F;
    ImGui_ImplOpenGL3_Init("#version 330 core");
    set_up_keys();
}

Headless::~Headless() {
    State& s = *state_;
    {
        const Current current(*this);
        ImGui_ImplOpenGL3_Shutdown();
        s.render.reset();
        s.target = {};
    }
    ImGui::DestroyContext(s.imgui);
    if (s.context == EGL_NO_CONTEXT) return;
    eglDestroyContext(s.display, s.context);
    eglTerminate(s.display);
}

Headless::Current::Current(Headless& headless) : headless_(headless), imgui_before_(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(headless.state_->imgui);
    headless.enter();
}

Headless::Current::~Current() {
    headless_.leave();
    ImGui::SetCurrentContext(imgui_before_);
}

void Headless::enter() {
    State& s = *state_;
    if (s.entered++ > 0) return;
    if (s.context != EGL_NO_CONTEXT) {
        eglMakeCurrent(s.display, EGL_NO_SURFACE, EGL_NO_SURFACE, s.context);
        gl::load(address_of);
    }
    if (s.target.id() == 0)
        s.target = gl::Texture(gl::Texture::Format::rgba8, s.width, s.height, nullptr, gl::Texture::Filter::nearest);
    s.render.emplace(s.target);
}

void Headless::leave() {
    State& s = *state_;
    if (--s.entered > 0) return;
    s.render.reset();
    if (s.context == EGL_NO_CONTEXT) return;
    gl::unload();
    eglMakeCurrent(s.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

void Headless::upload_fonts() {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Headless::draw(const std::function<void()>& frame) {
    ImGui_ImplOpenGL3_NewFrame();
    feed_mouse_position(-1e30F, -1e30F);
    ImGui::NewFrame();
    frame();
    ImGui::Render();
    gl::call().ClearColor(0, 0, 0, state_->transparent ? 0.0F : 1.0F);
    gl::call().Clear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Headless::make_transparent() { state_->transparent = true; }

std::vector<std::uint8_t> Headless::pixels() const {
    const std::vector<std::uint8_t> rgba = state_->read();
    std::vector<std::uint8_t> rgb(rgba.size() / 4 * 3);
    for (std::size_t i = 0; i < rgba.size() / 4; ++i) std::copy_n(&rgba[4 * i], 3, &rgb[3 * i]);
    return rgb;
}

std::vector<std::uint8_t> Headless::pixels_with_alpha() const {
    std::vector<std::uint8_t> rgba = state_->read();
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
        const int alpha = rgba[i + 3];  // ImGui's blending leaves colours premultiplied by it
        for (std::size_t c = i; alpha > 0 && c < i + 3; ++c)
            rgba[c] = static_cast<std::uint8_t>(std::min(255, (rgba[c] * 255 + alpha / 2) / alpha));
    }
    return rgba;
}

}  // namespace vitrine
