#pragma once

#include <span>
#include <string>
#include <vector>

struct GLFWmonitor;
struct GLFWwindow;

namespace vitrine {

/// A window or monitor on the desktop, in the desktop's units.
struct Area {
    int x = 0, y = 0, width = 0, height = 0;

    bool operator==(const Area&) const = default;
};

/// A monitor that shows its own part of the desktop.
struct Monitor {
    std::string name;  // no two have the same
    Area area, work;   // `work` excludes the desktop's own bars
    bool primary = false;

    bool operator==(const Monitor&) const = default;
};

/// The connected monitors; only one of those that mirror each other.
std::vector<Monitor> monitors();
/// The index of a monitor by name; −1 if there is none.
int monitor_named(std::span<const Monitor> all, const std::string& name);

/// Indices of the monitors for a lecture's two windows; −1: none. The audience's window fills the chosen monitor; if
/// none is chosen or it is gone, the first that is not the primary one, which is usually the lecturer's own. The
/// presenter's window is on the primary monitor, or on another one if the audience's fills that.
struct Stages {
    int hall = -1, presenter = -1;
};
Stages stages_of(std::span<const Monitor> all, const std::string& chosen);

/// A window of this size, or as large as fits, centred in the area.
Area centred_in(const Area& area, int width, int height);
/// The right two fifths of an area, at least 800 units wide, for a window beside the main one.
Area beside_in(const Area& area);

/// The index of the monitor that shows most of the window; −1 if none shows any of it.
int shows_most_of(const Area& window, std::span<const Area> monitors);

/// Whether a user can grab a window at this place: enough of its upper edge is on a monitor.
bool can_be_grasped(const Area& window, const Area& monitor);

/// GLFW's monitor by name; null if there is none.
GLFWmonitor* find_monitor(const std::string& name);
/// The name of the monitor that shows most of the window.
std::string monitor_name_of(GLFWwindow* window);

/// The connected monitor that shows most of the window; the primary one for a window outside all of them; null without
/// monitors.
GLFWmonitor* monitor_of(GLFWwindow* window);
/// Whether a user can grab a window at this place on any connected monitor.
bool can_be_grasped(const Area& window);

/// The frame time of the fastest monitor in seconds, slightly shortened so that waiting never misses a frame.
double shortest_frame();

}  // namespace vitrine
