#include "core/measures/patching.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/measures/analysis.h"
#include "core/measures/many_runs.h"
#include "core/vit/forward.h"

namespace vitrine {

namespace {

constexpr double least_difference = 0.01;  // between m in both runs

std::shared_ptr<const std::vector<float>> rows_of_block(const Tensor2& x, std::optional<int> token) {
    const std::size_t columns = x.shape()[1];
    const float* const first = x.data() + (token ? static_cast<std::size_t>(*token) * columns : 0);
    return std::make_shared<const std::vector<float>>(first, first + (token ? columns : x.size()));
}

std::shared_ptr<const std::vector<float>> rows_of_heads(const Tensor3& x, std::optional<int> head) {
    const std::size_t size = x.shape()[1] * x.shape()[2];
    const float* const first = x.data() + (head ? static_cast<std::size_t>(*head) * size : 0);
    return std::make_shared<const std::vector<float>>(first, first + (head ? size : x.size()));
}

}  // namespace

Intervention patch_of(const Trace& from, PatchSite site, int block, std::optional<int> part) {
    const Where token{.block = block, .token = part};
    switch (site) {
        case PatchSite::stream: return {Site::stream, token, Replace{rows_of_block(from.z(block), part)}};
        case PatchSite::attention: return {Site::msa, token, Replace{rows_of_block(from.block(block)->msa, part)}};
        case PatchSite::mlp: return {Site::mlp_out, token, Replace{rows_of_block(from.block(block)->mlp.out, part)}};
        case PatchSite::head: break;
    }
    return {Site::heads, {.block = block, .head = part}, Replace{rows_of_heads(from.block(block)->heads, part)}};
}

double PatchedLogits::in(const HeadTrace& head) const {
    return static_cast<double>(head.logits.data()[chosen]) - static_cast<double>(head.logits.data()[other]);
}

bool PatchedLogits::differ() const { return std::abs(clean - plain) >= least_difference; }

PatchedLogits logits_to_patch(const Trace& from, const Trace& into) {
    const std::vector<Prediction> best = top_predictions(*into.head, 2);
    PatchedLogits logits;
    logits.chosen = top_predictions(*from.head, 1).front().index;
    logits.other = best[0].index == logits.chosen ? best[1].index : best[0].index;
    logits.clean = logits.in(*from.head);
    logits.plain = logits.in(*into.head);
    return logits;
}

PatchedLogits patched_logits(const Model& model, const Trace& from, const Trace& into) {
    if (model.config.classes < 2)
        throw Error(
            "patching: compares the logits of two classes, which this model does not have; choose another "
            "model");
    const PatchedLogits logits = logits_to_patch(from, into);
    if (!logits.differ())
        throw Error(
            "patching: the margin of " + model.config.label(logits.chosen) + " over " +
            model.config.label(logits.other) +
            " is nearly the same in both runs, so nothing can come back; patch from an image with another answer");
    return logits;
}

PatchingMap patching(const PatchingOf& of, const std::function<void(const PatchingMap&)>& on_change,
                     const Progress& progress) {
    const Config& c = of.model.config;
    PatchingMap map;
    map.logits = patched_logits(of.model, of.from, of.into);
    const int parts = is_by_head(of.site) ? c.heads : c.tokens();
    map.total = c.blocks * parts;
    map.returned = tensor2(static_cast<std::size_t>(c.blocks), static_cast<std::size_t>(parts));
    std::fill(map.returned.begin(), map.returned.end(), 0.0F);
    const auto patch = [&](std::size_t cell) {
        const int block = static_cast<int>(cell) / parts + 1, part = static_cast<int>(cell) % parts;
        std::vector<Intervention> edits(of.what_ifs.begin(), of.what_ifs.end());
        edits.push_back(patch_of(of.from, of.site, block, part));
        const Trace patched = run_from(of.model, of.into, block, edits);
        map.returned.data()[cell] = static_cast<float>((map.logits.in(*patched.head) - map.logits.plain) /
                                                       (map.logits.clean - map.logits.plain));
    };
    for_each_run({static_cast<std::size_t>(map.total), {&of.into, &of.from}}, patch, progress, [&](std::size_t done) {
        map.done = static_cast<int>(done);
        if (on_change) on_change(map);
    });
    return map;
}

}  // namespace vitrine
