#pragma once

#include <span>
#include <string>

#include "app/platform/key_names.h"
#include "app/platform/monitors.h"
#include "app/platform/window_place.h"

struct GLFWwindow;

namespace vitrine {

// GLFW functions and helpers for windows.

/// Throws Error with the reason why a window cannot be opened, and names commands that need no window.
[[noreturn]] void refuse_window(const std::string& why);

/// Keeps GLFW initialised while any window needs it. Throws Error if it cannot be initialised.
class Glfw {
public:
    Glfw();
    ~Glfw();
    Glfw(const Glfw&) = delete;
    Glfw& operator=(const Glfw&) = delete;
};

/// Widths of the borders that a desktop adds to a window; the top one is its title bar. 0 without a window manager.
struct WindowFrame {
    int left = 0, top = 0, right = 0, bottom = 0;
};
/// Fits a window with its frame into the work area of the monitor that shows most of it, or of the primary one if none
/// shows any of it. A smaller window keeps its size and position; a larger one is shrunk and moved to the area's
/// corner, so that all of it is visible.
Area fitted_to_work(const Area& window, const WindowFrame& frame, std::span<const Monitor> all);

/// Creates a hidden window with an OpenGL 3.3 context that shares textures with another window's, if any. Throws Error
/// if there is no such context.
GLFWwindow* open_glfw_window(const WindowPlace& place, GLFWwindow* shares);

struct WindowSize {
    int width = 0, height = 0;
};
WindowSize window_size(GLFWwindow* window);  // in the desktop's units
WindowSize pixel_size(GLFWwindow* window);
/// Pixels per desktop unit: 1 on X11, the monitor's scale on Wayland.
float pixels_per_unit(GLFWwindow* window);

/// The characters that the keys type in the current layout.
KeyNames names_of_layout();

}  // namespace vitrine
