#pragma once

#include <string>

#include "app/commands/bench/bench_rounds.h"
#include "core/training/text/text_recipe.h"

namespace vitrine {

/// Times the training of the standard recipe's Vision Transformer, in `rounds` rounds, and PyTorch's beside it.
/// `script` is tests/bench/train_torch.py; without it or PyTorch, our own training is timed alone.
TrainTiming time_training(int threads, int rounds, const std::string& script);

/// The same for a text Transformer on sentences of its task; `script` is tests/bench/train_text_torch.py.
TrainTiming time_text_training(const TextRecipe& recipe, int threads, int rounds, const std::string& script);

}  // namespace vitrine
