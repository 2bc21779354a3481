#pragma once

#include <chrono>

namespace vitrine {

/// Time that passes, whatever the wall's clock is set to.
using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}
inline double milliseconds_since(Clock::time_point start) { return 1000 * seconds_since(start); }

}  // namespace vitrine
