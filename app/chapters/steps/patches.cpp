#include "app/chapters/step.h"
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

/// The last patch of the first row.
int end_of_row(const Result& now) { return now.model->config.token_of(now.model->config.grid_width() - 1); }

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    const Config& c = now.model->config;
    return ui.text("step.patches.answer", {{"token", std::to_string(end_of_row(now))},
                                           {"next", std::to_string(end_of_row(now) + 1)},
                                           {"columns", std::to_string(c.grid_width())}});
}

/// True for the last patch of any row except the bottom one.
bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    const Config& c = now.model->config;
    const int patch = selection.focus.token - c.token_of(0);
    return patch >= 0 && patch + 1 < c.patches() && (patch + 1) % c.grid_width() == 0;
}

std::optional<Guessed> guessed(const Ui& ui, const Result& now, const Selection& selection) {
    const int token = selection.focus.token;
    if (!now.model->config.is_patch(token)) return std::nullopt;
    return Guessed{answered(now, selection, {}), token_name(ui, now, token)};
}

}  // namespace patches_parts

Step patches_step() {
    return {.id = "patches",
            .own = {.node = Node::patches,
                    .moves = true,
                    .depends = {.token = true},
                    .guessed = patches_parts::guessed,
                    .painted = true},
            .facts = patches_parts::facts,
            .answer = patches_parts::answer,
            .answered = patches_parts::answered};
}

}  // namespace vitrine
