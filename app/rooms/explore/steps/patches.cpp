#include "app/rooms/explore/steps/step.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"

namespace vitrine {

namespace {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    return {{ui.text("fact.selected"), short_token_name(ui, selection.token_in_view()), {}},
            {"P", count_text(c.patch_size), {}},
            {"Nₚ = HW / P²", count_text(c.patches()), {}},
            {"N = Nₚ + 1", count_text(c.tokens()), {}},
            {"P²·C", count_text(c.patch_dim()), {}},
            shape_fact("xₚ", {c.patches(), c.patch_dim()})};
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return now.model->config.is_patch(selection.focus.token);
}

}  // namespace

Step patches_step() {
    return {.id = "patches",
            .node = Node::patches,
            .view = patches_view,
            .facts = facts,
            .moves = true,
            .answered = answered};
}

}  // namespace vitrine
