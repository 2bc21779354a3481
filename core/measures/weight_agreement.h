#pragma once

#include <memory>
#include <vector>

#include "core/base/progress.h"
#include "core/measures/answer_change.h"
#include "core/measures/placed_map.h"
#include "core/tensor/tensor.h"
#include "core/vit/trace.h"

namespace vitrine {

struct Config;

/// How well a query's weights show what attention moves: the rank correlation, in each head, between the weights a_j
/// and the norms of a_j v_j (Kobayashi et al. 2020).      ->  (L, h), −1 … 1
Tensor2 weight_agreement(const Trace& trace, int query);

/// The head with the lowest weight agreement.
PlacedHead least_agreeing_head(const Trace& trace, int query);

/// The patch with the map's largest weight, as a token.
int brightest_patch(const Config& c, const Trace& trace, const PlacedMap& map);
/// The patch with the map's smallest weight, as a token.
int darkest_patch(const Config& c, const Trace& trace, const PlacedMap& map);

/// A test of a map's weights against the answer: its brightest patch and, to compare, its darkest one, each removed
/// alone.
struct WeightTrial {
    PlacedMap map;
    PlacedHead least;  // the head in which weights and moved values of the query agree least
    int bright = 0, dark = 0;
    AnswerChange without_bright, without_dark;
    std::shared_ptr<const std::vector<float>> drops;  // (N), see `margin_drops`; null until computed
};
/// True if a model has classes and contains the map's block, head and query.
bool can_be_tried(const PlacedMap& map, const Config& config);
/// Runs a model with classes twice; `baseline` is its run without what-ifs. Does not compute `drops`.
WeightTrial weight_trial(const Model& model, const Trace& baseline, const PlacedMap& map, const Progress& progress);

/// True if a model has classes and one run for each of its tokens takes a few seconds at most.
bool can_try_every_token(const Config& config);
/// For each token, the drop in the margin of the first class when that token's embedding is zeroed; negative if the
/// margin rises. Takes one run per token.      ->  (N)
std::vector<float> margin_drops(const Model& model, const Trace& baseline, const Progress& progress);
/// How well a map's weights show which patches the answer depends on: the rank correlation, over the patches, between
/// the weights and `trial.drops`, which must be set.      −1 … 1
double rank_of_drops(const WeightTrial& trial, const Config& config, const Trace& baseline);

/// The trial's result, from the changes of the margin, since near 0 and 1 a probability hardly moves. A patch matters
/// if another class is first without it, or if the margin changes by 1 or more: the odds against the next class change
/// by a factor of e or more. One patch matters more than another if its change is at least twice as large.
enum class WeightVerdict { matters, hardly_matters, no_more_than_dark, less_than_dark };
WeightVerdict verdict_of(const WeightTrial& trial);

}  // namespace vitrine
