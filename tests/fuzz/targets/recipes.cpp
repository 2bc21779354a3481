#include "core/base/error.h"
#include "core/training/recipe.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

void recipes(Bytes bytes) {
    try {
        const Recipe recipe = recipe_from_json(std::string(text_of(bytes)), "run");
        const std::string words = to_json(recipe);
        demand(to_json(recipe_from_json(words, "written")) == words,
               "a recipe is the same when it is written and read");
        demand(learning_rate_at(recipe, 0.5) >= 0, "a rate is no less than nothing");
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
