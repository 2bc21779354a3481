#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/workspace/laboratory_state.h"
#include "app/workspace/result.h"
#include "core/measures/components.h"
#include "core/measures/head_statistics.h"
#include "core/measures/ledger.h"
#include "core/measures/lens.h"
#include "core/measures/occlusion.h"
#include "core/measures/outliers.h"
#include "core/measures/relevance.h"

// What the laboratory shows of a result: made by app/jobs/measuring.

namespace vitrine {

/// How unlike the heads are, and an order in which like stands beside like.
struct HeadGroups {
    Tensor2 divergences;      // (L·h, L·h)
    std::vector<int> order;   // of L·h heads, block by block
    std::vector<int> branch;  // of each head
};
/// So many branches the tree of heads is cut into.
inline constexpr int head_groups = 6;

/// Patch tokens of a level as colours.
struct LevelColours {
    std::shared_ptr<const Image> picture;  // (g_h, g_w): the first three components as red, green, blue
    std::vector<float> explained;
    Tensor2 scores;  // (N_p, 3)
};

/// What the laboratory has measured of a run: parts are there once they were asked for and done. Immutable.
struct Measured {
    std::shared_ptr<const Result> of;
    Target target;
    std::shared_ptr<const HeadStatistics> statistics;
    std::shared_ptr<const Tensor2> object_share;  // (L, h); none where it is not known what the picture shows
    std::shared_ptr<const HeadGroups> groups;
    RolloutOptions range;  // of the two
    std::shared_ptr<const std::vector<Tensor2>> rollout, relevance;
    std::shared_ptr<const Tensor2> lens;  // (L + 1, classes)
    std::shared_ptr<const TokenLens> token_lens;
    std::shared_ptr<const Ledger> ledger;
    std::shared_ptr<const TokenNorms> norms;
    std::shared_ptr<const std::vector<MassiveActivation>> massive;
    std::shared_ptr<const std::vector<LevelColours>> colours;  // by level
    std::shared_ptr<const std::vector<std::shared_ptr<const Image>>> filters;
    std::shared_ptr<const Components> filter_components;
    OcclusionOptions covered;
    std::shared_ptr<const OcclusionMap> occlusion;  // grows while it runs
};

/// The class that the laboratory asks about: the chosen one, else the one that the run predicts.
Target target_of(const Laboratory& lab, const Result& result);

/// How much of each patch shows the thing that a drawn picture is of; none where nobody knows.      ->  (N_p)
std::optional<std::vector<float>> object_cover(const Result& result);

}  // namespace vitrine
