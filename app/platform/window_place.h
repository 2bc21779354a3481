#pragma once

#include <limits>

namespace vitrine {

/// A window's place in the desktop's units; x is negative to the left of the first monitor.
struct WindowPlace {
    static constexpr int anywhere = std::numeric_limits<int>::min();  // the desktop chooses
    int x = anywhere, y = anywhere;
    int width = 1600, height = 900;
    bool maximised = false;

    bool operator==(const WindowPlace&) const = default;
};

}  // namespace vitrine
