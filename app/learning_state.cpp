#include "app/learning_state.h"

namespace vitrine {

namespace {

void set_size(LearningSize size, Config& c) {
    switch (size) {
        case LearningSize::tiny:
            c.embedding_dim = 48;
            c.blocks = c.heads = 3;
            break;
        case LearningSize::standard: return;
        case LearningSize::deep:
            c.embedding_dim = 48;
            c.heads = 3;
            c.blocks = 12;
            break;
    }
    c.mlp_dim = 2 * c.embedding_dim;
}

}  // namespace

Recipe recipe_of(const LearningChoice& choice) {
    Recipe r = standard_recipe();
    set_size(choice.size, r.model);
    r.model.activation = choice.activation;
    r.model.norm = choice.norm;
    r.model.skips = choice.skips;
    r.model.positions = choice.positions;
    r.optimiser = choice.optimiser;
    r.learning_rate = static_cast<double>(choice.learning_rate);
    r.batch = choice.batch;
    r.dropout = static_cast<double>(choice.dropout);
    r.promised_seconds = static_cast<double>(choice.minutes) * 60;
    return r;
}

std::vector<Recipe> LearningState::recipes() const {
    std::vector<Recipe> list = {recipe_of(choices[0])};
    if (two) list.push_back(recipe_of(choices[1]));
    return list;
}

}  // namespace vitrine
