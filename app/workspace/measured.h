#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/workspace/laboratory_state.h"
#include "app/workspace/result.h"
#include "core/measures/components.h"
#include "core/measures/ledger.h"
#include "core/measures/lens.h"
#include "core/measures/occlusion.h"
#include "core/measures/outliers.h"
#include "core/measures/relevance.h"

// Measurements shown in the laboratory: made by app/jobs/measuring.

namespace vitrine {

struct HeadStatistics;
struct Importance;
struct ImportanceOver;
struct PatchingMap;
struct PerturbationCurves;
struct Pruned;
struct TextTower;
struct WordsMeasured;

/// Dissimilarities of the heads, and an order in which similar ones are adjacent.
struct HeadGroups {
    Tensor2 divergences;      // (L·h, L·h)
    std::vector<int> order;   // indices of the L·h heads (block by block), in that order
    std::vector<int> branch;  // by head
};
/// Number of branches of the tree of heads.
inline constexpr int head_groups = 6;

/// Patch tokens of a level mapped to colours.
struct LevelColours {
    std::shared_ptr<const Image> picture;  // (g_h, g_w): the first three components as red, green, blue
    std::vector<float> explained;
    Tensor2 scores;  // (N_p, 3)
};

/// Laboratory measurements of a run; each part is present once it was requested and computed. Immutable.
struct Measured {
    std::shared_ptr<const Result> of;
    Target target;
    std::shared_ptr<const HeadStatistics> statistics;
    std::shared_ptr<const Tensor2> object_share;  // (L, h); none if the picture's content is not known
    std::shared_ptr<const HeadGroups> groups;
    RolloutOptions range;  // for rollout and relevance
    std::shared_ptr<const std::vector<Tensor2>> rollout, relevance;
    std::shared_ptr<const std::vector<float>> rollout_readout,
        relevance_readout;                // (N), at the last block of the range
    std::shared_ptr<const Tensor2> lens;  // (L + 1, classes)
    std::shared_ptr<const TokenLens> token_lens;
    std::shared_ptr<const Ledger> ledger;
    std::shared_ptr<const TokenNorms> norms;
    std::shared_ptr<const std::vector<MassiveActivation>> massive;
    std::shared_ptr<const std::vector<LevelColours>> colours;  // by level
    std::shared_ptr<const std::vector<std::shared_ptr<const Image>>> filters;
    std::shared_ptr<const Components> filter_components;
    OcclusionOptions covered;
    std::shared_ptr<const OcclusionMap> occlusion;  // updated while it is computed
    std::shared_ptr<const Importance> importance;
    std::shared_ptr<const Tensor2> gradient_importance;     // (L, h)
    std::shared_ptr<const ImportanceOver> importance_over;  // updated while it is computed
    std::shared_ptr<const Pruned> pruned;                   // the same
    std::shared_ptr<const PerturbationCurves> perturbation;
    std::shared_ptr<const TextTower> text_tower;  // the model's; loaded when words are first compared with an image
    std::shared_ptr<const WordsMeasured> words;
    std::shared_ptr<const Result> patched_from;  // the run beside this one, of the same model; null: none
    PatchSite site = PatchSite::stream;
    std::shared_ptr<const PatchingMap> patching;  // updated while it is computed; empty if the answers hardly differ
};

/// The class that the laboratory's measures explain: the chosen one, else the run's prediction.
Target target_of(const Laboratory& lab, const Result& result);

/// The share of each patch that the drawn object covers; none if the picture's content is not known.      ->  (N_p)
std::optional<std::vector<float>> object_cover(const Result& result);

}  // namespace vitrine
