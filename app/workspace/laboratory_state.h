#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/ui/scales.h"
#include "core/measures/occlusion.h"
#include "core/measures/relevance.h"
#include "core/measures/rollout.h"

namespace vitrine {

/// What the laboratory shows, in the order of its tabs.
enum class Instrument { heads, compare, statistics, depth, tokens, lens, ledger, occlusion };
inline constexpr int instrument_count = 8;
const char* name_of(Instrument instrument);  // "heads" …, also the id of its words and of its tab

/// By what the gallery of all heads is ordered.
enum class HeadOrder { block, entropy, distance, class_share, object_share, similarity };

/// What becomes of the heads that were picked.
enum class Combine { side_by_side, difference, mean, max, min, uniform };

enum class Statistic { entropy, effective_tokens, distance, confidence, class_share };
enum class DepthMethod { rollout, relevance };
enum class TokenFigure { positions, filters, similarity, components, norms };

// As `vitrine export` names them.
const char* name_of(Statistic statistic);
const char* name_of(TokenFigure figure);  // "similarity" is the tokens': "token_similarity" there

/// A head that was picked, and its own query where it was pinned.
struct Pick {
    int block = 1, head = 0;
    std::optional<int> query = {};

    bool operator==(const Pick&) const = default;
};
inline constexpr std::size_t most_picks = 26;        // A … Z
inline constexpr std::size_t most_side_by_side = 6;  // more would be too small to compare

/// What is looked at in the laboratory; a part of the focus.
struct Laboratory {
    Instrument instrument = Instrument::heads;
    HeadOrder order = HeadOrder::block;
    std::vector<Pick> picks;
    Combine combine = Combine::side_by_side;
    Statistic statistic = Statistic::distance;
    DepthMethod method = DepthMethod::rollout;
    RolloutOptions rollout;  // its blocks are relevance's, too
    TokenFigure figure = TokenFigure::similarity;
    int level = -1;              // ℓ = 0 … L of the token figures and the lens; −1: the last
    std::optional<int> target;   // class; none: the predicted one
    std::optional<int> against;  // the class that the target is compared with
    int cover_size = 1;          // patches
    Cover cover = Cover::mean;
    int unfolded = 0;  // the block whose heads the ledger shows; 0: none
    Curve curve = Curve::linear;
    float fixed_high = 1.0F;  // the end of the fixed scale

    bool operator==(const Laboratory&) const = default;

    bool picked(int block, int head) const;
    /// Picks a head or lets it go; one too many takes the place of the first.
    void toggle_pick(int block, int head);
};

}  // namespace vitrine
