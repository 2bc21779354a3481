#pragma once

namespace vitrine {

/// The threads of a training run, and their added niceness on Linux, which keeps a window responsive.
struct Crew {
    int threads = 1;
    int niceness = 0;
};

/// Where a run's time went, summed over its threads, in seconds.
struct TrainerTimes {
    double drawing = 0, passes = 0, updates = 0;
};

}  // namespace vitrine
