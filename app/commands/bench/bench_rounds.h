#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/team.h"
#include "core/training/crew.h"

namespace vitrine {

inline constexpr double round_seconds = 2;

/// Output of `vitrine bench --train`: a standard recipe's model, without drawing, medians of interleaved rounds. Speeds
/// are pictures or sentences per second.
struct TrainTiming {
    int threads = 0, batch = 0, rounds = 0;
    double per_second = 0;                        // forward, backward, Muon
    double adamw_per_second = 0;                  // the same with AdamW, as PyTorch runs it
    double step_ms = 0, bound_ms = 0, ratio = 0;  // a step with Muon, and only its products, forward and backward
    double drawing_share = 0;                     // share of a run's time that was left out
    std::optional<double> torch_per_second;
    std::optional<double> against_torch;  // our AdamW against PyTorch's, round by round
    std::string torch_words;              // the reason if PyTorch was not timed
};

/// The alternatives to time, one round each in turn. Speeds are things per second.
struct TrainRounds {
    std::function<double()> bound_ms;  // only the products of a step
    std::function<double()> muon, adamw;
    std::string script;  // times PyTorch
    std::vector<std::string> arguments = {};
    int threads = 1, batch = 1;
};

/// Medians of `count` rounds; `drawing_share` stays 0.
TrainTiming time_rounds(const TrainRounds& rounds, int count);

/// Only the products of a step, for timed rounds: a share of the batch on every thread.
class ProductRounds {
public:
    /// `make` is called on each thread with its number, and returns what computes the products of its share.
    ProductRounds(int threads, const std::function<std::function<void()>(int member)>& make);

    /// Milliseconds for a batch's products.
    double round();

private:
    Team team_;
    std::vector<std::function<void()>> shares_;
};

/// A trainer for timed rounds, without its drawing.
class Lap {
public:
    /// `trainer` stays in use and alive.
    template <class Trainer>
    Lap(Trainer& trainer, int threads)
        : trained_{[&trainer] { trainer.step(0.5); }, [&trainer]() -> const TrainerTimes& { return trainer.times(); },
                   threads, trainer.recipe().batch} {
        trained_.step();
    }

    /// Trains for some seconds; returns things per second without drawing, but including the threads' waiting times.
    double round();
    double drawing_share() const { return drawing_; }

private:
    struct Trained {
        std::function<void()> step;
        std::function<const TrainerTimes&()> times;
        int threads = 1, batch = 1;
    };

    Trained trained_;
    double drawing_ = 0;
};

}  // namespace vitrine
