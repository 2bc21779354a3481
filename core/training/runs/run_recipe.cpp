#include "core/training/runs/run_recipe.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/base/error.h"
#include "core/base/json_limits.h"

namespace vitrine {

double rate_after(double progress, double warm_up, double last) {
    if (progress < warm_up) return 0.001 + 0.999 * progress / warm_up;
    const double share = std::min(1.0, (progress - warm_up) / (1 - warm_up));
    return last + (1 - last) * (1 + std::cos(std::numbers::pi * share)) / 2;
}

void write_optimiser(nlohmann::ordered_json& json, const RunRecipe& r) {
    json["optimiser"] = name_of(r.optimiser);
    json["learning_rate"] = r.learning_rate;
    json["weight_decay"] = r.weight_decay;
    json["momentum"] = r.momentum;
    json["vector_rate"] = r.vector_rate;
    json["warm_up"] = r.warm_up;
    json["clip"] = r.clip;
    json["label_smoothing"] = r.label_smoothing;
}

void write_budget(nlohmann::ordered_json& json, const RunRecipe& r, const char* examples) {
    if (r.promised_examples) json[examples] = *r.promised_examples;
    if (r.promised_seconds) json["seconds"] = *r.promised_seconds;
}

void read_run(const nlohmann::json& json, RunRecipe& r, const char* examples) {
    const std::string word = json.at("optimiser");
    const std::optional<Optimiser> optimiser = value_in(optimiser_names, word);
    if (!optimiser) throw Error("\"optimiser\" is \"" + word + "\"");
    r.optimiser = *optimiser;
    r.learning_rate = json.at("learning_rate");
    r.weight_decay = json.at("weight_decay");
    r.momentum = json.at("momentum");
    r.vector_rate = json.at("vector_rate");
    r.warm_up = json.at("warm_up");
    r.clip = json.at("clip");
    r.label_smoothing = json.at("label_smoothing");
    r.batch = whole(json.at("batch").get<double>());
    r.seed = json.at("seed");
    if (json.contains(examples)) r.promised_examples = json.at(examples).get<std::uint64_t>();
    if (json.contains("seconds")) r.promised_seconds = json.at("seconds").get<double>();
}

void check_range(const char* what, double value, double least, double most) {
    if (value >= least && value <= most) return;
    char words[160];
    std::snprintf(words, sizeof words, "%s is %g but must be between %g and %g", what, value, least, most);
    throw Error(words);
}

void check_run(const RunRecipe& r, const char* one_example) {
    check_range("the batch", r.batch, 1, 4096);
    check_range("the learning rate", r.learning_rate, 0, 10);
    check_range("the weight decay", r.weight_decay, 0, 10);
    check_range("the warm-up's share", r.warm_up, 0, 1);
    check_range("the momentum", r.momentum, 0, 0.999);
    check_range("the vectors' share of the rate", r.vector_rate, 0, 10);
    check_range("the clip", r.clip, 1e-6, 1e12);
    check_range("label smoothing", r.label_smoothing, 0, 0.99);
    if (r.promised_seconds) check_range("the promised time in seconds", *r.promised_seconds, 0.01, 1e7);
    if (r.promised_examples && *r.promised_examples < 1)
        throw Error("a run needs at least one " + std::string(one_example));
}

}  // namespace vitrine
