#pragma once

#include <optional>
#include <string>

#include "core/training/text_recipe.h"

namespace vitrine {

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

/// `script` is tests/bench/train_torch.py; where it or PyTorch is not there, the rest is measured all the same.
TrainTiming time_training(int threads, int rounds, const std::string& script);

/// The same of a text Transformer on sentences of its task; `script` is tests/bench/train_text_torch.py.
TrainTiming time_text_training(const TextRecipe& recipe, int threads, int rounds, const std::string& script);

}  // namespace vitrine
