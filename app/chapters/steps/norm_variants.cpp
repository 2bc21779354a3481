#include <cmath>

#include "app/chapters/shown_norm.h"
#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"

namespace vitrine {

namespace norm_variants_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const auto count = static_cast<double>(c.embedding_dim);
    const auto& cube = now.batch->shape();
    return {{ui.text("fact.selected"), short_token_name(ui, now, selection.focus.token), {}},
            {"D", count_text(c.embedding_dim), {}},
            number_fact("√((D − 1) / D)", std::sqrt((count - 1) / count)),
            number_fact("ε", static_cast<double>(c.layer_norm_epsilon)),
            shape_fact(ui.text("fact.cube"),
                       {static_cast<int>(cube[0]), static_cast<int>(cube[1]), static_cast<int>(cube[2])})};
}

bool answered(const Result&, const Selection& selection, const WhatIfs&) { return selection.focus.batch_norm; }

Table table(const Result& now, const Selection& selection) {
    const NormVariants v = variants_of_norm(now, selection);
    const std::string input = selection.focus.half == Half::attention ? "z" : "z′";
    return table_of_columns(selection.focus.half == Half::attention ? "ln1" : "ln2", "feature",
                            {{"PyTorch: (" + input + " − μ) ÷ √(σ² + ε)", v.biased},
                             {"Annotated: (" + input + " − μ) ÷ (s + ε)", v.unbiased},
                             {"difference", v.difference}});
}

}  // namespace norm_variants_parts

Step norm_variants_step() {
    return {.id = "norm_variants",
            .own = {.node = Node::norm,
                    .moves = true,
                    .depends = {.block = true, .token = true, .half = true},
                    .beside = {.batch = true},
                    .table = norm_variants_parts::table},
            .facts = norm_variants_parts::facts,
            .answered = norm_variants_parts::answered};
}

}  // namespace vitrine
