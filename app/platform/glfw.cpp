#include "app/platform/glfw.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <vector>

#include "app/platform/monitors.h"
#include "core/base/error.h"

namespace vitrine {

namespace {

int users = 0;  // of GLFW

/// GLFW's last complaint, for the sentence.
std::string glfw_reason() {
    const char* words = nullptr;
    glfwGetError(&words);
    return words != nullptr ? words : "unknown reason";
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

GLFWwindow* open_glfw_window(const WindowPlace& place, GLFWwindow* shares) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_MAXIMIZED, place.maximised ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);  // a projector's full screen stays while the laptop is used
    GLFWwindow* const window = glfwCreateWindow(place.width, place.height, "Vitrine", nullptr, shares);
    if (window == nullptr)
        throw Error("the window needs OpenGL 3.3 (" + glfw_reason() +
                    "); install the package libgl1-mesa-dri or the graphics card's driver");
    glfwSetWindowSizeLimits(window, 800, 500, GLFW_DONT_CARE, GLFW_DONT_CARE);
    if (place.x != WindowPlace::anywhere && can_be_grasped({place.x, place.y, place.width, place.height}))
        glfwSetWindowPos(window, place.x, place.y);
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
