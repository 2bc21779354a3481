#pragma once

#include <span>
#include <string>
#include <vector>

struct GLFWmonitor;
struct GLFWwindow;

namespace vitrine {

/// A window or monitor among the others, in the desktop's units.
struct Area {
    int x = 0, y = 0, width = 0, height = 0;

    bool operator==(const Area&) const = default;
};

/// One that shows a part of the desktop of its own.
struct Monitor {
    std::string name;  // no two have the same
    Area area, work;   // `work`: without the desktop's own bars
    bool primary = false;

    bool operator==(const Monitor&) const = default;
};

/// The desktop as it is; of monitors that show the same only one.
std::vector<Monitor> monitors();
/// The number of the monitor of that name; −1 where there is none.
int monitor_named(std::span<const Monitor> all, const std::string& name);

/// Where a lecture's two windows go. The hall's picture fills the chosen monitor; where none is chosen or it is gone,
/// the one beside the primary one, which is the lecturer's own. The presenter's window goes to another; −1: there is
/// none.
struct Stages {
    int hall = -1, presenter = -1;
};
Stages stages_of(std::span<const Monitor> all, const std::string& chosen);

/// A window as large as the area allows, in its middle.
Area centred_in(const Area& area, int width, int height);
/// The right part of an area, beside what is looked at.
Area beside_in(const Area& area);

/// The number of the monitor that shows most of the window; -1 where none shows any of it.
int shows_most_of(const Area& window, std::span<const Area> monitors);

/// Whether a window that is opened there can be taken hold of: enough of its upper edge lies on the monitor.
bool can_be_grasped(const Area& window, const Area& monitor);

/// GLFW's monitor of that name; null where there is none.
GLFWmonitor* find_monitor(const std::string& name);
/// The name of the monitor that shows most of the window.
std::string monitor_name_of(GLFWwindow* window);

/// The same on the desktop as it is. A window that no monitor shows belongs to the primary one, if there is any.
GLFWmonitor* monitor_of(GLFWwindow* window);
bool can_be_grasped(const Area& window);

/// Seconds between two frames of the fastest monitor, a little less, so that waiting never misses one.
double shortest_frame();

}  // namespace vitrine
