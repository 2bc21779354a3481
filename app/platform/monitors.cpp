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

Area area_of(GLFWmonitor* monitor) {
    Area area;
    glfwGetMonitorPos(monitor, &area.x, &area.y);
    if (const GLFWvidmode* const mode = glfwGetVideoMode(monitor); mode != nullptr) {
        area.width = mode->width;
        area.height = mode->height;
    }
    return area;
}

/// The desktop's names, numbered if two are equal: "HDMI-1", "HDMI-1 (2)".
std::vector<std::string> names_of_all() {
    std::vector<std::string> names;
    for (GLFWmonitor* const monitor : all_monitors()) {
        const char* const said = glfwGetMonitorName(monitor);
        const std::string name = said != nullptr ? said : "?";
        std::string own = name;
        for (int i = 2; std::find(names.begin(), names.end(), own) != names.end(); ++i)
            own = name + " (" + std::to_string(i) + ")";
        names.push_back(own);
    }
    return names;
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

std::vector<Monitor> monitors() {
    std::vector<Monitor> all;
    const std::vector<std::string> names = names_of_all();
    for (std::size_t i = 0; i < names.size(); ++i) {
        GLFWmonitor* const monitor = all_monitors()[i];
        Monitor one{names[i], area_of(monitor), {}, monitor == glfwGetPrimaryMonitor()};
        glfwGetMonitorWorkarea(monitor, &one.work.x, &one.work.y, &one.work.width, &one.work.height);
        const auto mirrors = [&](const Monitor& m) { return m.area.x == one.area.x && m.area.y == one.area.y; };
        if (std::none_of(all.begin(), all.end(), mirrors)) all.push_back(std::move(one));
    }
    return all;
}

int monitor_named(std::span<const Monitor> all, const std::string& name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Monitor& m) { return m.name == name; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

Stages stages_of(std::span<const Monitor> all, const std::string& chosen) {
    const auto first = [&](auto wanted) {
        const auto found = std::find_if(all.begin(), all.end(), wanted);
        return found == all.end() ? -1 : static_cast<int>(found - all.begin());
    };
    Stages stages;
    if (all.size() < 2) return stages;
    stages.hall = monitor_named(all, chosen);
    if (stages.hall < 0) stages.hall = first([](const Monitor& m) { return !m.primary; });
    const Monitor* const hall = &all[static_cast<std::size_t>(stages.hall)];
    stages.presenter = first([&](const Monitor& m) { return &m != hall && m.primary; });
    if (stages.presenter < 0) stages.presenter = first([&](const Monitor& m) { return &m != hall; });
    return stages;
}

Area centred_in(const Area& area, int width, int height) {
    const int wide = std::min(width, area.width), high = std::min(height, area.height);
    return {area.x + (area.width - wide) / 2, area.y + (area.height - high) / 2, wide, high};
}

Area beside_in(const Area& area) {
    constexpr int least = 800;
    const int width = std::clamp(area.width * 2 / 5, std::min(least, area.width), area.width);
    return {area.x + area.width - width, area.y, width, area.height};
}

GLFWmonitor* find_monitor(const std::string& name) {
    const std::vector<std::string> names = names_of_all();
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? nullptr : all_monitors()[static_cast<std::size_t>(found - names.begin())];
}

std::string monitor_name_of(GLFWwindow* window) {
    const std::vector<std::string> names = names_of_all();
    const GLFWmonitor* const filled = glfwGetWindowMonitor(window);
    const GLFWmonitor* const monitor = filled != nullptr ? filled : monitor_of(window);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (all_monitors()[i] == monitor) return names[i];
    return {};
}

GLFWmonitor* monitor_of(GLFWwindow* window) {
    Area place;
    glfwGetWindowPos(window, &place.x, &place.y);
    glfwGetWindowSize(window, &place.width, &place.height);
    std::vector<Area> areas;
    for (GLFWmonitor* const monitor : all_monitors()) areas.push_back(area_of(monitor));
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
