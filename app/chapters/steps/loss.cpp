#include <algorithm>
#include <cmath>

#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/measures/catalogue.h"

namespace vitrine {

namespace loss_parts {

std::span<const float> logits_of(const Result& now) {
    return {now.trace.head->logits.data(), now.trace.head->logits.size()};
}

double loss_of_a_guess(const Result& now) { return std::log(static_cast<double>(now.model->config.classes)); }

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    if (c.classes == 0) return {};
    const int chosen = true_class_of(now, selection);
    const float q = now.trace.head->probabilities(0, static_cast<std::size_t>(chosen));
    return {{ui.text("fact.true_class"), class_name(ui, *now.model, chosen), {}},
            number_fact("Q", static_cast<double>(q)),
            number_fact(ui.text("fact.loss"), cross_entropy(logits_of(now), chosen)),
            number_fact("Q − P", static_cast<double>(q) - 1),
            number_fact(ui.text("fact.uniform_loss"), loss_of_a_guess(now)),
            shape_fact(ui.text("fact.logits"), {1, c.classes})};
}

std::optional<Cell> cell(const Result& now, const Selection& selection) {
    return Cell{Quantity::probabilities, 0, 0, 0, true_class_of(now, selection)};
}

/// The most probable class whose loss exceeds that of a uniform guess; of equal ones the first.
int first_beyond_a_guess(const Result& now) {
    const std::vector<int> order = largest(logits_of(now), now.model->config.classes);
    const auto beyond = [&](int c) { return cross_entropy(logits_of(now), c) > loss_of_a_guess(now); };
    const auto found = std::ranges::find_if(order, beyond);
    return found == order.end() ? order.back() : *found;
}

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    if (now.model->config.classes == 0) return ui.text("step.loss.answer.no_classes");
    const int first = first_beyond_a_guess(now);
    int beyond = 0;  // classes whose loss exceeds that of a uniform guess
    for (int c = 0; c < now.model->config.classes; ++c)
        beyond += cross_entropy(logits_of(now), c) > loss_of_a_guess(now) ? 1 : 0;
    return ui.text("step.loss.answer", {{"class", class_in_words(ui, *now.model, first)},
                                        {"loss", number_text(cross_entropy(logits_of(now), first))},
                                        {"guess", number_text(loss_of_a_guess(now))},
                                        {"count", std::to_string(beyond)},
                                        {"classes", std::to_string(now.model->config.classes)}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return now.model->config.classes > 0 && selection.focus.dials.true_class == first_beyond_a_guess(now);
}

/// The bars of the figure.
Table table(const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    if (c.classes == 0) return {};
    const std::span<const float> logits = logits_of(now);
    const Tensor2& probabilities = now.trace.head->probabilities;
    std::vector<float> p(logits.size(), 0.0F), q(probabilities.begin(), probabilities.end()), slope = q;
    const auto chosen = static_cast<std::size_t>(true_class_of(now, selection));
    p[chosen] = 1;
    slope[chosen] -= 1;
    Table table = table_of_columns("loss", "class", {{"P", p}, {"Q", q}, {"Q − P", slope}});
    table.labels.front() = class_labels(c);
    return table;
}

}  // namespace loss_parts

Step loss_step() {
    return {.id = "loss",
            .own = {.node = Node::nowhere, .moves = true, .cell = loss_parts::cell, .table = loss_parts::table},
            .facts = loss_parts::facts,
            .answer = loss_parts::answer,
            .answered = loss_parts::answered,
            .learn = "plain"};
}

}  // namespace vitrine
