#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/transformer/config.h"

namespace vitrine {

/// How a query's scores come from q·k in a run:  s = q·k / √d / temperature,  or without ÷ √d.
struct ScoreRule {
    bool divided = true;  // by √d
    double temperature = 1.0;

    double divisor(int head_dim) const;
    bool operator==(const ScoreRule&) const = default;
};

/// What a residual connection adds to its branch:  factor · z,  or with pre-norm  factor · LN(z).
struct SkipRule {
    double factor = 1.0;
    bool normed = false;  // LN(z)

    bool operator==(const SkipRule&) const = default;
};

/// The equations that a run computes at a place: the config's own, changed by one what-if after the other. Forward
/// pass, backward pass, provenance, ledgers and pictures all read them here.
///
/// A change of single numbers (dropout, a head that is switched off) is none of them: the edited tensor shows it.
struct Equations {
    // Before the blocks.
    std::vector<std::uint32_t> shuffles;  // seeds of the shuffles of the embedded parts, in turn
    double positions = 1.0;               // times E_pos

    // Of the block.
    Norm norm = Norm::before;
    SkipRule skip;
    bool key_is_query = false, value_is_query = false;
    bool resliced = false;  // q, k and v are cut into heads without a transpose
    ScoreRule scores;
    std::optional<int> look_ahead;  // tokens beyond itself that a query sees; none: the mask is the model's own
    bool over_queries = false;      // each column of the attention sums to 1
    double msa = 1.0;               // times the attention's branch
    Activation activation = Activation::gelu;

    /// Which of `count` embedded parts stands at each place, 0 … count − 1; empty where nothing is shuffled.
    std::vector<int> order(int count) const;

    bool operator==(const Equations&) const = default;
};

}  // namespace vitrine
