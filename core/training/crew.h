#pragma once

namespace vitrine {

/// The threads that learn together, and what Linux adds to their niceness so that a window stays quick.
struct Crew {
    int threads = 1;
    int niceness = 0;
};

/// Where a run's time went, summed over its threads, in seconds.
struct TrainerTimes {
    double drawing = 0, passes = 0, updates = 0;
};

}  // namespace vitrine
