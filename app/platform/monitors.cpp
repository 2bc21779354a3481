#include "app/platform/monitors.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <vector>

namespace vitrine {

namespace {

std::span<GLFWmonitor*> all_monitors() {
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    return {monitors, static_cast<std::size_t>(count)};
}

}  // namespace

int shows_most_of(const Area& window, std::span<const Area> monitors) {
    int best = -1;
    long long most = 0;
    for (std::size_t i = 0; i < monitors.size(); ++i) {
        const Area& m = monitors[i];
        const long long wide = std::min(window.x + window.width, m.x + m.width) - std::max(window.x, m.x);
        const long long high = std::min(window.y + window.height, m.y + m.height) - std::max(window.y, m.y);
        if (wide <= 0 || high <= 0 || wide * high <= most) continue;
        most = wide * high;
        best = static_cast<int>(i);
    }
    return best;
}

bool can_be_grasped(const Area& window, const Area& monitor) {
    constexpr int grip = 100, bar = 10;
    return window.x + window.width > monitor.x + grip && window.x < monitor.x + monitor.width - grip &&
           window.y >= monitor.y - bar && window.y < monitor.y + monitor.height - grip;
}

GLFWmonitor* monitor_of(GLFWwindow* window) {
    Area place;
    glfwGetWindowPos(window, &place.x, &place.y);
    glfwGetWindowSize(window, &place.width, &place.height);
    std::vector<Area> areas;
    for (GLFWmonitor* const monitor : all_monitors()) {
        Area area;
        glfwGetMonitorPos(monitor, &area.x, &area.y);
        if (const GLFWvidmode* const mode = glfwGetVideoMode(monitor); mode != nullptr) {
            area.width = mode->width;
            area.height = mode->height;
        }
        areas.push_back(area);
    }
    const int best = shows_most_of(place, areas);
    return best < 0 ? glfwGetPrimaryMonitor() : all_monitors()[static_cast<std::size_t>(best)];
}

bool can_be_grasped(const Area& window) {
    const std::span<GLFWmonitor*> monitors = all_monitors();
    return std::any_of(monitors.begin(), monitors.end(), [&](GLFWmonitor* monitor) {
        Area work;
        glfwGetMonitorWorkarea(monitor, &work.x, &work.y, &work.width, &work.height);
        return can_be_grasped(window, work);
    });
}

double shortest_frame() {
    int rate = 0;
    for (GLFWmonitor* const monitor : all_monitors())
        if (const GLFWvidmode* const mode = glfwGetVideoMode(monitor); mode != nullptr)
            rate = std::max(rate, mode->refreshRate);
    return 0.9 / (rate > 0 ? rate : 60);
}

}  // namespace vitrine
