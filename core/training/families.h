#pragma once

#include <concepts>

#include "core/base/names.h"

// Properties of the two families of models that can be trained. Shared code (recipe, trainer, files, the window's job,
// views, experiments) is a template over these.

namespace vitrine {

class FlatTextWeights;
class FlatWeights;
struct LearningChoice;
struct Model;
struct Recipe;
struct TextChoice;
struct TextModel;
struct TextRecipe;

enum class Optimiser {
    muon,   ///< Muon (Jordan et al. 2024) for the blocks' matrices, AdamW for the rest
    adamw,  ///< AdamW (Loshchilov & Hutter 2019) for all
};
inline constexpr Named<Optimiser> optimiser_names[] = {{Optimiser::muon, "muon"}, {Optimiser::adamw, "adamw"}};
constexpr const char* name_of(Optimiser optimiser) { return name_in(optimiser_names, optimiser); }

/// Classifiers of pictures.
struct Pictures {
    using Recipe = vitrine::Recipe;
    using Choice = LearningChoice;
    using Model = vitrine::Model;
    using Weights = FlatWeights;

    static constexpr const char* examples = "pictures";          // unit of training, used in files
    static constexpr const char* unseen = "fresh pictures";      // unit of testing
    static constexpr double last_rate = 0.005;                   // share of the learning rate at the end of a run
    static constexpr double second_beta = 0.99, epsilon = 1e-8;  // AdamW's
    static constexpr double usual_rate(Optimiser optimiser) { return optimiser == Optimiser::adamw ? 0.002 : 0.01; }
};

/// Transformers that translate sentences, classify reviews or continue stories.
struct Texts {
    using Recipe = TextRecipe;
    using Choice = TextChoice;
    using Model = TextModel;
    using Weights = FlatTextWeights;

    static constexpr const char *examples = "sentences", *unseen = "unseen sentences";
    static constexpr double last_rate = 0.01;
    static constexpr double second_beta = 0.98, epsilon = 1e-9;
    static constexpr double usual_rate(Optimiser optimiser) { return optimiser == Optimiser::adamw ? 0.003 : 0.01; }
};

/// A learning rate, and whether the user has set it; a set rate survives a change of optimiser. Compares by value.
struct ChosenRate {
    float value = 0;
    bool by_user = false;

    ChosenRate(float rate, bool user = false) : value(rate), by_user(user) {}
    operator float() const { return value; }
    bool operator==(const ChosenRate& other) const { return value == other.value; }
};

/// Sets a choice's optimiser, with its default rate in that family unless the user has set one.
template <class Choice>
requires std::same_as<decltype(Choice::learning_rate), ChosenRate>
void choose_optimiser(Choice& choice, Optimiser optimiser) {
    choice.optimiser = optimiser;
    if (!choice.learning_rate.by_user) choice.learning_rate = static_cast<float>(Choice::Family::usual_rate(optimiser));
}

}  // namespace vitrine
