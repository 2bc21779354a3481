#include "app/rooms/explore/steps/step.h"
#include "app/ui/text.h"
#include "app/workspace/result.h"
#include "core/measures/analysis.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection&) {
    const Config& c = now.model->config;
    const Tensor2 read = read_out(c, now.trace.z(c.blocks));
    std::vector<Fact> rows = {number_fact(ui.text("fact.norm_class_token"), summarise({read.data(), read.size()}).norm),
                              shape_fact("y", {c.embedding_dim})};
    const std::vector<Prediction> top = top_predictions(*now.trace.head, 2);
    if (top.empty()) return rows;
    rows.insert(rows.begin(), {{ui.text("fact.class"), class_name(ui, *now.model, top[0].index), {}},
                               number_fact(ui.text("fact.logit"), top[0].logit),
                               number_fact(ui.text("fact.probability"), top[0].probability)});
    if (top.size() > 1) rows.push_back(number_fact(ui.text("fact.margin"), top[0].logit - top[1].logit));
    rows.push_back(shape_fact(ui.text("fact.logits"), {c.classes}));
    return rows;
}

std::optional<Cell> cell(const Result& now, const Selection&) {
    if (now.model->config.classes == 0) return std::nullopt;
    return Cell{Quantity::logits, 0, 0, 0, top_predictions(*now.trace.head, 1).front().index};
}

bool answered(const Result&, const Selection&, const WhatIfs& what_ifs) { return !what_ifs.empty(); }

}  // namespace

Step prediction_step() {
    return {.id = "prediction",
            .node = Node::head,
            .view = prediction_view,
            .facts = facts,
            .moves = true,
            .cell = cell,
            .answered = answered};
}

}  // namespace vitrine
