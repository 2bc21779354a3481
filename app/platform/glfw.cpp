#include "app/platform/glfw.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stb/stb_image.h>

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "embedded/icons.h"

namespace vitrine {

namespace {

int users = 0;  // number of users of GLFW

/// GLFW's last error message.
std::string glfw_reason() {
    const char* words = nullptr;
    glfwGetError(&words);
    return words != nullptr ? words : "unknown reason";
}

/// Sets the program's icon in the sizes that desktops use.
void set_icon(GLFWwindow* window) {
    std::vector<GLFWimage> sizes;
    for (const Embedded& file : icons()) {
        int width = 0, height = 0;
        unsigned char* const pixels = stbi_load_from_memory(file.bytes.data(), static_cast<int>(file.bytes.size()),
                                                            &width, &height, nullptr, STBI_rgb_alpha);
        if (pixels != nullptr) sizes.push_back({width, height, pixels});
    }
    glfwSetWindowIcon(window, static_cast<int>(sizes.size()), sizes.data());
    for (const GLFWimage& size : sizes) stbi_image_free(size.pixels);
}

}  // namespace

void refuse_window(const std::string& why) {
    throw Error("the window cannot be opened (" + why +
                "); run it in a desktop session, or use vitrine trace and vitrine snapshot, which need no display");
}

Glfw::Glfw() {
    glfwSetErrorCallback(nullptr);
    if (users == 0 && glfwInit() == GLFW_FALSE) refuse_window(glfw_reason());
    ++users;
}

Glfw::~Glfw() {
    if (--users == 0) glfwTerminate();
}

Area fitted_to_work(const Area& window, const WindowFrame& frame, std::span<const Monitor> all) {
    std::vector<Area> areas;
    for (const Monitor& monitor : all) areas.push_back(monitor.area);
    const int most = shows_most_of(window, areas);
    const auto primary = std::find_if(all.begin(), all.end(), [](const Monitor& m) { return m.primary; });
    if (most < 0 && primary == all.end()) return window;
    const Area& work = most >= 0 ? all[static_cast<std::size_t>(most)].work : primary->work;
    const int width = std::min(window.width, work.width - frame.left - frame.right),
              height = std::min(window.height, work.height - frame.top - frame.bottom);
    if (width == window.width && height == window.height) return window;
    return {work.x + frame.left, work.y + frame.top, width, height};
}

/// Fits a hidden window into the work area of its monitor.
static void fit_to_work(GLFWwindow* window) {
    Area now;
    glfwGetWindowPos(window, &now.x, &now.y);
    glfwGetWindowSize(window, &now.width, &now.height);
    WindowFrame frame;
    glfwGetWindowFrameSize(window, &frame.left, &frame.top, &frame.right, &frame.bottom);
    const Area to = fitted_to_work(now, frame, monitors());
    if (to == now) return;
    glfwSetWindowSize(window, to.width, to.height);
    glfwSetWindowPos(window, to.x, to.y);
}

GLFWwindow* open_glfw_window(const WindowPlace& place, GLFWwindow* shares) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_MAXIMIZED, place.maximised ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);  // keeps full screen on a projector while the laptop is used
    // Matches the window class in the .desktop file.
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "vitrine");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "vitrine");
#ifdef GLFW_WAYLAND_APP_ID
    glfwWindowHintString(GLFW_WAYLAND_APP_ID, "vitrine");
#endif
    GLFWwindow* const window = glfwCreateWindow(place.width, place.height, "Vitrine", nullptr, shares);
    if (window == nullptr)
        throw Error("the window needs OpenGL 3.3 (" + glfw_reason() +
                    "); install the package libgl1-mesa-dri or the graphics card's driver");
    glfwSetWindowSizeLimits(window, 800, 500, GLFW_DONT_CARE, GLFW_DONT_CARE);
    if (place.x != WindowPlace::anywhere && can_be_grasped({place.x, place.y, place.width, place.height}))
        glfwSetWindowPos(window, place.x, place.y);
    if (!place.maximised) fit_to_work(window);
    set_icon(window);
    return window;
}

WindowSize window_size(GLFWwindow* window) {
    WindowSize size;
    glfwGetWindowSize(window, &size.width, &size.height);
    return size;
}

WindowSize pixel_size(GLFWwindow* window) {
    WindowSize size;
    glfwGetFramebufferSize(window, &size.width, &size.height);
    return size;
}

float pixels_per_unit(GLFWwindow* window) {
    const int units = window_size(window).width, pixels = pixel_size(window).width;
    return units > 0 && pixels > 0 ? static_cast<float>(pixels) / static_cast<float>(units) : 1.0F;
}

KeyNames names_of_layout() {
    KeyNames names;
    for (const auto& [place, us_name] : us_key_names()) {
        const char* const name = glfwGetKeyName(place, 0);
        names[place] = name != nullptr ? name : "";
    }
    return names;
}

}  // namespace vitrine
