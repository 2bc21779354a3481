#include <algorithm>

#include "app/rooms/explore/steps/step.h"
#include "app/rooms/explore/views/views.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"

namespace vitrine {

const std::vector<Step>& curriculum() {
    static const std::vector<Step> steps = {
        // clang-format off
        image_step(),
        patches_step(),
        patch_embedding_step(),
        class_token_step(),
        position_embedding_step(),
        layer_norm_step(),
        norm_variants_step(),
        norm_place_step(),
        qkv_step(),
        scores_step(),
        attention_matrix_step(),
        attention_step(),
        heads_step(),
        residual_step(),
        mlp_step(),
        activation_step(),
        dropout_step(),
        depth_step(),
        prediction_step(),
        loss_step(),
        learning_step(),
        explanation_step(),
        models_step(),
        // clang-format on
    };
    return steps;
}

int step_index(std::string_view id) {
    const auto& steps = curriculum();
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.id == id; });
    return found == steps.end() ? -1 : static_cast<int>(found - steps.begin());
}

const std::string& step_text(const Ui& ui, const Step& step, std::string_view key) {
    return ui.text("step." + std::string(step.id) + "." + std::string(key));
}

bool has_step_text(const Ui& ui, const Step& step, std::string_view key) {
    return ui.text.has("step." + std::string(step.id) + "." + std::string(key));
}

namespace {

/// True for the steps whose equation divides by √d.
bool divides_scores(const Step& step) {
    return step.id == "scores" || step.id == "attention_matrix" || step.id == "attention";
}

}  // namespace

std::string equation_id(const Step& step, const Result& now, const Focus& focus) {
    const auto at = [&](const Where& place) {
        return equations_of(now.model->config, now.experiment.what_ifs, place);
    };
    const Equations equations = at({focus.block});
    if (step.id == "layer_norm" && equations.norm == Norm::none) return "layer_norm_off";
    if (step.id == "residual" && equations.skip.factor == 0) return "residual_none";
    if (step.id == "residual" && equations.norm == Norm::after) return "residual_post";
    if (divides_scores(step) && !at({focus.block, focus.head, focus.token}).scores.divided)
        return std::string(step.id) + "_undivided";
    return std::string(step.id);
}

std::vector<std::string> equation_ids(const Step& step) {
    std::vector<std::string> ids = {std::string(step.id)};
    if (step.id == "layer_norm") ids.push_back("layer_norm_off");
    if (step.id == "residual") ids.insert(ids.end(), {"residual_none", "residual_post"});
    if (divides_scores(step)) ids.push_back(std::string(step.id) + "_undivided");
    return ids;
}

const std::string& equation_words(const Ui& ui, const Step& step, const std::string& id) {
    const std::string key = "equation." + id + "_words";
    return ui.text.has(key) ? ui.text(key) : step_text(ui, step, "equation");
}

std::vector<Fact> facts_of(const Ui& ui, const Step& step, const Result& now, const Selection& selection) {
    return now.has(step.beside) ? step.facts(ui, now, selection) : std::vector<Fact>();
}

std::string answer_text(const Ui& ui, const Step& step, const Result& now, const Selection& selection) {
    if (!now.has(step.beside)) return ui.text("lab.measuring");
    return step.answer ? step.answer(ui, now, selection) : step_text(ui, step, "answer");
}

Fact number_fact(const std::string& label, double value) { return {label, number_text(value), full_text(value)}; }

Fact shape_fact(const std::string& label, std::initializer_list<int> shape) {
    std::string words = "(";
    for (const int n : shape) words += (words.size() > 1 ? ", " : "") + count_text(n);
    return {label, words + ")", {}};
}

}  // namespace vitrine
