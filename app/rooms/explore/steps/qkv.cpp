#include "app/rooms/explore/steps/step.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"

namespace vitrine {

namespace {

int head_in_view(const Selection& selection) { return selection.hovered_head().value_or(selection.focus.head); }

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const int head = head_in_view(selection), d = c.head_dim();
    return {{ui.text("fact.selected"), short_token_name(ui, selection.token_in_view()), {}},
            {"d = D / h", count_text(d), {}},
            {ui.text("fact.slice", {{"head", std::to_string(head)}}),
             count_text(head * d) + " … " + count_text((head + 1) * d - 1),
             {}},
            shape_fact("LN(z)", {c.tokens(), c.embedding_dim}),
            shape_fact(ui.text("fact.weights"), {c.embedding_dim, c.embedding_dim}),
            shape_fact("Q, K, V", {c.heads, c.tokens(), d})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    return Cell{Quantity::q, selection.focus.block, head_in_view(selection), selection.token_in_view(), 0};
}

std::vector<Intervention> switches(const Result&, const Focus&) { return {key_is_query(), value_is_query()}; }

bool answered(const Result&, const Selection& selection, const WhatIfs&) { return selection.focus.head > 0; }

}  // namespace

Step qkv_step() {
    return {.id = "qkv",
            .node = Node::qkv,
            .view = qkv_view,
            .facts = facts,
            .moves = true,
            .cell = cell,
            .switches = switches,
            .answered = answered};
}

}  // namespace vitrine
