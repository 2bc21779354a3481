#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace position_embedding_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const auto token = static_cast<std::size_t>(selection.focus.token), d = static_cast<std::size_t>(c.embedding_dim);
    const Trace& trace = now.trace;
    Summary position;
    const Where place{.token = selection.focus.token};
    if (const std::optional<int> row = c.position_row(selection.focus.token);
        row && equations_of(c, now.experiment.what_ifs, place).positions != 0)
        position = summarise({&now.model->weights.position(static_cast<std::size_t>(*row), 0), d});
    const Summary before = summarise({&trace.embedding->tokens(token, 0), d});
    const Summary after = summarise({&trace.embedding->z(token, 0), d});
    std::vector<Fact> rows = {{ui.text("fact.selected"), short_token_name(ui, now, selection.focus.token), {}}};
    if (c.position_table) rows.push_back(number_fact(ui.text("fact.norm_position"), position.norm));
    const bool added = c.position_table || c.embedding_norm;
    if (added) rows.push_back(number_fact(ui.text("fact.norm_token"), before.norm));
    if (c.embedding_norm)
        rows.push_back(
            number_fact(ui.text("fact.norm_placed"), summarise({&trace.embedding->placed(token, 0), d}).norm));
    const std::string label = added ? ui.text("fact.norm_z0") : ui.text("fact.norm_at", {{"level", "0"}});
    rows.push_back(number_fact(label, after.norm));
    if (turns_by_place(c)) rows.push_back(shape_fact("φ", {c.tokens(), c.head_dim() / 2}));
    if (c.position_table) rows.push_back(shape_fact("Eₚₒₛ", {c.position_rows(), c.embedding_dim}));
    rows.push_back(shape_fact("z₀", {c.tokens(), c.embedding_dim}));
    return rows;
}

std::optional<Cell> cell(const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    if (turns_by_place(c))
        return Cell{Quantity::q_turned, selection.focus.block, selection.focus.head, selection.focus.token,
                    selection.feature_in_view() % c.head_dim()};
    return Cell{Quantity::z, 0, 0, selection.focus.token, selection.feature_in_view()};
}

/// Whether positions enter only by a table that each block adds to its scores. No what-if removes that table.
bool placed_in_scores(const Config& c) { return c.position_bias > 0 && !c.position_table && !turns_by_place(c); }

std::vector<Intervention> switches(const Result& now, const Focus&) {
    const Config& c = now.model->config;
    if (placed_in_scores(c)) return {shuffle_tokens()};
    std::vector<Intervention> all = {remove_positions(), shuffle_tokens()};
    if (c.position_table && c.grid_width() > 1)
        all.push_back({Site::position, {}, Coarsen{c.grid_width() / 2, c.token_of(0), c.grid_width()}});
    return all;
}

bool without_place_or_order(const Result& now, const WhatIfs& what_ifs) {
    const Equations equations = equations_of(now.model->config, what_ifs);
    return (equations.positions == 0 || placed_in_scores(now.model->config)) && !equations.shuffles.empty();
}

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    if (now.model->config.classes == 0) return ui.text("prediction.none");
    if (!without_place_or_order(now, now.experiment.what_ifs))
        return ui.text(key_for(ui.text, "position.first", now.model->config));
    if (now.experiment.what_ifs.size() > 2) return ui.text("answer.alone");
    const int best = top_predictions(*now.baseline.head, 1).front().index;
    const auto probability = [&](const Trace& trace) {
        return probability_text(static_cast<double>(prediction_of(*trace.head, best).probability));
    };
    const std::string key = key_for(ui.text, "step.position_embedding.answer", now.model->config);
    return ui.text(key, {{"class", class_in_words(ui, *now.model, best)},
                         {"before", probability(now.baseline)},
                         {"after", probability(now.trace)},
                         {"change", change_words(ui, *change_of(now))}});
}

std::string equation(const Result& now, const Focus&) {
    const Config& c = now.model->config;
    const bool registers = c.count_of(TokenKind::register_token) > 0;
    if (const std::string structure = position_structure(c); !structure.empty())
        return "position_embedding_" + structure + (structure == "rotary" && registers ? "_registers" : "");
    if (c.leading_tokens() == 0) return "position_embedding_no_class";
    if (c.embedding_norm) return "position_embedding_norm";
    if (c.first_patch_position() == 0) return "position_embedding_patches";
    if (registers && c.first_patch_position() < c.leading_tokens()) return "position_embedding_registers";
    return c.first_of(TokenKind::distillation) ? "position_embedding_distillation" : "position_embedding";
}

bool answered(const Result& now, const Selection&, const WhatIfs& what_ifs) {
    return without_place_or_order(now, what_ifs);
}

std::vector<std::string> of_model(const Config& c) {
    const std::string structure = position_structure(c);
    return structure.empty() ? std::vector<std::string>() : std::vector{structure};
}

std::vector<Intervention> asked(const Result& now, const Selection&) {
    if (placed_in_scores(now.model->config)) return {shuffle_tokens()};
    return {remove_positions(), shuffle_tokens()};
}

}  // namespace position_embedding_parts

Step position_embedding_step() {
    return {.id = "position_embedding",
            .own = {.node = Node::position,
                    .moves = true,
                    .depends = {.token = true},
                    .cell = position_embedding_parts::cell,
                    .of_model = position_embedding_parts::of_model,
                    .asked = position_embedding_parts::asked},
            .facts = position_embedding_parts::facts,
            .switches = position_embedding_parts::switches,
            .answer = position_embedding_parts::answer,
            .answered = position_embedding_parts::answered,
            .equation = position_embedding_parts::equation,
            .learn = "positions"};
}

}  // namespace vitrine
