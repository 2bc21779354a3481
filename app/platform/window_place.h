#pragma once

#include <limits>

namespace vitrine {

/// Where a window stands, in the desktop's units; left of the first monitor x is negative.
struct WindowPlace {
    static constexpr int anywhere = std::numeric_limits<int>::min();  // the desktop chooses
    int x = anywhere, y = anywhere;
    int width = 1600, height = 900;
    bool maximised = false;

    bool operator==(const WindowPlace&) const = default;
};

}  // namespace vitrine
