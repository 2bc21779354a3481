#pragma once

#include <string>

#include "app/platform/key_names.h"
#include "app/platform/window_place.h"

struct GLFWwindow;

namespace vitrine {

// What the window needs of GLFW beyond its calls.

/// Throws Error: why a window cannot be opened, and what needs none.
[[noreturn]] void refuse_window(const std::string& why);

/// GLFW, as long as any window needs it. Throws Error where it does not start.
class Glfw {
public:
    Glfw();
    ~Glfw();
    Glfw(const Glfw&) = delete;
    Glfw& operator=(const Glfw&) = delete;
};

/// A window that is not shown yet, with an OpenGL 3.3 context that shares its textures with another window's, if there
/// is one. Throws Error where there is no such context.
GLFWwindow* open_glfw_window(const WindowPlace& place, GLFWwindow* shares);

struct WindowSize {
    int width = 0, height = 0;
};
WindowSize window_size(GLFWwindow* window);  // in the desktop's units
WindowSize pixel_size(GLFWwindow* window);
/// Pixels in one of the desktop's units: 1 on X11, the monitor's scale on Wayland.
float pixels_per_unit(GLFWwindow* window);

/// What the keys type in the layout that is on.
KeyNames names_of_layout();

}  // namespace vitrine
