#pragma once

#include <span>
#include <string>

#include "app/platform/key_names.h"
#include "app/platform/monitors.h"
#include "app/platform/window_place.h"

struct GLFWwindow;

namespace vitrine {

// GLFW functions and helpers for windows.

/// Throws Error with the reason why a window cannot be opened, and commands that need none.
[[noreturn]] void refuse_window(const std::string& why);

/// Keeps GLFW initialised while any window needs it. Throws Error if it cannot be initialised.
class Glfw {
public:
    Glfw();
    ~Glfw();
    Glfw(const Glfw&) = delete;
    Glfw& operator=(const Glfw&) = delete;
};

/// The sides that a desktop adds to a window, its title bar at the top; 0 without a window manager.
struct WindowFrame {
    int left = 0, top = 0, right = 0, bottom = 0;
};
/// Where a window opens that has this place and size: with its frame never larger than the work area of the monitor
/// that shows most of it, the primary one if none does. A smaller window keeps its size; a window that is shrunk begins
/// at that area's corner, so that all of it is visible.
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

/// Characters of the keys in the current layout.
KeyNames names_of_layout();

}  // namespace vitrine
