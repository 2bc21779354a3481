#pragma once

#include <span>

struct GLFWmonitor;
struct GLFWwindow;

namespace vitrine {

/// A window or monitor among the others, in the desktop's units.
struct Area {
    int x = 0, y = 0, width = 0, height = 0;
};

/// The number of the monitor that shows most of the window; -1 where none shows any of it.
int shows_most_of(const Area& window, std::span<const Area> monitors);

/// Whether a window that is opened there can be taken hold of: enough of its upper edge lies on the monitor.
bool can_be_grasped(const Area& window, const Area& monitor);

/// The same on the desktop as it is. A window that no monitor shows belongs to the primary one, if there is any.
GLFWmonitor* monitor_of(GLFWwindow* window);
bool can_be_grasped(const Area& window);

/// Seconds between two frames of the fastest monitor, a little less, so that waiting never misses one.
double shortest_frame();

}  // namespace vitrine
