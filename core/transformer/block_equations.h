#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/transformer/config.h"
#include "core/transformer/cover.h"

namespace vitrine {

/// How a run computes scores from q·k: s = q·k / √d / temperature, or without ÷ √d.
struct ScoreRule {
    bool divided = true;  // by √d
    double temperature = 1.0;

    double divisor(int head_dim) const;
    bool operator==(const ScoreRule&) const = default;
};

/// The residual connection's contribution: factor · z, or (a mistake shown in an exercise) factor · LN(z).
struct SkipRule {
    double factor = 1.0;
    bool normed = false;  // LN(z)

    bool operator==(const SkipRule&) const = default;
};

/// The equations at one point of a run: those of the config, changed by each what-if in turn. Forward pass, backward
/// pass, provenance, ledgers and pictures all read them here.
///
/// Changes of single numbers (dropout, a head switched off) are not included: the edited tensor shows them.
struct Equations {
    // Before the blocks.
    std::vector<CoverPatches> covers;        // covers over patches of the picture, in order
    std::vector<std::uint32_t> shuffles;     // seeds of the shuffles of the embedded parts, in order
    double positions = 1.0;                  // factor of E_pos
    std::vector<std::pair<int, int>> swaps;  // tokens whose positions are exchanged, in order

    // For the block.
    Norm norm = Norm::before;
    SkipRule skip;
    bool key_is_query = false, value_is_query = false;
    bool resliced = false;  // q, k and v are cut into heads without a transpose
    ScoreRule scores;
    std::optional<int> look_ahead;  // how many later tokens a query sees; none: the model's own mask
    bool over_queries = false;      // each column of the attention sums to 1
    double msa = 1.0;               // factor of the attention's branch
    Activation activation = Activation::gelu;

    /// The embedded part at each position, 0 … count − 1; empty without a shuffle.
    std::vector<int> order(int count) const;

    /// The token whose position is added to this one.
    int position_of(int token) const;

    bool operator==(const Equations&) const = default;
};

}  // namespace vitrine
