#include "app/chapters/shown_norm.h"

#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/transformer/equations.h"

namespace vitrine {

std::vector<float> norm_input(const Result& now, const Selection& selection, int token) {
    const Focus& f = selection.focus;
    const auto block = now.trace.block(f.block);
    const bool first = f.half == Half::attention;
    const auto row = [token](const Tensor2& t) { return &t(static_cast<std::size_t>(token), 0); };
    const Tensor2& before = first ? now.trace.z(f.block - 1) : block->residual;
    std::vector<float> input(row(before), row(before) + before.shape()[1]);
    const Equations equations =
        equations_of(now.model->config, now.experiment.what_ifs, {.block = f.block, .token = token});
    if (equations.norm != Norm::after) return input;
    const float* const branch = row(first ? block->attention_branch() : block->mlp_branch());
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = static_cast<float>(equations.skip.factor) * input[i] + branch[i];
    return input;
}

Norm norm_here(const Result& now, int block) {
    return equations_of(now.model->config, now.experiment.what_ifs, {block}).norm;
}

const LayerNormWeights& norm_weights(const Result& now, const Selection& selection) {
    const BlockWeights& w = now.model->weights.blocks[static_cast<std::size_t>(selection.focus.block - 1)];
    return selection.focus.half == Half::attention ? w.ln1 : w.ln2;
}

NormStages stages_of_norm(const Result& now, const Selection& selection) {
    return norm_stages(norm_input(now, selection, selection.focus.token), norm_weights(now, selection),
                       static_cast<double>(now.model->config.layer_norm_epsilon));
}

NormVariants variants_of_norm(const Result& now, const Selection& selection) {
    const NormStages s = stages_of_norm(now, selection);
    NormVariants v{
        s.scaled, scaled_outside_root(s.input, static_cast<double>(now.model->config.layer_norm_epsilon)), {}};
    for (std::size_t i = 0; i < v.biased.size(); ++i) v.difference.push_back(v.biased[i] - v.unbiased[i]);
    return v;
}

}  // namespace vitrine
