#include "core/training/text/text_choice.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/training/text/text_recipe.h"
#include "core/transformer/trained_positions.h"

namespace vitrine {

namespace {

constexpr Named<Norm> norm_table[] = {{Norm::before, "before"}, {Norm::after, "after"}, {Norm::none, "none"}};
constexpr int most_sentences = 10'000'000;

/// Sets `value` to the one named under `key`; keeps it if there is no such key. Throws Error for an unknown name.
template <class T, std::size_t n>
void take(const nlohmann::json& json, const char* key, const Named<T> (&list)[n], T& value) {
    if (!json.contains(key)) return;
    const std::string word = json.at(key);
    const std::optional<T> named = value_in(list, word);
    if (!named) throw Error("\"" + word + "\" is not a choice of \"" + key + "\"; there are " + listed(names_of(list)));
    value = *named;
}

bool possible(const TextChoice& c) {
    const bool heads = c.heads == 1 || c.heads == 2 || c.heads == 4 || c.heads == 8;
    return heads && c.blocks >= 1 && c.blocks <= 6 && c.learning_rate > 0 && c.learning_rate < 1 && c.sentences >= 1 &&
           c.sentences <= most_sentences;
}

}  // namespace

TextChoice usual_choice(TextTask task, TextLanguage to) {
    const TextRecipe usual = standard_text_recipe(task, to);
    TextChoice c;
    c.task = task;
    c.to = to;
    c.norm = usual.model.norm;
    c.positions = usual.model.positions;
    c.heads = usual.model.heads;
    c.learning_rate = static_cast<float>(usual.learning_rate);
    c.sentences = task == TextTask::sentiment ? 25'600 : 19'200;
    return c;
}

TextRecipe recipe_of(const TextChoice& c) {
    TextRecipe r = standard_text_recipe(c.task, c.to);
    r.model.norm = c.norm;
    r.model.positions = c.positions;
    r.model.scaled = c.scaled;
    r.model.causal = c.causal;
    r.model.names_it = r.model.names_it && c.names_it;
    r.model.heads = c.heads;
    if (r.model.has_decoder()) r.model.decoder_blocks = c.blocks;
    if (r.model.has_encoder()) r.model.blocks = c.blocks;
    r.optimiser = c.optimiser;
    r.learning_rate = static_cast<double>(c.learning_rate.value);
    r.promised_examples = static_cast<std::uint64_t>(c.sentences);
    return r;
}

std::string to_json(const TextChoice& c) {
    nlohmann::ordered_json json = {{"task", name_of(c.task)},
                                   {"to", name_of(c.to)},
                                   {"norm", name_in(norm_table, c.norm)},
                                   {"positions", name_in(trained_positions, c.positions)},
                                   {"scaled", c.scaled},
                                   {"causal", c.causal},
                                   {"names_it", c.names_it},
                                   {"heads", c.heads},
                                   {"blocks", c.blocks},
                                   {"optimiser", name_of(c.optimiser)},
                                   {"learning_rate", c.learning_rate.value},
                                   {"sentences", c.sentences}};
    if (c.learning_rate.by_user) json["rate_by_user"] = true;
    return json.dump();
}

TextChoice text_choice_from_json(const std::string& text) {
    const std::string refusal = "'" + text + "' says nothing about training a text Transformer; record again";
    if (nests_too_deeply(text)) throw Error(refusal);
    try {
        const auto json = nlohmann::json::parse(text);
        TextTask task = TextTask::translate;
        TextLanguage to = TextLanguage::japanese;
        take(json, "task", text_task_names, task);
        take(json, "to", text_language_names, to);
        TextChoice c = usual_choice(task, to);
        take(json, "norm", norm_table, c.norm);
        take(json, "positions", trained_positions, c.positions);
        take(json, "optimiser", optimiser_names, c.optimiser);
        c.scaled = json.value("scaled", c.scaled);
        c.causal = json.value("causal", c.causal);
        c.names_it = json.value("names_it", c.names_it);
        c.heads = whole(json.value("heads", static_cast<double>(c.heads)));
        c.blocks = whole(json.value("blocks", static_cast<double>(c.blocks)));
        c.learning_rate = {json.value("learning_rate", c.learning_rate.value), json.value("rate_by_user", false)};
        c.sentences = whole(json.value("sentences", static_cast<double>(c.sentences)));
        if (!possible(c))
            throw Error(
                "the heads, the blocks, the rate or the sentences of a training run are outside the range that can be "
                "chosen");
        return c;
    } catch (const nlohmann::json::exception&) {
        throw Error(refusal);
    }
}

}  // namespace vitrine
