#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/names.h"
#include "core/base/progress.h"
#include "core/measures/options.h"
#include "core/tensor/tensor.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Maps that rank an image's patches.
enum class Ranking {
    attention,  // of the readout in the last block, mean over the heads
    rollout,    // of the readout
    relevance,  // for the first choice, of the readout
    occlusion,  // fall of the first choice's logit under a cover of one patch
    random,     // with a seed: a baseline for the maps
};
inline constexpr Named<Ranking> ranking_names[] = {{Ranking::attention, "attention"},
                                                   {Ranking::rollout, "rollout"},
                                                   {Ranking::relevance, "relevance"},
                                                   {Ranking::occlusion, "occlusion"},
                                                   {Ranking::random, "random"}};

/// The content of missing patches. A curve depends on it, so there are two: where they disagree about which map is
/// best, neither is to be trusted alone.
inline constexpr Cover perturbation_fillings[] = {Cover::mean, Cover::blur};

inline constexpr int perturbation_steps = 20;

/// A finished run of one image by a model with classes, and its what-ifs.
struct PerturbationOf {
    const Model& model;
    const Trace& trace;
    std::span<const Intervention> what_ifs = {};
    RolloutOptions rollout = {};
    std::uint64_t seed = 1;  // of the random ranking
};

/// A number for each patch in reading order, larger if the patch matters more by this ranking.      (N_p)
std::vector<float> ranking_of(const PerturbationOf& of, Ranking ranking, const Progress& progress = {});

/// Inputs of a curve: a ranking's numbers (N_p), ties by index; whether patches are removed or inserted; their filling.
struct CurveOf {
    std::span<const float> map;
    Perturbation way = Perturbation::deletion;
    Cover filling = Cover::mean;
};

/// The probability of the run's first choice for images without the k highest-ranked patches (deletion), or with these
/// patches only (insertion); k = round(N_p · step / 20).      ->  (21)
std::vector<float> perturbation_curve(const PerturbationOf& of, const CurveOf& curve, const Progress& progress = {});

/// Mean height of a curve by trapezoids, 0 … 1: small for deletion and large for insertion where the map finds what
/// matters (Petsiuk et al. 2018).
double area_under(std::span<const float> curve);

/// All curves of a run by way and filling (the filling counts fastest), ranking and step, and the areas under them.
struct PerturbationCurves {
    Tensor3 curves;  // (2 ways · 2 fillings, 5 rankings, 21)
    Tensor2 areas;   // (2 ways · 2 fillings, 5 rankings)
};
PerturbationCurves perturbation_curves(const PerturbationOf& of, const Progress& progress = {});

}  // namespace vitrine
