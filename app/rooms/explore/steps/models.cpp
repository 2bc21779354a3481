#include "app/rooms/explore/steps/step.h"
#include "app/rooms/explore/views/models_view.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"

namespace vitrine {

namespace {

std::vector<Fact> facts(const Ui& ui, const Result&, const Selection& selection) {
    const Shape& s = selection.focus.dials.shape;
    const Cost cost = cost_of(s);
    return {{ui.text("fact.tokens"), whole_count(s.tokens()), {}},
            {"d = D / h", number_text(static_cast<double>(s.width) / s.heads), {}},
            {ui.text("models.parameters"), whole_count(cost.parameters), {}},
            {ui.text("models.macs"), whole_count(cost.multiply_adds), {}},
            {ui.text("models.memory"), number_text(cost.weight_bytes / 1e6) + " MB", {}},
            {ui.text("models.attention"), number_text(cost.attention_bytes / 1e6) + " MB", {}}};
}

bool answered(const Result&, const Selection& selection, const WhatIfs&) {
    return selection.focus.dials.shape.patch <= Shape{}.patch / 2;
}

}  // namespace

Step models_step() {
    return {.id = "models", .node = Node::nowhere, .view = models_view, .facts = facts, .answered = answered};
}

}  // namespace vitrine
