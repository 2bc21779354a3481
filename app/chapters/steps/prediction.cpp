#include <algorithm>

#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/rooms/figures/memo.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/measures/ledger.h"
#include "core/vit/experiment.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace prediction_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection&) {
    const Config& c = now.model->config;
    const Tensor2 read = read_out(c, now.trace.z(c.blocks));
    std::vector<Fact> rows = {number_fact(ui.text("fact.norm_read." + std::string(name_of(c.readout))),
                                          summarise({read.data(), read.size()}).norm),
                              shape_fact("y", {c.read_dim()})};
    if (c.features > 0) rows.push_back(shape_fact("f", {c.features}));
    const std::vector<Prediction> top = top_predictions(*now.trace.head, 2);
    if (top.empty()) return rows;
    rows.insert(rows.begin(), {{ui.text("fact.class"), class_name(ui, *now.model, top[0].index), {}},
                               number_fact(ui.text("fact.logit"), top[0].logit),
                               number_fact(ui.text("fact.probability"), top[0].probability)});
    if (top.size() > 1)  // names the class, since changes show the margin of the previous best one
        rows.push_back(number_fact(ui.text("fact.margin", {{"class", class_in_words(ui, *now.model, top[0].index)}}),
                                   top[0].logit - top[1].logit));
    rows.push_back(shape_fact(ui.text("fact.logits"), {c.classes}));
    return rows;
}

std::optional<Cell> cell(const Result& now, const Selection&) {
    if (now.model->config.classes == 0) return std::nullopt;
    return Cell{Quantity::logits, 0, 0, 0, top_predictions(*now.trace.head, 1).front().index};
}

/// The head of the last block that adds most to the best class's logit in the run without what-ifs.
struct Leader {
    int best = 0;  // class
    int head = 0;
    float share = 0;  // what the head adds to the logit
};
const Leader& leading_head(const Result& now) {
    static Memo<Leader> leaders;
    return leaders.of(now.baseline.head, 0, [&] {
        const int best = top_predictions(*now.baseline.head, 1).front().index;
        const std::vector<float> added = last_heads(*now.model, now.baseline, best);
        const auto most = std::max_element(added.begin(), added.end());
        return Leader{best, static_cast<int>(most - added.begin()), *most};
    });
}

/// The leading head's contribution, and the effect of switching only this head off.
std::string answer(const Ui& ui, const Result& now, const Selection&) {
    const Config& c = now.model->config;
    if (c.classes == 0) return ui.text("step.prediction.answer.no_classes");
    const Leader& leader = leading_head(now);
    const WhatIfs& what_ifs = now.experiment.what_ifs;
    const bool alone = what_ifs.size() == 1 && contains(what_ifs, remove_head(c.blocks, leader.head));
    if (!alone) return ui.text("prediction.first", {{"block", ui.ordinal(c.blocks - 1)}});
    const AnswerChange change = answer_change(*now.trace.head, *now.baseline.head, leader.best);
    return ui.text("step.prediction.answer", {{"head", ui.ordinal(leader.head)},
                                              {"class", class_in_words(ui, *now.model, leader.best)},
                                              {"share", number_text(static_cast<double>(leader.share))},
                                              {"before", probability_text(change.before.probability)},
                                              {"after", probability_text(change.now.probability)},
                                              {"margin", number_text(change.before.margin)},
                                              {"margin_after", number_text(change.now.margin)},
                                              {"loss", number_text(change.before.loss)},
                                              {"loss_after", number_text(change.now.loss)}});
}

std::string equation(const Result& now, const Focus&) {
    const std::string head = head_structure(now.model->config);
    return head == "class_token" ? "prediction" : "prediction_" + head;
}

bool answered(const Result& now, const Selection&, const WhatIfs& what_ifs) {
    const Config& c = now.model->config;
    return c.classes > 0 && contains(what_ifs, remove_head(c.blocks, leading_head(now).head));
}

std::vector<Intervention> asked(const Result& now, const Selection&) {
    return {remove_head(now.model->config.blocks, leading_head(now).head)};
}

}  // namespace prediction_parts

Step prediction_step() {
    return {
        .id = "prediction",
        .own = {.node = Node::head, .moves = true, .cell = prediction_parts::cell, .asked = prediction_parts::asked},
        .facts = prediction_parts::facts,
        .answer = prediction_parts::answer,
        .answered = prediction_parts::answered,
        .equation = prediction_parts::equation};
}

}  // namespace vitrine
