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

namespace loss_parts {

std::span<const float> logits_of(const Result& now) {
    return {now.trace.head->logits.data(), now.trace.head->logits.size()};
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    if (c.classes == 0) return {};
    const int chosen = true_class_of(now, selection);
    const float q = now.trace.head->probabilities(0, static_cast<std::size_t>(chosen));
    return {{ui.text("fact.true_class"), class_name(ui, *now.model, chosen), {}},
            number_fact("Q", static_cast<double>(q)),
            number_fact(ui.text("fact.loss"), cross_entropy(logits_of(now), chosen)),
            number_fact("Q − P", static_cast<double>(q) - 1),
            number_fact(ui.text("fact.uniform_loss"), std::log(static_cast<double>(c.classes))),
            shape_fact(ui.text("fact.logits"), {1, c.classes})};
}

std::optional<Cell> cell(const Result& now, const Selection& selection) {
    return Cell{Quantity::probabilities, 0, 0, 0, true_class_of(now, selection)};
}

int worst_class(const Result& now) {
    const std::span<const float> logits = logits_of(now);
    return static_cast<int>(std::min_element(logits.begin(), logits.end()) - logits.begin());
}

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    if (now.model->config.classes == 0) return ui.text("loss.none");
    const int worst = worst_class(now), best = top_predictions(*now.trace.head, 1).front().index;
    return ui.text("step.loss.answer", {{"class", class_name(ui, *now.model, worst)},
                                        {"loss", number_text(cross_entropy(logits_of(now), worst))},
                                        {"least", number_text(cross_entropy(logits_of(now), best))}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return now.model->config.classes > 0 && selection.focus.dials.true_class == worst_class(now);
}

}  // namespace loss_parts

Step loss_step() {
    return {.id = "loss",
            .own = {.node = Node::nowhere, .moves = true, .cell = loss_parts::cell},
            .facts = loss_parts::facts,
            .answer = loss_parts::answer,
            .answered = loss_parts::answered,
            .learn = "plain"};
}

}  // namespace vitrine
