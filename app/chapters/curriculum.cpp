#include <algorithm>
#include <functional>
#include <map>
#include <span>

#include "app/chapters/changed_sentence.h"
#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/platform/embedded.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/workspace/block_parts.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/transformer/equations.h"
#include "core/vit/model.h"
#include "embedded/equations.h"

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
        qkv_step(),
        scores_step(),
        attention_matrix_step(),
        attention_step(),
        heads_step(),
        residual_step(),
        mlp_step(),
        activation_step(),
        depth_step(),
        prediction_step(),
        loss_step(),
        norm_variants_step(),
        norm_place_step(),
        dropout_step(),
        learning_step(),
        explanation_step(),
        models_step(),
        two_towers_step(),
        // clang-format on
    };
    return steps;
}

int step_index(std::string_view id) {
    const auto& steps = curriculum();
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.id == id; });
    return found == steps.end() ? -1 : static_cast<int>(found - steps.begin());
}

const Step& step_at(const Focus& focus) { return curriculum()[static_cast<std::size_t>(focus.step)]; }

std::string key_of_aspect(const Step& step, const std::string& part, const Focus& focus) {
    const std::string aspect = step.own.aspect == nullptr ? "" : step.own.aspect(focus);
    return key_of(step, aspect.empty() ? part : part + "_" + aspect);
}

namespace {

/// True if an equation's name is the id followed by "_" and an ending.
bool extends(std::string_view name, std::string_view id) {
    return name.starts_with(id) && name.substr(id.size()).starts_with('_');
}

}  // namespace

std::vector<std::string> other_equations(const Step& step) {
    constexpr std::string_view folder = "equations/", ending = ".svg";
    const std::string_view id = step.id;
    std::vector<std::string> names;
    for (const Embedded& file : equations()) {
        const std::string_view name = file.name.substr(folder.size(), file.name.size() - folder.size() - ending.size());
        const bool is_of_another = std::ranges::any_of(curriculum(), [&](const Step& other) {  // of attention_matrix
            const std::string_view longer = other.id;
            return longer.size() > id.size() && (name == longer || extends(name, longer));
        });
        if (extends(name, id) && !is_of_another) names.emplace_back(name);
    }
    return names;
}

Formula formula_of(const Ui& ui, const Step& step, const Result& now, const Focus& focus) {
    static const std::map<std::string_view, std::vector<std::string>> others = [] {
        std::map<std::string_view, std::vector<std::string>> all;
        for (const Step& each : curriculum()) all[each.id] = other_equations(each);
        return all;
    }();
    const std::string id = step.equation != nullptr ? step.equation(now, focus) : std::string(step.id);
    Formula formula{id, equation_words(ui.text, id, key_of(step, "equation")), others.at(step.id)};
    formula.others.emplace_back(step.id);
    return formula;
}

std::string equation_of_scores(std::string_view id, const Result& now, const Focus& focus) {
    const Where here{focus.block, focus.head, focus.token};
    const bool divided = equations_of(now.model->config, now.experiment.what_ifs, here).scores.divided;
    return std::string(id) + (divided ? "" : "_undivided") + equation_of_block_parts(id, now.model->config);
}

PlacedMap map_of(const Focus& focus) { return {{focus.block, focus.head}, focus.token}; }

ExtraResults wanted_beside(const Step& step, const Focus& focus) {
    ExtraResults wanted = step.own.beside;
    if (step.own.tries_map) wanted.trial = map_of(focus);
    return wanted;
}

std::vector<Fact> facts_of(const Ui& ui, const Step& step, const Result& now, const Selection& selection) {
    return now.has(step.own.beside) ? step.facts(ui, now, selection) : std::vector<Fact>();
}

std::string answer_text(const Ui& ui, const Step& step, const Result& now, const Selection& selection) {
    if (!now.has(step.own.beside)) return ui.text("lab.measuring");
    return step.answer ? step.answer(ui, now, selection) : ui.text(key_of(step, "answer"));
}

namespace {

/// How a run with these equations contradicts a chapter's usual sentence: "off", "undivided" …; empty: not at all.
std::string change_of_sentence(std::string_view step, const Config& c, const Equations& run) {
    if (step == "position_embedding") {
        const bool none = position_structure(c) == "unpositioned";  // nothing can be switched off
        return run.positions == 0 && !none ? "off" : "";
    }
    if (step == "layer_norm") return run.norm == Norm::none ? "off" : "";
    if (step == "residual" || step == "heads") return run.skip.factor == 0 ? "off" : "";
    if (step == "scores") return run.scores.divided ? "" : "undivided";
    if (step == "qkv")
        return run.key_is_query && run.value_is_query ? "one"
               : run.key_is_query                     ? "keys"
               : run.value_is_query                   ? "values"
                                                      : "";
    return {};
}

}  // namespace

bool is_everywhere(const Config& config, std::span<const Intervention> what_ifs,
                   const std::function<bool(const Equations&)>& holds) {
    for (int block = 1; block <= config.blocks; ++block)
        if (!holds(equations_of(config, what_ifs, {block}))) return false;
    return true;
}

std::string key_of_sentence(const Config& config, std::span<const Intervention> what_ifs, const Focus& focus) {
    const Step& step = step_at(focus);
    std::string change = change_of_sentence(step.id, config, equations_of(config, what_ifs, {focus.block}));
    // A part that is switched off in every block has a sentence about all blocks, not about this one.
    const bool of_block = step.id == "layer_norm" || step.id == "residual";
    if (of_block && !change.empty() && is_everywhere(config, what_ifs, [&](const Equations& e) {
            return change_of_sentence(step.id, config, e) == change;
        }))
        change += "_everywhere";
    return change.empty() ? key_of_aspect(step, "sentence", focus) : key_of(step, "sentence_" + change);
}

}  // namespace vitrine
