#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/training/crew.h"

namespace vitrine {

inline constexpr double round_seconds = 2;

/// What `vitrine bench --train` prints: a standard recipe's model, drawing left out everywhere, medians of interleaved
/// rounds. Speeds are pictures or sentences a second.
struct TrainTiming {
    int threads = 0, batch = 0, rounds = 0;
    double per_second = 0;                        // forward, backward, Muon
    double adamw_per_second = 0;                  // the same with AdamW, as PyTorch runs it
    double step_ms = 0, bound_ms = 0, ratio = 0;  // a step with Muon against its products alone, forward and backward
    double drawing_share = 0;                     // of a run's time, were it not left out
    std::optional<double> torch_per_second;
    std::optional<double> against_torch;  // our AdamW against PyTorch's, round by round
    std::string torch_words;              // why there is no figure of PyTorch's
};

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
