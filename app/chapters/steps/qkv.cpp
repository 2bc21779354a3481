#include "app/chapters/shown_norm.h"
#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace qkv_parts {

int head_in_view(const Selection& selection) { return selection.hovered_head().value_or(selection.focus.head); }

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const int head = head_in_view(selection), d = c.head_dim();
    return {{ui.text("fact.selected"), short_token_name(ui, now, selection.focus.token), {}},
            {"d = D / h", count_text(d), {}},
            {ui.text("fact.slice", {{"head", ui.ordinal(head)}}),
             ui.ordinal(head * d) + " … " + ui.ordinal((head + 1) * d - 1),
             {}},
            shape_fact(norm_here(now, selection.focus.block) == Norm::before ? "LN(z)" : "z",
                       {c.tokens(), c.embedding_dim}),
            shape_fact(ui.text("fact.weights"), {c.embedding_dim, c.embedding_dim}),
            shape_fact("Q, K, V", {c.heads, c.tokens(), d})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    return Cell{Quantity::q, selection.focus.block, head_in_view(selection), selection.focus.token, 0};
}

std::vector<Intervention> switches(const Result&, const Focus&) { return {key_is_query(), value_is_query()}; }

/// Cosine similarity of a token's query and value in the chosen head.
double query_against_value(const Trace& trace, const Focus& f) {
    const auto block = trace.block(f.block);
    const auto head = static_cast<std::size_t>(f.head), token = static_cast<std::size_t>(f.token);
    const std::size_t d = block->q.shape()[2];
    return static_cast<double>(cosine({&block->q(head, token, 0), d}, {&block->v(head, token, 0), d}));
}

std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const Focus& f = selection.focus;
    if (!contains(now.experiment.what_ifs, value_is_query())) return ui.text("qkv.first");
    if (now.experiment.what_ifs.size() > 1) return ui.text("answer.alone");
    return ui.text("step.qkv.answer", {{"token", short_token_name(ui, now, f.token)},
                                       {"head", ui.ordinal(f.head)},
                                       {"before", number_text(query_against_value(now.baseline, f))},
                                       {"after", number_text(query_against_value(now.trace, f))}});
}

bool answered(const Result&, const Selection&, const WhatIfs& what_ifs) { return contains(what_ifs, value_is_query()); }

std::string equation(const Result& now, const Focus& focus) {
    const Equations run = equations_of(now.model->config, now.experiment.what_ifs, {focus.block});
    return run.key_is_query && run.value_is_query ? "qkv_one"
           : run.key_is_query                     ? "qkv_keys"
           : run.value_is_query                   ? "qkv_values"
                                                  : "qkv";
}

/// Query, key and value of the chosen token.
Table table(const Result& now, const Selection& selection) {
    const auto block = now.trace.block(selection.focus.block);
    const auto token = static_cast<std::size_t>(selection.focus.token);
    const auto head = static_cast<std::size_t>(selection.focus.head);
    const auto numbers = [&](const Tensor3& t) {
        return std::vector<float>(&t(head, token, 0), &t(head, token, 0) + t.shape()[2]);
    };
    return table_of_columns("qkv", "feature",
                            {{"q", numbers(block->q)}, {"k", numbers(block->k)}, {"v", numbers(block->v)}});
}

}  // namespace qkv_parts

Step qkv_step() {
    return {.id = "qkv",
            .own = {.node = Node::qkv,
                    .moves = true,
                    .depends = {.block = true, .head = true, .token = true},
                    .cell = qkv_parts::cell,
                    .table = qkv_parts::table},
            .facts = qkv_parts::facts,
            .switches = qkv_parts::switches,
            .answer = qkv_parts::answer,
            .answered = qkv_parts::answered,
            .equation = qkv_parts::equation};
}

}  // namespace vitrine
