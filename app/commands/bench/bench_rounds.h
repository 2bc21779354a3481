#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/team.h"
#include "core/training/crew.h"

namespace vitrine {

inline constexpr double round_seconds = 2;

/// Output of `vitrine bench --train` for a standard recipe's model: medians of interleaved rounds, without the time for
/// drawing the training data. Speeds are pictures or sentences per second.
struct TrainTiming {
    int threads = 0, batch = 0, rounds = 0;
    double per_second = 0;                        // forward, backward, Muon
    double adamw_per_second = 0;                  // the same with AdamW, as PyTorch runs it
    double step_ms = 0, bound_ms = 0, ratio = 0;  // a step with Muon; its products alone; step ÷ products
    double drawing_share = 0;                     // share of a run's time that draws the data, not in the speeds
    std::optional<double> torch_per_second;
    std::optional<double> against_torch;  // median of our speed ÷ PyTorch's, both with AdamW, round by round
    std::string torch_words;              // the reason if PyTorch was not timed
};

/// The alternatives to time, one round each in turn. Speeds are pictures or sentences per second.
struct TrainRounds {
    std::function<double()> bound_ms;  // only the products of a step
    std::function<double()> muon, adamw;
    std::string script;  // times PyTorch
    std::vector<std::string> arguments = {};
    int threads = 1, batch = 1;
};

/// Medians of `count` rounds; `drawing_share` stays 0.
TrainTiming time_rounds(const TrainRounds& rounds, int count);

/// Times the products of a training step alone: a share of the batch on every thread.
class ProductRounds {
public:
    /// `make` is called on each thread with its index, and returns the function that computes the thread's products.
    ProductRounds(int threads, const std::function<std::function<void()>(int member)>& make);

    /// Milliseconds for a batch's products.
    double round();

private:
    Team team_;
    std::vector<std::function<void()>> shares_;
};

/// Times a trainer's steps without the drawing of its data.
class Lap {
public:
    /// Keeps a reference to `trainer`, which must outlive this.
    template <class Trainer>
    Lap(Trainer& trainer, int threads)
        : trained_{[&trainer] { trainer.step(0.5); }, [&trainer]() -> const TrainerTimes& { return trainer.times(); },
                   threads, trainer.recipe().batch} {
        trained_.step();
    }

    /// Trains for `round_seconds`; returns pictures or sentences per second, without drawing but with threads' waits.
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
