#include <algorithm>

#include "app/rooms/explore/steps/step.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const int token = std::max(c.token_of(0), selection.token_in_view()), feature = selection.feature_in_view();
    const FilterProduct f =
        filter_product(now.trace.embedding->image, now.model->weights.patch_embedding, patch_at(now, token), feature);
    return {{ui.text("fact.selected"), short_token_name(ui, token), {}},
            {ui.text("fact.feature"), count_text(feature), {}},
            number_fact("Σ patch · filter", f.sum),
            number_fact("b", f.bias),
            number_fact("xₚ E + b", f.result),
            shape_fact("E", {c.patch_dim(), c.embedding_dim}),
            shape_fact("xₚ E + b", {c.patches(), c.embedding_dim})};
}

std::optional<Cell> cell(const Result& now, const Selection& selection) {
    return Cell{Quantity::patch_embedding, 0, 0, std::max(0, now.model->config.patch_of(selection.token_in_view())),
                selection.feature_in_view()};
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return selection.focus.feature > 0 && now.model->config.is_patch(selection.focus.token);
}

}  // namespace

Step patch_embedding_step() {
    return {.id = "patch_embedding",
            .node = Node::embedding,
            .view = patch_embedding_view,
            .facts = facts,
            .moves = true,
            .cell = cell,
            .answered = answered};
}

}  // namespace vitrine
