#include <algorithm>
#include <cmath>

#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace heads_parts {

const LinearWeights& projection_of(const Result& now, const Focus& f) {
    return now.model->weights.blocks[static_cast<std::size_t>(f.block - 1)].projection;
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const Focus& f = selection.focus;
    const int token = selection.focus.token;
    const auto block = now.trace.block(f.block);
    const LinearWeights& projection = projection_of(now, f);
    const Tensor2 added = head_contributions(*block, projection, token);
    double error = 0;
    for (std::size_t i = 0; i < added.shape()[1]; ++i) {
        double sum = projection.bias.empty() ? 0.0 : static_cast<double>(projection.bias(i));
        for (std::size_t head = 0; head < added.shape()[0]; ++head) sum += static_cast<double>(added(head, i));
        error = std::max(error, std::abs(sum - static_cast<double>(block->msa(static_cast<std::size_t>(token), i))));
    }
    const Summary msa = summarise({&block->msa(static_cast<std::size_t>(token), 0), block->msa.shape()[1]});
    return {{ui.text("fact.selected"), short_token_name(ui, now, token), {}},
            number_fact(ui.text("fact.msa_norm"), static_cast<double>(msa.norm)),
            number_fact(ui.text("fact.sum_error"), error),
            shape_fact("[head₁; …]", {c.tokens(), c.embedding_dim}),
            shape_fact("MSA(z)", {c.tokens(), c.embedding_dim})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    return Cell{Quantity::msa, selection.focus.block, 0, selection.focus.token, selection.feature_in_view()};
}

/// The head with the largest contribution to the chosen token.
int longest_head(const Result& now, const Focus& f) {
    return largest(row_norms(head_contributions(*now.baseline.block(f.block), projection_of(now, f), f.token)), 1)
        .front();
}

std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const Focus& f = selection.focus;
    const auto block = now.baseline.block(f.block);
    const Tensor2 added = head_contributions(*block, projection_of(now, f), f.token);
    const auto head = static_cast<std::size_t>(longest_head(now, f));
    const std::size_t d = added.shape()[1];
    const float cos = cosine({&added(head, 0), d}, {&block->msa(static_cast<std::size_t>(f.token), 0), d});
    return ui.text("step.heads.answer", {{"head", ui.ordinal(head)},
                                         {"norm", number_text(static_cast<double>(row_norms(added)[head]))},
                                         {"cosine", number_text(static_cast<double>(cos))}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs& what_ifs) {
    const Focus& f = selection.focus;
    return contains(what_ifs, remove_head(f.block, longest_head(now, f)));
}

}  // namespace heads_parts

Step heads_step() {
    return {.id = "heads",
            .own = {.node = Node::projection,
                    .moves = true,
                    .depends = {.block = true, .head = true, .token = true},
                    .cell = heads_parts::cell},
            .facts = heads_parts::facts,
            .answer = heads_parts::answer,
            .answered = heads_parts::answered};
}

}  // namespace vitrine
