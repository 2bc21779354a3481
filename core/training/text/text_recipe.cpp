#include "core/training/text/text_recipe.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/text/text_checkpoint.h"

namespace vitrine {

namespace {

/// Number of sentences that a task needs for good results.
std::uint64_t usual_sentences(TextTask task) {
    switch (task) {
        case TextTask::translate: return 76'800;
        case TextTask::sentiment: return 51'200;
        case TextTask::story: return 38'400;
    }
    return 0;
}

/// The value named under a JSON key. Throws Error for an unknown name.
template <class T, std::size_t n>
T named_value(const nlohmann::json& json, const char* key, const Named<T> (&list)[n]) {
    const std::string word = json.at(key);
    if (const std::optional<T> value = value_in(list, word)) return *value;
    throw Error(std::string("\"") + key + "\" is \"" + word + "\"");
}

}  // namespace

TextRecipe standard_text_recipe(TextTask task, TextLanguage to) {
    TextRecipe r;
    r.model = usual_text_config(task, to);
    r.sentences = {task, to, 1};
    r.promised_examples = usual_sentences(task);
    return r;
}

TextModel untrained_text_model(const TextRecipe& recipe) {
    return untrained_text_model(recipe.model, recipe.sentences.task, recipe.sentences.to, recipe.seed);
}

std::string to_json(const TextRecipe& r) {
    nlohmann::ordered_json j = {{"task", name_of(r.sentences.task)},
                                {"to", name_of(r.sentences.to)},
                                {"sentence_seed", r.sentences.seed},
                                {"model", nlohmann::ordered_json::parse(to_json(r.model))}};
    write_optimiser(j, r);
    j["it_weight"] = r.it_weight;
    j["batch"] = r.batch;
    j["seed"] = r.seed;
    write_budget(j, r, Texts::examples);
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
        read_run(j, r, Texts::examples);
        r.it_weight = j.at("it_weight");
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
    const int rows = longest_text(r.sentences.task) + 1;  // 1 for [CLS], [BOS] or [EOS]
    if (r.model.longest < rows)
        throw Error("the model has " + std::to_string(r.model.longest) + " positions; sentences of this task need " +
                    std::to_string(rows));
    check_run(r, "sentence");
    check_range("the weight of the auxiliary head", r.it_weight, 0, 100);
}

}  // namespace vitrine
