#pragma once

#include <optional>
#include <string>

namespace vitrine {

/// What `vitrine bench --train` prints: the standard recipe's model, drawing of pictures left out everywhere, medians
/// of interleaved rounds.
struct TrainTiming {
    int threads = 0, batch = 0, rounds = 0;
    double pictures_per_second = 0;               // forward, backward, Muon
    double adamw_pictures_per_second = 0;         // the same with AdamW, as PyTorch runs it
    double step_ms = 0, bound_ms = 0, ratio = 0;  // a step with Muon against its products alone, forward and backward
    double drawing_share = 0;                     // of a run's time, were it not left out
    std::optional<double> torch_pictures_per_second;
    std::optional<double> against_torch;  // our AdamW against PyTorch's, round by round
    std::string torch_words;              // why there is no figure of PyTorch's
};

/// `script` is tests/bench/train_torch.py; where it or PyTorch is not there, the rest is measured all the same.
TrainTiming time_training(int threads, int rounds, const std::string& script);

}  // namespace vitrine
