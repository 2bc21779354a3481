#include <algorithm>

#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/block_parts.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace residual_parts {

struct Sum {
    std::shared_ptr<const BlockTrace> block;
    const Tensor2 &z, &branch, &out;
};
Sum sum_of(const Trace& trace, Half half, int block) {
    const auto t = trace.block(block);
    if (half == Half::attention) return {t, trace.z(block - 1), t->attention_branch(), t->residual};
    return {t, t->residual, t->mlp_branch(), trace.z(block)};
}

std::span<const float> row(const Tensor2& tensor, int token) {
    return {&tensor(static_cast<std::size_t>(token), 0), tensor.shape()[1]};
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const Focus& f = selection.focus;
    const int token = selection.focus.token;
    const Sum s = sum_of(now.trace, f.half, f.block);
    const auto z = static_cast<double>(summarise(row(s.z, token)).norm);
    const auto branch = static_cast<double>(summarise(row(s.branch, token)).norm);
    return {{ui.text("fact.selected"), short_token_name(ui, now, token), {}},
            number_fact(ui.text("fact.norm_z"), z),
            number_fact(ui.text("fact.norm_branch"), branch),
            number_fact(ui.text("fact.norm_sum"), static_cast<double>(summarise(row(s.out, token)).norm)),
            number_fact(ui.text("fact.ratio"), z > 0 ? branch / z : 0),
            number_fact(ui.text("fact.cosine"), static_cast<double>(cosine(row(s.z, token), row(s.branch, token)))),
            shape_fact("z", {c.tokens(), c.embedding_dim})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    const Focus& f = selection.focus;
    return Cell{f.half == Half::attention ? Quantity::residual : Quantity::z, f.block, 0, selection.focus.token,
                selection.feature_in_view()};
}

std::vector<Intervention> switches(const Result&, const Focus& focus) {
    return {without_skips(focus.block), without_skips(), normalise(Norm::none), normalise(Norm::after)};
}

double ratio_of(const SkipRatio& ratio, Half half) { return half == Half::attention ? ratio.attention : ratio.mlp; }

/// The block with the largest ratio of the sublayer's output to z, and that ratio.
std::pair<int, double> largest_change(const Result& now, Half half) {
    std::pair<int, double> most{1, 0};
    for (std::size_t i = 0; i < now.baseline_skip_ratios.size(); ++i)
        if (const double own = ratio_of(now.baseline_skip_ratios[i], half); own > most.second)
            most = {static_cast<int>(i) + 1, own};
    return most;
}

std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const auto [block, ratio] = largest_change(now, selection.focus.half);
    return ui.text("step.residual.answer", {{"block", ui.ordinal(block - 1)}, {"ratio", number_text(ratio)}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return selection.focus.block == largest_change(now, selection.focus.half).first;
}

std::optional<Guessed> guessed(const Ui& ui, const Result& now, const Selection& selection) {
    const Focus& focus = selection.focus;
    const SkipRatio& ratio = now.baseline_skip_ratios[static_cast<std::size_t>(focus.block - 1)];
    return Guessed{answered(now, selection, {}),
                   ui.text("guess.ratio", {{"block", ui.ordinal(focus.block - 1)},
                                           {"ratio", number_text(ratio_of(ratio, focus.half))}})};
}

std::string equation(const Result& now, const Focus& focus) {
    const Equations equations = equations_of(now.model->config, now.experiment.what_ifs, {focus.block});
    const char* const wiring = equations.skip.factor == 0      ? "residual_none"
                               : equations.norm == Norm::after ? "residual_post"
                                                               : "residual";
    return wiring + equation_of_block_parts("residual", now.model->config);
}

/// The strips of the figure.
Table table(const Result& now, const Selection& selection) {
    const Focus& f = selection.focus;
    const Sum s = sum_of(now.trace, f.half, f.block);
    const auto numbers = [&](const Tensor2& t) {
        const std::span<const float> of_token = row(t, f.token);
        return std::vector<float>(of_token.begin(), of_token.end());
    };
    const bool first = f.half == Half::attention;
    return table_of_columns(first ? "residual" : "z", "feature",
                            {{first ? "z" : "z′", numbers(s.z)},
                             {first ? "attention adds" : "MLP adds", numbers(s.branch)},
                             {"sum", numbers(s.out)}});
}

}  // namespace residual_parts

Step residual_step() {
    return {.id = "residual",
            .own = {.node = Node::residual,
                    .moves = true,
                    .depends = {.block = true, .token = true},
                    .cell = residual_parts::cell,
                    .table = residual_parts::table,
                    .guessed = residual_parts::guessed,
                    .guess_in = [](const Focus& focus) { return focus.block; }},
            .facts = residual_parts::facts,
            .switches = residual_parts::switches,
            .answer = residual_parts::answer,
            .answered = residual_parts::answered,
            .equation = residual_parts::equation,
            .learn = "skips"};
}

}  // namespace vitrine
