#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/training/families.h"
#include "core/training/optimiser.h"

namespace vitrine {

/// What a recipe of either family says beside its model and its examples. The same recipe, with a promised number of
/// examples and the same number of threads, gives the same bits.
struct RunRecipe {
    Optimiser optimiser = Optimiser::muon;
    double learning_rate = 1e-2;
    double weight_decay = 0.05;  // of matrices
    double momentum = 0.9;       // Muon's
    double vector_rate = 0.3;    // AdamW's share of the rate for what Muon leaves to it
    double warm_up = 0.06;       // share of the run in which the rate rises
    double clip = 1;             // largest norm of the gradient; Muon does not feel its length
    double label_smoothing = 0;  // share of the probability that is spread over all classes, or words
    int batch = 32;
    std::uint64_t seed = 1;                          // of the first weights and of dropout
    std::optional<std::uint64_t> promised_examples;  // pictures or sentences to learn from
    std::optional<double> promised_seconds;
};

/// Another optimiser, at the learning rate that the family's runs usually have.
template <std::derived_from<RunRecipe> Recipe>
void choose_optimiser(Recipe& recipe, Optimiser optimiser) {
    recipe.optimiser = optimiser;
    recipe.learning_rate = Recipe::Family::usual_rate(optimiser);
}

/// The learning rate after a share (0 … 1) of the run: a straight warm-up, then half a cosine down.
template <std::derived_from<RunRecipe> Recipe>
double learning_rate_at(const Recipe& recipe, double progress) {
    return recipe.learning_rate * rate_after(progress, recipe.warm_up, Recipe::Family::last_rate);
}

// For the recipes of the two families.

/// Adds the optimiser's settings to a recipe's JSON, and what was promised: so many of the family's `examples`.
void write_optimiser(nlohmann::ordered_json& json, const RunRecipe& recipe);
void write_promise(nlohmann::ordered_json& json, const RunRecipe& recipe, const char* examples);
/// Reads both back, with batch and seed.
void read_run(const nlohmann::json& json, RunRecipe& recipe, const char* examples);

/// Error where a number lies outside its range, or one of what all recipes have.
void check_range(const char* what, double value, double least, double most);
void check_run(const RunRecipe& recipe, const char* one_example);

}  // namespace vitrine
