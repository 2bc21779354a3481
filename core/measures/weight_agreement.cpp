#include "core/measures/weight_agreement.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/measures/analysis.h"
#include "core/vit/cost.h"
#include "core/vit/experiment.h"
#include "core/vit/forward.h"

namespace vitrine {

Tensor2 weight_agreement(const Trace& trace, int query) {
    const auto blocks = static_cast<std::size_t>(trace.blocks());
    Tensor2 agreement = tensor2(blocks, trace.block(1)->attention.shape()[0]);
    for (std::size_t block = 0; block < blocks; ++block) {
        const auto t = trace.block(static_cast<int>(block) + 1);
        for (std::size_t i = 0; i < agreement.shape()[1]; ++i) {
            const int head = static_cast<int>(i);
            agreement(block, i) = static_cast<float>(
                rank_correlation(attention_row(*t, head, query), value_weighted_norms(*t, head, query)));
        }
    }
    return agreement;
}

PlacedHead least_agreeing_head(const Trace& trace, int query) {
    const Tensor2 agreement = weight_agreement(trace, query);
    const auto least = std::min_element(agreement.data(), agreement.data() + agreement.size()) - agreement.data();
    const auto heads = static_cast<std::ptrdiff_t>(agreement.shape()[1]);
    return {static_cast<int>(least / heads) + 1, static_cast<int>(least % heads)};
}

int brightest_patch(const Config& c, const Trace& trace, const PlacedMap& map) {
    const auto block = trace.block(map.at.block);
    return c.token_of(largest(c.patches_of(attention_row(*block, map.at.head, map.query)), 1).front());
}

int darkest_patch(const Config& c, const Trace& trace, const PlacedMap& map) {
    const auto block = trace.block(map.at.block);
    const auto weights = c.patches_of(attention_row(*block, map.at.head, map.query));
    return c.token_of(static_cast<int>(std::min_element(weights.begin(), weights.end()) - weights.begin()));
}

bool can_be_tried(const PlacedMap& map, const Config& c) {
    return c.classes > 0 && map.at.block <= c.blocks && map.at.head < c.heads && map.query < c.tokens();
}

namespace {

AnswerChange change_without(int token, const Model& model, const Trace& baseline, const Progress& progress) {
    const std::vector<Intervention> removed = {remove_token(token)};
    return answer_change(*what_if(model, baseline, removed, progress).head, *baseline.head);
}

}  // namespace

WeightTrial weight_trial(const Model& model, const Trace& baseline, const PlacedMap& map, const Progress& progress) {
    WeightTrial trial{map,
                      least_agreeing_head(baseline, map.query),
                      brightest_patch(model.config, baseline, map),
                      darkest_patch(model.config, baseline, map),
                      {},
                      {},
                      {}};
    trial.without_bright = change_without(trial.bright, model, baseline, progress);
    trial.without_dark = change_without(trial.dark, model, baseline, progress);
    return trial;
}

bool can_try_every_token(const Config& c) {
    constexpr double most = 1e11;  // multiply-adds: a few seconds on two cores of a laptop
    return c.classes > 0 && cost_of(c).multiply_adds * c.tokens() <= most;
}

std::vector<float> margin_drops(const Model& model, const Trace& baseline, const Progress& progress) {
    std::vector<float> drops;
    const int tokens = model.config.tokens();
    for (int token = 0; token < tokens; ++token) {
        const auto within = [&](double fraction) { report(progress, (token + fraction) / tokens); };
        drops.push_back(-static_cast<float>(change_without(token, model, baseline, within).margin()));
    }
    return drops;
}

double rank_of_drops(const WeightTrial& trial, const Config& c, const Trace& baseline) {
    const auto block = baseline.block(trial.map.at.block);
    return rank_correlation(c.patches_of(attention_row(*block, trial.map.at.head, trial.map.query)),
                            c.patches_of(*trial.drops));
}

WeightVerdict verdict_of(const WeightTrial& trial) {
    constexpr double times = 2;
    const auto change = [](const AnswerChange& without) { return std::abs(without.margin()); };
    const auto matters = [&](const AnswerChange& without) { return without.other_choice() || change(without) >= 1; };
    const double bright = change(trial.without_bright), dark = change(trial.without_dark);
    if (!matters(trial.without_dark))
        return matters(trial.without_bright) ? WeightVerdict::matters : WeightVerdict::hardly_matters;
    if (dark >= times * bright || (dark > bright && !matters(trial.without_bright)))
        return WeightVerdict::less_than_dark;
    // A dark patch whose removal changes the first choice matters, however small the change of the margin.
    if (bright >= times * dark && !trial.without_dark.other_choice()) return WeightVerdict::matters;
    return WeightVerdict::no_more_than_dark;
}

}  // namespace vitrine
