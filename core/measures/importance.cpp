#include "core/measures/importance.h"

#include <algorithm>
#include <cmath>

#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/measures/many_runs.h"
#include "core/measures/patching.h"
#include "core/vit/backward.h"
#include "core/vit/forward.h"

namespace vitrine {

namespace {

/// The mean of rows.      (rows, columns)  ->  (columns)
std::shared_ptr<const std::vector<float>> mean_row_of(const float* numbers, std::size_t rows, std::size_t columns) {
    std::vector<double> sum(columns, 0.0);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t k = 0; k < columns; ++k) sum[k] += static_cast<double>(numbers[row * columns + k]);
    std::vector<float> mean;
    for (const double x : sum) mean.push_back(static_cast<float>(x / static_cast<double>(rows)));
    return std::make_shared<const std::vector<float>>(std::move(mean));
}

/// ∂margin/∂logits: 1 at the first choice, −1 at the second.      (1, classes)
Tensor2 gradient_of_margin(const HeadTrace& head) {
    Tensor2 gradient = tensor2(1, head.logits.size());
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    const std::vector<Prediction> best = top_predictions(head, 2);
    for (std::size_t i = 0; i < best.size(); ++i)
        gradient(0, static_cast<std::size_t>(best[i].index)) = i == 0 ? 1.0F : -1.0F;
    return gradient;
}

}  // namespace

Intervention ablated_head(int block, int head, Ablation ablation, const Trace& run) {
    if (ablation == Ablation::zero) return remove_head(block, head);
    if (ablation == Ablation::resample) return patch_of(run, PatchSite::head, block, head);
    const auto own = run.block(block);
    const std::size_t n = own->heads.shape()[1], d = own->heads.shape()[2];
    return {Site::heads,
            {block, head},
            Replace{mean_row_of(own->heads.data() + static_cast<std::size_t>(head) * n * d, n, d)}};
}

Intervention ablated_mlp(int block, Ablation ablation, const Trace& run) {
    if (ablation == Ablation::zero) return remove_mlp(block);
    if (ablation == Ablation::resample) return patch_of(run, PatchSite::mlp, block);
    return averaged(Site::mlp_out, block, run.block(block)->mlp.out);
}

Intervention averaged(Site site, int block, const Tensor2& rows) {
    return {site, {.block = block}, Replace{mean_row_of(rows.data(), rows.shape()[0], rows.shape()[1])}};
}

Importance importance(const ImportanceOf& of, Ablation ablation, const Progress& progress) {
    const Config& c = of.model.config;
    Importance result;
    result.chosen = top_predictions(*of.trace.head, 1).front().index;
    result.heads = tensor2(static_cast<std::size_t>(c.blocks), static_cast<std::size_t>(c.heads));
    result.margin = reading_of(*of.trace.head, result.chosen).margin;
    result.mlps.resize(static_cast<std::size_t>(c.blocks));
    const auto heads = static_cast<std::size_t>(c.heads), parts = heads + 1;  // of a block; the MLP is the last
    const ManyRuns runs{static_cast<std::size_t>(c.blocks) * parts, {&of.trace}};
    const auto remove = [&](std::size_t i) {
        const std::size_t l = i / parts, part = i % parts;
        const int block = static_cast<int>(l) + 1;
        std::vector<Intervention> edits(of.what_ifs.begin(), of.what_ifs.end());
        edits.push_back(part < heads ? ablated_head(block, static_cast<int>(part), ablation, of.trace)
                                     : ablated_mlp(block, ablation, of.trace));
        const Trace run = run_from(of.model, of.trace, block, edits);
        (part < heads ? result.heads(l, part) : result.mlps[l]) =
            static_cast<float>(result.margin - reading_of(*run.head, result.chosen).margin);
    };
    for_each_run(runs, remove, progress);
    return result;
}

Tensor2 gradient_importance(const ImportanceOf& of, const Progress& progress) {
    const Config& c = of.model.config;
    Tensor2 result = tensor2(static_cast<std::size_t>(c.blocks), static_cast<std::size_t>(c.heads));
    report(progress, 0);
    backward_through_blocks(
        {of.model, of.trace, of.what_ifs}, gradient_of_margin(*of.trace.head), 1,
        [&](int block, const BlockTrace& gradients) {
            report(progress, static_cast<double>(c.blocks - block) / c.blocks);
            const auto own = of.trace.block(block);
            const std::size_t size = own->heads.shape()[1] * own->heads.shape()[2];
            for (std::size_t head = 0; head < result.shape()[1]; ++head) {
                double sum = 0;
                for (std::size_t i = head * size; i < (head + 1) * size; ++i)
                    sum += static_cast<double>(own->heads.data()[i]) * static_cast<double>(gradients.heads.data()[i]);
                result(static_cast<std::size_t>(block - 1), head) = static_cast<float>(std::abs(sum));
            }
        });
    return result;
}

}  // namespace vitrine
