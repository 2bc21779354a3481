#include "core/training/text/text_recipe.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/text/text_checkpoint.h"

namespace vitrine {

namespace {

constexpr double last_rate_of_texts = 0.01;  // share of the learning rate at the end of the run

/// What each task needs to be good, in sentences.
std::uint64_t usual_sentences(TextTask task) {
    switch (task) {
        case TextTask::translate: return 76'800;
        case TextTask::sentiment: return 51'200;
        case TextTask::story: return 38'400;
    }
    return 0;
}

/// The value that a key's word names.
template <class T, std::size_t n>
T named_value(const nlohmann::json& json, const char* key, const Named<T> (&list)[n]) {
    const std::string word = json.at(key);
    if (const std::optional<T> value = value_in(list, word)) return *value;
    throw Error(std::string("\"") + key + "\" is \"" + word + "\"");
}

/// Throws Error where a number of a recipe is out of range.
void within_range(const char* what, double value, double least, double most) {
    if (value >= least && value <= most) return;
    char words[160];
    std::snprintf(words, sizeof words, "%s is %g but must lie between %g and %g", what, value, least, most);
    throw Error(words);
}

}  // namespace

TextRecipe standard_text_recipe(TextTask task, TextLanguage to) {
    TextRecipe r;
    r.model = usual_text_config(task, to);
    r.sentences = {task, to, 1};
    r.promised_sentences = usual_sentences(task);
    return r;
}

void choose_optimiser(TextRecipe& recipe, Optimiser optimiser) {
    recipe.optimiser = optimiser;
    recipe.learning_rate = optimiser == Optimiser::adamw ? 0.003 : TextRecipe().learning_rate;
}

TextModel untrained_text_model(const TextRecipe& recipe) {
    return untrained_text_model(recipe.model, recipe.sentences.task, recipe.sentences.to, recipe.seed);
}

double learning_rate_at(const TextRecipe& recipe, double progress) {
    return recipe.learning_rate * rate_after(progress, recipe.warm_up, last_rate_of_texts);
}

std::string to_json(const TextRecipe& r) {
    nlohmann::ordered_json j = {{"task", name_of(r.sentences.task)},
                                {"to", name_of(r.sentences.to)},
                                {"sentence_seed", r.sentences.seed},
                                {"model", nlohmann::ordered_json::parse(to_json(r.model))},
                                {"optimiser", name_of(r.optimiser)},
                                {"learning_rate", r.learning_rate},
                                {"weight_decay", r.weight_decay},
                                {"momentum", r.momentum},
                                {"vector_rate", r.vector_rate},
                                {"warm_up", r.warm_up},
                                {"clip", r.clip},
                                {"label_smoothing", r.label_smoothing},
                                {"it_weight", r.it_weight},
                                {"batch", r.batch},
                                {"seed", r.seed}};
    if (r.promised_sentences) j["sentences"] = *r.promised_sentences;
    if (r.promised_seconds) j["seconds"] = *r.promised_seconds;
    return j.dump();
}

TextRecipe text_recipe_from_json(const std::string& text, const std::string& name) {
    constexpr const char* new_run = "; start a new run in another folder";
    if (nests_too_deeply(text)) throw Error(name + ": it nests more deeply than a recipe" + new_run);
    try {
        const auto j = nlohmann::json::parse(text);
        TextRecipe r;
        const TextTask task = named_value(j, "task", text_task_names);
        const TextLanguage to = named_value(j, "to", text_language_names);
        r.sentences = {task, to, j.at("sentence_seed")};
        r.model = text_config_from_json(j.at("model").dump(), name);
        r.model.classes = usual_text_config(task, to).classes;
        r.optimiser = named_value(j, "optimiser", optimiser_names);
        r.learning_rate = j.at("learning_rate");
        r.weight_decay = j.at("weight_decay");
        r.momentum = j.at("momentum");
        r.vector_rate = j.at("vector_rate");
        r.warm_up = j.at("warm_up");
        r.clip = j.at("clip");
        r.label_smoothing = j.at("label_smoothing");
        r.it_weight = j.at("it_weight");
        r.batch = whole(j.at("batch").get<double>());
        r.seed = j.at("seed");
        if (j.contains("sentences")) r.promised_sentences = j.at("sentences").get<std::uint64_t>();
        if (j.contains("seconds")) r.promised_seconds = j.at("seconds").get<double>();
        check(r);
        return r;
    } catch (const nlohmann::json::exception&) {
        throw Error(name + ": it does not hold the settings of a training run" + new_run);
    } catch (const Error& error) {
        throw Error(name + ": a setting of the run is unknown or out of range (" + error.what() + ")" + new_run);
    }
}

bool is_text_recipe(const std::string& text) {
    if (nests_too_deeply(text)) return false;
    const auto j = nlohmann::json::parse(text, nullptr, false);
    return j.is_object() && j.contains("task");
}

void check(const TextRecipe& r) {
    check(r.model);
    if (r.model.shape != usual_text_config(r.sentences.task, r.sentences.to).shape)
        throw Error("a Transformer of this shape does not " + std::string(name_of(r.sentences.task)));
    const int rows = longest_text(r.sentences.task) + 1;  // and [CLS], [BOS] or [EOS]
    if (r.model.longest < rows)
        throw Error("the model has " + std::to_string(r.model.longest) + " places, but sentences of this task take " +
                    std::to_string(rows));
    within_range("the batch", r.batch, 1, 4096);
    within_range("the learning rate", r.learning_rate, 0, 10);
    within_range("the weight decay", r.weight_decay, 0, 10);
    within_range("the warm-up's share", r.warm_up, 0, 1);
    within_range("the momentum", r.momentum, 0, 0.999);
    within_range("the vectors' share of the rate", r.vector_rate, 0, 10);
    within_range("the clip", r.clip, 1e-6, 1e12);
    within_range("label smoothing", r.label_smoothing, 0, 0.99);
    within_range("the weight of the auxiliary head", r.it_weight, 0, 100);
    if (r.promised_seconds) within_range("the promised time in seconds", *r.promised_seconds, 0.01, 1e7);
    if (r.promised_sentences && *r.promised_sentences < 1) throw Error("a run needs at least one sentence");
}

}  // namespace vitrine
