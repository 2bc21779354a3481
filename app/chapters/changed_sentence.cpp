#include "app/chapters/changed_sentence.h"

#include "app/chapters/model_words.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/transformer/equations.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

/// What a run does otherwise than a chapter's usual sentence says; empty: nothing.
std::string change_of_sentence(std::string_view step, const Result& now, const Focus& focus) {
    const Config& c = now.model->config;
    const Equations run = equations_of(c, now.experiment.what_ifs, {focus.block});
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

std::string key_of_sentence(const Step& step, const Result& now, const Focus& focus) {
    const std::string change = change_of_sentence(step.id, now, focus);
    return change.empty() ? key_of_aspect(step, "sentence", focus) : key_of(step, "sentence_" + change);
}

}  // namespace vitrine
