#include "app/chapters/shown_shape.h"
#include "app/chapters/step.h"
#include "app/rooms/figures/recorded_study.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/vit/cost.h"

namespace vitrine {

namespace models_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config chosen = config_of(selection.focus.dials.shape);
    const Config& c = shows_open_model(selection, now.model->config) ? now.model->config : chosen;
    const Cost cost = cost_of(c);
    std::vector<Fact> list = {{ui.text("fact.tokens"), whole_count(c.tokens()), {}},
                              {"d = D / h", number_text(static_cast<double>(c.embedding_dim) / c.heads), {}},
                              {ui.text("models.parameters"), whole_count(cost.parameters), {}},
                              {ui.text("models.macs"), whole_count(cost.multiply_adds), {}},
                              {ui.text("models.memory"), number_text(cost.weight_bytes / 1e6) + " MB", {}},
                              {ui.text("models.attention"), number_text(cost.attention_bytes / 1e6) + " MB", {}}};
    for (const std::uint64_t count : study_counts) {  // ViT against CNN, by the number of training pictures
        const auto share = [&](Net net) { return percent_text(recorded_study().at(net, count).mean); };
        const std::string pictures = count == 0 ? ui.text("learn.endless") : count_text(static_cast<int>(count));
        list.push_back({ui.text("fact.vit_cnn", {{"count", pictures}}), share(Net::vit) + " · " + share(Net::cnn), {}});
    }
    return list;
}

/// P is half of what it was: in the open model's shape of that model's, in a published one's of theirs, 16 or 14.
bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    const Shape open = shape_of(now.model->config), shape = shown_shape(selection, now.model->config);
    const bool own = shape.image == open.image && shape.width == open.width;
    return shape.patch <= (own ? open.patch : Shape().patch) / 2;
}

}  // namespace models_parts

Step models_step() {
    return {.id = "models",
            .own = {.node = Node::nowhere},
            .facts = models_parts::facts,
            .answered = models_parts::answered,
            .learn = "nets"};
}

}  // namespace vitrine
