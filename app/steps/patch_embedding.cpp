#include <algorithm>

#include "app/inference_worker.h"
#include "app/steps/step.h"
#include "app/text.h"
#include "app/widgets/number.h"
#include "core/analysis.h"

namespace vitrine {

namespace {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const int token = std::max(1, selection.token_in_view()), feature = selection.feature_in_view();
    const FilterProduct f =
        filter_product(now.baseline.embedding->image, now.model->weights.patch_embedding, token - 1, feature);
    return {{ui.text("fact.selected"), short_token_name(ui, token), {}},
            {ui.text("fact.feature"), count_text(feature), {}},
            number_fact("Σ patch · filter", f.sum),
            number_fact("b", f.bias),
            number_fact("xₚ E + b", f.result),
            shape_fact("E", {c.patch_dim(), c.embedding_dim}),
            shape_fact("xₚ E + b", {c.patches(), c.embedding_dim})};
}

}  // namespace

Step patch_embedding_step() { return {"patch_embedding", Node::embedding, patch_embedding_view, facts, false}; }

}  // namespace vitrine
