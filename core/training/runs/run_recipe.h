#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/training/families.h"

namespace vitrine {

/// The part of a recipe that is common to both families. The same recipe, with a fixed number of examples and threads,
/// gives the same bits.
struct RunRecipe {
    Optimiser optimiser = Optimiser::muon;
    double learning_rate = 1e-2;
    double weight_decay = 0.05;  // for matrices
    double momentum = 0.9;       // Muon's
    double vector_rate = 0.3;    // AdamW's rate under Muon, as a share of Muon's
    double warm_up = 0.06;       // share of the run with a rising rate
    double clip = 1;             // largest norm of the gradient; does not affect Muon
    double label_smoothing = 0;  // share of the probability spread over all classes or words
    int batch = 32;
    std::uint64_t seed = 1;                          // for initial weights and dropout
    std::optional<std::uint64_t> promised_examples;  // training pictures or sentences
    std::optional<double> promised_seconds;
};

/// Sets the optimiser, with its default learning rate in the family.
template <std::derived_from<RunRecipe> Recipe>
void choose_optimiser(Recipe& recipe, Optimiser optimiser) {
    recipe.optimiser = optimiser;
    recipe.learning_rate = Recipe::Family::usual_rate(optimiser);
}

/// Factor of the learning rate at a progress of 0 … 1: linear warm-up, then half a cosine down to `last`.
double rate_after(double progress, double warm_up, double last);

/// Learning rate at a share 0 … 1 of the run: linear warm-up, then half a cosine.
template <std::derived_from<RunRecipe> Recipe>
double learning_rate_at(const Recipe& recipe, double progress) {
    return recipe.learning_rate * rate_after(progress, recipe.warm_up, Recipe::Family::last_rate);
}

// Helpers for the recipes of the two families.

/// Add to a recipe's JSON the optimiser's settings, and the fixed number of examples (under the key `examples`) or
/// time.
void write_optimiser(nlohmann::ordered_json& json, const RunRecipe& recipe);
void write_budget(nlohmann::ordered_json& json, const RunRecipe& recipe, const char* examples);
/// Reads both, and the batch and seed.
void read_run(const nlohmann::json& json, RunRecipe& recipe, const char* examples);

/// Throws Error if a number is out of range; check_run checks the numbers common to all recipes.
void check_range(const char* what, double value, double least, double most);
void check_run(const RunRecipe& recipe, const char* one_example);

}  // namespace vitrine
