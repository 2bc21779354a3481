#include "core/measures/pruning.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/vit/forward.h"

namespace vitrine {

std::vector<HeadPlace> least_important_first(const Tensor2& importance) {
    std::vector<int> order(importance.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int i) { return importance.data()[i]; });
    const int heads = static_cast<int>(importance.shape()[1]);
    std::vector<HeadPlace> places;
    for (const int i : order) places.push_back({i / heads + 1, i % heads});
    return places;
}

std::vector<int> choices_without(const ImportanceOf& of, std::span<const HeadPlace> order, const Progress& progress) {
    const auto first_choice = [](const Trace& run) { return top_predictions(*run.head, 1).front().index; };
    std::vector<Intervention> edits(of.what_ifs.begin(), of.what_ifs.end());
    std::vector<int> choices = {first_choice(of.trace)};
    Trace run = of.trace;
    for (std::size_t n = 0; n < order.size(); ++n) {
        report(progress, static_cast<double>(n) / static_cast<double>(order.size()));
        edits.push_back(remove_head(order[n].block, order[n].head));
        run = run_from(of.model, run, order[n].block, edits);
        choices.push_back(first_choice(run));
    }
    return choices;
}

void PruningCurve::add(std::span<const int> choices, std::optional<int> label) {
    same.resize(choices.size());
    correct.resize(choices.size());
    ++images;
    labelled += label ? 1 : 0;
    for (std::size_t n = 0; n < choices.size(); ++n) {
        same[n] += choices[n] == choices.front() ? 1 : 0;
        correct[n] += label && choices[n] == *label ? 1 : 0;
    }
}

std::vector<float> PruningCurve::shares() const {
    const std::vector<int>& counts = labelled > 0 ? correct : same;
    const auto all = static_cast<float>(labelled > 0 ? labelled : images);
    std::vector<float> shares;
    for (const int count : counts) shares.push_back(static_cast<float>(count) / all);
    return shares;
}

Table pruning_table(const PruningCurve& curve, std::span<const HeadPlace> order) {
    const std::vector<float> shares = curve.shares();
    Table t{"pruning", {"removed"}, {shares.size()}, shares, {{"none"}}};
    for (const HeadPlace& place : order)
        t.labels[0].push_back(std::to_string(place.block) + "." + std::to_string(place.head));
    return t;
}

}  // namespace vitrine
