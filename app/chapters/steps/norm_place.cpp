#include <numeric>

#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace norm_place_parts {

/// The mean Euclidean norm of the tokens at a level, 0 … L.
double mean_length(const PictureMeasures& measures, int level) {
    const std::vector<float>& norms = measures.stream[static_cast<std::size_t>(level)]->norms;
    return std::accumulate(norms.begin(), norms.end(), 0.0) / static_cast<double>(norms.size());
}

std::string place_words(const Ui& ui, Norm norm) {
    switch (norm) {
        case Norm::before: return ui.text("learn.norm.before");
        case Norm::after: return ui.text("learn.norm.after");
        case Norm::none: return ui.text("learn.norm.none");
    }
    return {};
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const int block = selection.focus.block;
    const auto length = [&](int level) {
        return number_fact(ui.text("fact.length_mean", {{"level", std::to_string(level)}}),
                           mean_length(now.measures, level));
    };
    return {{ui.text("fact.norm_learned"), place_words(ui, c.norm), {}},
            {ui.text("fact.norm_now"), place_words(ui, equations_of(c, now.experiment.what_ifs, {block}).norm), {}},
            length(0),
            length(block),
            length(c.blocks)};
}

/// Post-norm for a model trained with pre-norm, pre-norm for one trained with post-norm.
Norm other_place(const Result& now) { return now.model->config.norm == Norm::after ? Norm::before : Norm::after; }

std::vector<Intervention> switches(const Result& now, const Focus& focus) {
    return {normalise(other_place(now), focus.block), normalise(other_place(now))};
}

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    const int last = now.model->config.blocks;
    const auto length_text = [&](const PictureMeasures& measures, int level) {
        return number_text(mean_length(measures, level));
    };
    if (!contains(now.experiment.what_ifs, normalise(other_place(now)))) return ui.text("norm_place.first");
    if (now.experiment.what_ifs.size() > 1) return ui.text("answer.alone");
    return ui.text("step.norm_place.answer", {{"last", std::to_string(last)},
                                              {"before", length_text(now.baseline_measures, last)},
                                              {"after", length_text(now.measures, last)},
                                              {"start", length_text(now.baseline_measures, 0)}});
}

bool answered(const Result& now, const Selection&, const WhatIfs& what_ifs) {
    return contains(what_ifs, normalise(other_place(now)));
}

/// The curves of the figure, with a row for each level.
Table table(const Result& now, const Selection&) {
    std::vector<float> before, after;
    for (int level = 0; level <= now.model->config.blocks; ++level) {
        before.push_back(static_cast<float>(mean_length(now.baseline_measures, level)));
        after.push_back(static_cast<float>(mean_length(now.measures, level)));
    }
    std::vector<TableColumn> columns = {{"mean length of z", after}};
    if (!now.experiment.what_ifs.empty()) columns.push_back({"without changes", before});
    return table_of_columns("mean_length", "level", columns);
}

std::vector<Intervention> asked(const Result& now, const Selection&) { return {normalise(other_place(now))}; }

}  // namespace norm_place_parts

Step norm_place_step() {
    return {.id = "norm_place",
            .own = {.node = Node::norm,
                    .depends = {.block = true},
                    .table = norm_place_parts::table,
                    .asked = norm_place_parts::asked},
            .facts = norm_place_parts::facts,
            .switches = norm_place_parts::switches,
            .answer = norm_place_parts::answer,
            .answered = norm_place_parts::answered,
            .learn = "wiring"};
}

}  // namespace vitrine
