#include <string>
#include <vector>

#include "app/chapters/shown_shape.h"
#include "app/chapters/step.h"
#include "app/rooms/figures/recorded_study.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/vit/cost.h"
#include "core/vit/weight_parts.h"

namespace vitrine {

namespace models_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config c = shown_config(selection, now.model->config);
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

/// Whether P is at most half of the original one: the open model's, or ViT-Base's 16 if the chosen shape is like a
/// published model's. Moving another slider does not matter.
bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    const Shape open = shape_of(now.model->config), shape = shown_shape(selection, now.model->config);
    constexpr int least_published_head = 64;  // D / h of a published model
    const bool own = shape.image == open.image && shape.width == open.width && shape.heads == open.heads;
    const bool published = shape.image == Shape().image && shape.width >= least_published_head * shape.heads;
    return shape.patch <= (published && !own ? Shape().patch : open.patch) / 2;
}

/// The numbers of the figure: a row for each model, with its weights by part.
Table table(const Result& now, const Selection& selection) {
    std::vector<TableColumn> columns;
    for (const char* const name : {"L", "D", "M", "h", "N", "parameters", "multiply-adds", "bytes"})
        columns.push_back({name, {}});
    for (const Named<WeightPart>& part : weight_part_names) {
        const bool last = part.value == WeightPart::head;  // of the model, not of attention
        columns.push_back({std::string("weights: ") + (last ? "classifier" : part.name), {}});
    }
    std::vector<std::string> names;
    const auto add = [&](const std::string& name, const Config& c) {
        const Cost cost = cost_of(c);
        std::vector<double> row = {static_cast<double>(c.blocks),
                                   static_cast<double>(c.embedding_dim),
                                   static_cast<double>(c.mlp_dim),
                                   static_cast<double>(c.heads),
                                   static_cast<double>(c.tokens()),
                                   cost.parameters,
                                   cost.multiply_adds,
                                   cost.weight_bytes};
        for (const double count : weight_sizes(c).by_part) row.push_back(count);
        for (std::size_t i = 0; i < columns.size(); ++i) columns[i].values.push_back(static_cast<float>(row[i]));
        names.push_back(name);
    };
    const Config& open = now.model->config;
    add(now.model->provenance.name, open);
    for (const KnownModel& known : known_models) add(known.name, config_of(known.shape));
    add("Custom", shown_config(selection, open));
    Table table = table_of_columns("models", "model", columns);
    table.labels.front() = names;
    return table;
}

}  // namespace models_parts

Step models_step() {
    return {.id = "models",
            .own = {.node = Node::nowhere, .table = models_parts::table},
            .facts = models_parts::facts,
            .answered = models_parts::answered,
            .learn = "nets"};
}

}  // namespace vitrine
