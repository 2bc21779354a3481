#include "app/rooms/learning/learning_state.h"

namespace vitrine {

namespace {

/// Pictures of 32 pixels in patches of 4: as many tokens as the bundled model has, learned in two thirds of the time.
void set_size(LearningSize size, Config& c) {
    c.image_height = c.image_width = 32;
    c.patch_size = 4;
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

void choose_runs(LearningState& state, std::string_view lesson) {
    LearningChoice a, b;
    if (lesson == "skips" || lesson == "norms" || lesson == "wiring") a.size = b.size = LearningSize::deep;
    if (lesson == "dropout") b.dropout = 0.2F;
    if (lesson == "skips") b.skips = false;
    if (lesson == "norms") b.norm = Norm::none;
    if (lesson == "wiring") b.norm = Norm::after;
    if (lesson == "activation") b.activation = Activation::relu;
    if (lesson == "positions") b.positions = false;
    state.choices = {a, b};
    state.two = !(a == b);
    state.edited = 0;
    state.reset_asked = true;
}

}  // namespace vitrine
