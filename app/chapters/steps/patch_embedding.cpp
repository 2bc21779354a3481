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

namespace vitrine {

namespace patch_embedding_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const int token = std::max(c.token_of(0), selection.focus.token), feature = selection.feature_in_view();
    const FilterProduct f = filter_product(now.trace.embedding->pixels(), now.model->weights.patch_embedding,
                                           patch_at(now, token), feature);
    return {{ui.text("fact.selected"), short_token_name(ui, now, token), {}},
            {ui.text("fact.feature"), ui.ordinal(feature), {}},
            number_fact("Σ patch · filter", f.sum),
            number_fact("b", f.bias),
            number_fact("xₚ E + b", f.result),
            shape_fact("E", {c.patch_dim(), c.embedding_dim}),
            shape_fact("xₚ E + b", {c.patches(), c.embedding_dim})};
}

std::optional<Cell> cell(const Result& now, const Selection& selection) {
    return Cell{Quantity::patch_embedding, 0, 0, std::max(0, now.model->config.patch_of(selection.focus.token)),
                selection.feature_in_view()};
}

/// The chosen patch, or the first one.
int chosen_patch(const Result& now, const Focus& focus) {
    const Config& c = now.model->config;
    return c.is_patch(focus.token) ? c.patch_of(focus.token) : 0;
}

/// The filter with the largest absolute response to a patch.
int strongest_filter(const Result& now, int patch) {
    const Tensor2& answers = now.trace.embedding->patch_embedding;
    const float* const row = &answers(static_cast<std::size_t>(patch), 0);
    const auto largest =
        std::max_element(row, row + answers.shape()[1], [](float a, float b) { return std::abs(a) < std::abs(b); });
    return static_cast<int>(largest - row);
}

std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    if (!c.is_patch(selection.focus.token)) return ui.text("step.patch_embedding.answer_first");
    const int patch = chosen_patch(now, selection.focus), filter = strongest_filter(now, patch);
    const float value =
        now.trace.embedding->patch_embedding(static_cast<std::size_t>(patch), static_cast<std::size_t>(filter));
    return ui.text("step.patch_embedding.answer", {{"token", short_token_name(ui, now, c.token_of(patch))},
                                                   {"filter", ui.ordinal(filter)},
                                                   {"value", number_text(static_cast<double>(value))},
                                                   {"count", count_text(c.patches())}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    const Focus& focus = selection.focus;
    return now.model->config.is_patch(focus.token) && focus.feature == strongest_filter(now, chosen_patch(now, focus));
}

std::optional<Guessed> guessed(const Ui& ui, const Result& now, const Selection& selection) {
    const Focus& focus = selection.focus;
    if (!now.model->config.is_patch(focus.token)) return std::nullopt;
    const Tensor2& numbers = now.trace.embedding->patch_embedding;
    const float value =
        numbers(static_cast<std::size_t>(chosen_patch(now, focus)), static_cast<std::size_t>(focus.feature));
    return Guessed{answered(now, selection, {}),
                   ui.text("guess.filter", {{"filter", ui.ordinal(focus.feature)},
                                            {"value", number_text(static_cast<double>(value))}})};
}

}  // namespace patch_embedding_parts

Step patch_embedding_step() {
    return {.id = "patch_embedding",
            .own = {.node = Node::embedding,
                    .moves = true,
                    .depends = {.token = true},
                    .cell = patch_embedding_parts::cell,
                    .guessed = patch_embedding_parts::guessed,
                    .guess_in = [](const Focus& focus) { return focus.feature; },
                    .painted = true},
            .facts = patch_embedding_parts::facts,
            .answer = patch_embedding_parts::answer,
            .answered = patch_embedding_parts::answered};
}

}  // namespace vitrine
