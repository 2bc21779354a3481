#include "app/rooms/explore/steps/step.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"

namespace vitrine {

namespace patches_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    return {{ui.text("fact.selected"), short_token_name(ui, now, selection.focus.token), {}},
            {"P", count_text(c.patch_size), {}},
            {"Nₚ = HW / P²", count_text(c.patches()), {}},
            {tokens_sum(c), count_text(c.tokens()), {}},
            {"P²·C", count_text(c.patch_dim()), {}},
            shape_fact("xₚ", {c.patches(), c.patch_dim()})};
}

/// The patch below the first one.
int second_row(const Result& now) { return now.model->config.token_of(now.model->config.grid_width()); }

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    const Config& c = now.model->config;
    return ui.text("step.patches.answer", {{"token", std::to_string(second_row(now))},
                                           {"columns", std::to_string(c.grid_width())},
                                           {"first", std::to_string(c.token_of(0))}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return selection.focus.token == second_row(now);
}

std::optional<Guessed> guessed(const Ui& ui, const Result& now, const Selection& selection) {
    const int token = selection.focus.token;
    if (!now.model->config.is_patch(token)) return std::nullopt;
    return Guessed{token == second_row(now), token_name(ui, now, token)};
}

}  // namespace patches_parts

Step patches_step() {
    return {.id = "patches",
            .node = Node::patches,
            .view = patches_view,
            .facts = patches_parts::facts,
            .moves = true,
            .answer = patches_parts::answer,
            .answered = patches_parts::answered,
            .guessed = patches_parts::guessed};
}

}  // namespace vitrine
