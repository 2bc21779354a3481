#pragma once

#include <chrono>

namespace vitrine {

/// A monotonic clock: it does not follow changes of the wall clock.
using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}
inline double milliseconds_since(Clock::time_point start) { return 1000 * seconds_since(start); }

}  // namespace vitrine
