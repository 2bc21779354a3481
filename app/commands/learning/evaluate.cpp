#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/commands/commands.h"
#include "app/commands/image_list.h"
#include "app/commands/learning/evaluate_text.h"
#include "app/commands/outputs.h"
#include "app/commands/progress_line.h"
#include "app/library/library.h"
#include "app/platform/printable.h"
#include "core/training/evaluation.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

Json evaluation_json(const AttentionQuality& q) {
    return {{"object_mass", q.object_mass},
            {"mass_ratio", q.mass_ratio},
            {"object_density", q.object_density},
            {"distractor_density", q.distractor_density},
            {"occluder_density", q.occluder_density},
            {"background_density", q.background_density},
            {"pointing", q.pointing}};
}

/// Figures of a model's answers; with "same_different" if it was trained with pairs.
Json evaluation_json(const AnswerQuality& q, bool pairs) {
    Json j = {{"accuracy", q.accuracy},
              {"calibration_error", q.calibration_error},
              {"median_top_probability", q.median_top_probability},
              {"decisive_heads", q.decisive_heads}};
    if (pairs) j["same_different"] = q.same_different;
    return j;
}

Json evaluation_json(const Evaluation& e, const Model& model) {
    const bool pairs = set_with_classes(model.config.labels)->pairs;
    Json j = {{"model", model.provenance.name}, {"count", e.answers.count}};
    j.update(evaluation_json(e.answers, pairs));
    for (const AnswerQuality& q : e.difficulty) j["difficulty"][name_of(q.difficulty)] = evaluation_json(q, pairs);
    j.update({{"last_block", evaluation_json(e.last_block)},
              {"rollout", evaluation_json(e.rollout)},
              {"untrained_pointing", e.untrained_pointing},
              {"saliency_pointing", e.saliency_pointing},
              {"object_area", e.object_area},
              {"entropy", {{"least", e.least_entropy}, {"most", e.most_entropy}}},
              {"distance", {{"least", e.least_distance}, {"most", e.most_distance}}},
              {"head_divergence", e.head_divergence},
              {"lens", e.lens},
              {"labels", model.config.labels},
              {"confusion", e.confusion}});
    return j;
}

void print_quality(const char* name, const AttentionQuality& q) {
    std::printf("%s\n", name);
    std::printf("  on the object            %5.1f %% of the map, %.2f times its share of the area\n",
                100 * q.object_mass, q.mass_ratio);
    std::printf("  density (1 is uniform)   object %.2f, distractors %.2f, what covers it %.2f, background %.2f\n",
                q.object_density, q.distractor_density, q.occluder_density, q.background_density);
    std::printf("  points at the object     %5.1f %%\n", 100 * q.pointing);
}

void print_answers(const AnswerQuality& q) {
    std::printf("%s pictures\n", name_of(q.difficulty));
    std::printf(
        "  right                    %5.1f %%, calibration error %.1f %%, median of the top probability %.1f %%\n",
        100 * q.accuracy, 100 * q.calibration_error, 100 * q.median_top_probability);
    std::printf("  a head that matters      on %.1f %%: without it the top probability changes by 10 points or more\n",
                100 * q.decisive_heads);
    if (q.same_different > 0) std::printf("  two, alike or different  %5.1f %% right\n", 100 * q.same_different);
}

void print_confusion(const Evaluation& e, const Model& model) {
    std::printf("confusion (rows: the true class, columns: what the model says, in the same order)\n");
    for (std::size_t row = 0; row < e.confusion.size(); ++row) {
        std::printf("  %-14s", printable(model.config.label(static_cast<int>(row))).c_str());
        for (const int n : e.confusion[row]) n > 0 ? std::printf(" %4d", n) : std::printf("    ·");
        std::printf("\n");
    }
}

void print_evaluation(const Evaluation& e, const Model& model) {
    std::printf("%s: %.2f %% of %d unseen pictures\n", printable(model.provenance.name).c_str(),
                100 * e.answers.accuracy, e.answers.count);
    for (const AnswerQuality& q : e.difficulty) print_answers(q);
    print_quality("attention of the class token, last block, mean over the heads", e.last_block);
    print_quality("attention rollout of the class token", e.rollout);
    std::printf("pointing without training: untrained net %.1f %%, plain saliency %.1f %%\n",
                100 * e.untrained_pointing, 100 * e.saliency_pointing);
    std::printf(
        "heads: entropy %.2f to %.2f nats, mean distance %.1f to %.1f pixels, divergence in the last block %.3f "
        "nats\n",
        e.least_entropy, e.most_entropy, e.least_distance, e.most_distance, e.head_divergence);
    std::printf("probability of the true class by block:");
    for (const double p : e.lens) std::printf(" %.3f", p);
    std::printf("\n");
    print_confusion(e, model);
}

/// Evaluates one model; returns the figures as JSON, and prints them as text unless `o.json`.
Json evaluated(const EvaluateOptions& o) {
    if (asks_about_text(o)) return evaluated_text(o);
    const auto model = open_model(o.model.source());
    EvaluationRequest request{.count = o.count, .seed = o.seed};
    request.threads = o.threads > 0 ? o.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    request.ablated = o.ablated;
    request.kept_blocks = o.model.runs(model, run_and_what_if, request.threads).kept_blocks;
    ProgressLine line(o.quiet);
    request.progress = line.progress();
    const Evaluation e = evaluate(*model, request);
    if (!o.json) print_evaluation(e, *model);
    return evaluation_json(e, *model);
}

}  // namespace

int evaluate_command(const EvaluateOptions& o) {
    EvaluateOptions one = o;
    const ModelList list = model_list(o.models);
    if (list.many)
        return for_each_model(list, o.model, o.json, [&](const ModelOptions& model) {
            one.model = model;
            return evaluated(one);
        });
    if (!list.models.empty()) one.model.path = list.models.front();
    const Json result = evaluated(one);
    if (o.json) print_json(result);
    return 0;
}

}  // namespace vitrine
