#include "app/jobs/timed_aside.h"

#include <algorithm>

#include "core/base/clock.h"

namespace vitrine {

double seconds_a_step(const std::function<void()>& step, const std::function<void()>& after_step) {
    constexpr double long_enough = 0.2;  // seconds
    constexpr int most_steps = 8;
    step();
    after_step();
    double seconds = 0;
    int steps = 0;
    for (; steps < most_steps && seconds < long_enough; ++steps) {
        const auto start = Clock::now();
        step();
        seconds += seconds_since(start);
        after_step();
    }
    return std::max(seconds, 1e-6) / steps;
}

}  // namespace vitrine
