#include "core/measures/perturbation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/random.h"
#include "core/measures/analysis.h"
#include "core/measures/attention_measures.h"
#include "core/measures/occlusion.h"
#include "core/measures/relevance.h"
#include "core/measures/rollout.h"
#include "core/transformer/equations.h"
#include "core/vit/forward.h"
#include "core/vit/patch_covers.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

/// Reorders patches from their places in the sequence to those in the image; the two differ after a shuffle.
std::vector<float> in_the_image(const PerturbationOf& of, const std::vector<float>& by_token) {
    const std::vector<int> order = equations_of(of.model.config, of.what_ifs).order(of.model.config.patches());
    if (order.empty()) return by_token;
    std::vector<float> by_patch(by_token.size());
    for (std::size_t token = 0; token < order.size(); ++token)
        by_patch[static_cast<std::size_t>(order[token])] = by_token[token];
    return by_patch;
}

int first_choice(const Trace& trace) { return top_predictions(*trace.head, 1).front().index; }

}  // namespace

std::vector<float> ranking_of(const PerturbationOf& of, Ranking ranking, const Progress& progress) {
    const Config& c = of.model.config;
    const auto patches = [&](const std::vector<float>& row) {
        const std::span<const float> own = c.patches_of(row);
        return in_the_image(of, {own.begin(), own.end()});
    };
    switch (ranking) {
        case Ranking::attention:
            return patches(mean_readout_row(*of.trace.block(c.blocks), readout_shares(c, *of.trace.head)));
        case Ranking::rollout: {
            const Tensor2 rollout = std::move(rollout_by_block(of.trace, of.rollout, progress).back());
            return patches(rollout_of_readout(c, *of.trace.head, rollout, of.rollout));
        }
        case Ranking::relevance: {
            const RelevanceOf r{of.model, of.trace, of.what_ifs, {first_choice(of.trace), {}}};
            return patches(relevance_of_readout(r, relevance_by_block(r, progress).back()));
        }
        case Ranking::occlusion: {
            const OcclusionOptions options{.size = 1, .cover = Cover::mean, .chosen = first_choice(of.trace)};
            const OcclusionMap map =
                occlusion({of.model, of.trace.embedding->image, of.what_ifs, options}, {}, progress);
            return in_the_image(of, {map.logit.begin(), map.logit.end()});
        }
        case Ranking::random: break;
    }
    Random random(of.seed);
    std::vector<float> values(static_cast<std::size_t>(c.patches()));
    for (float& value : values) value = static_cast<float>(random.uniform());
    return values;
}

std::vector<float> perturbation_curve(const PerturbationOf& of, const CurveOf& from, const Progress& progress) {
    const Config& c = of.model.config;
    const Tensor3& image = of.trace.embedding->image;
    const Tensor3 cover = cover_of(image, c, from.filling);
    const Tensor3 &begin = from.way == Perturbation::deletion ? image : cover,
                  &end = from.way == Perturbation::deletion ? cover : image;
    std::vector<int> order(from.map.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return from.map[static_cast<std::size_t>(a)] > from.map[static_cast<std::size_t>(b)];
    });

    const auto chosen = static_cast<std::size_t>(first_choice(of.trace));
    Tensor3 picture = begin;
    std::size_t there = 0;
    std::vector<float> curve;
    for (int step = 0; step <= perturbation_steps; ++step) {
        report(progress, static_cast<double>(step) / (perturbation_steps + 1));
        const auto count = static_cast<std::size_t>(
            std::lround(static_cast<double>(order.size()) * step / static_cast<double>(perturbation_steps)));
        for (; there < count; ++there) copy_patch(c, order[there], end, picture);
        curve.push_back(forward(of.model, picture, {}, of.what_ifs).head->probabilities(0, chosen));
    }
    return curve;
}

double area_under(std::span<const float> curve) {
    double area = 0;
    for (std::size_t i = 0; i + 1 < curve.size(); ++i)
        area += (static_cast<double>(curve[i]) + static_cast<double>(curve[i + 1])) / 2;
    return area / static_cast<double>(curve.size() - 1);
}

PerturbationCurves perturbation_curves(const PerturbationOf& of, const Progress& progress) {
    constexpr std::size_t ways = std::size(perturbation_names), fillings = std::size(perturbation_fillings),
                          rankings = std::size(ranking_names);
    constexpr std::size_t points = perturbation_steps + 1;
    PerturbationCurves all{tensor3(ways * fillings, rankings, points), tensor2(ways * fillings, rankings)};
    for (std::size_t r = 0; r < rankings; ++r) {
        const auto part = [&](double f) { report(progress, (static_cast<double>(r) + f) / rankings); };
        part(0);
        const std::vector<float> map = ranking_of(of, ranking_names[r].value, [&](double f) { part(f / 2); });
        for (std::size_t i = 0; i < ways * fillings; ++i) {
            const std::vector<float> curve = perturbation_curve(
                of, {map, perturbation_names[i / fillings].value, perturbation_fillings[i % fillings]},
                [&](double f) { part(0.5 + (static_cast<double>(i) + f) / (2 * ways * fillings)); });
            std::copy(curve.begin(), curve.end(), &all.curves(i, r, 0));
            all.areas(i, r) = static_cast<float>(area_under(curve));
        }
    }
    return all;
}

}  // namespace vitrine
