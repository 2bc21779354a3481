#include "app/inference_worker.h"
#include "app/steps/step.h"
#include "app/text.h"
#include "app/widgets/number.h"

namespace vitrine {

namespace {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    return {{ui.text("fact.selected"), short_token_name(ui, selection.token_in_view()), {}},
            {"P", count_text(c.patch_size), {}},
            {"Nₚ = HW / P²", count_text(c.patches()), {}},
            {"N = Nₚ + 1", count_text(c.tokens()), {}},
            {"P²·C", count_text(c.patch_dim()), {}},
            shape_fact("xₚ", {c.patches(), c.patch_dim()})};
}

}  // namespace

Step patches_step() { return {"patches", Node::patches, patches_view, facts, true}; }

}  // namespace vitrine
