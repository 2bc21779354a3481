#pragma once

#include <cstdint>

namespace vitrine {

/// The threads of a training run, and their added niceness on Linux, which keeps a window responsive.
struct Crew {
    int threads = 1;
    int niceness = 0;
};

/// Result of one step. The loss is a mean in nats over the batch's pictures, reviews or words.
struct StepReport {
    std::uint64_t step = 0, seen = 0;  // totals so far
    double loss = 0;
    double accuracy = 0;  // on the batch's labels or next words, before the step
    double it_loss = 0;   // of the auxiliary head, over the batch's "it"; 0 without that head
    double learning_rate = 0;
    double gradient_norm = 0;  // before clipping
};

/// A run's time by activity, summed over its threads, in seconds.
struct TrainerTimes {
    double drawing = 0, passes = 0, updates = 0;
};

}  // namespace vitrine
