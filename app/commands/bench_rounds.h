#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/bench_train.h"
#include "core/training/crew.h"

namespace vitrine {

inline constexpr double round_seconds = 2;

/// What is timed against what, a round each in turn. Speeds are things a second.
struct TrainRounds {
    std::function<double()> bound_ms;  // of a step's products alone
    std::function<double()> muon, adamw;
    std::string script;  // that times PyTorch
    std::vector<std::string> arguments = {};
    int threads = 1, batch = 1;
};

/// Medians of so many rounds; `drawing_share` is left 0.
TrainTiming time_rounds(const TrainRounds& rounds, int count);

/// A trainer that is asked for rounds, its drawing not counted.
class Lap {
public:
    struct Trained {
        std::function<void()> step;
        std::function<const TrainerTimes&()> times;
        int threads = 1, batch = 1;
    };
    explicit Lap(Trained trained) : trained_(std::move(trained)) { trained_.step(); }

    /// Steps for some seconds; things a second of all but drawing: what a thread waits for another counts.
    double round();
    double drawing_share() const { return drawing_; }

private:
    Trained trained_;
    double drawing_ = 0;
};

}  // namespace vitrine
