#pragma once

#include "core/training/optimiser_kind.h"

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

    static constexpr const char *examples = "sentences", *unseen = "held-out sentences";
    static constexpr double last_rate = 0.01;
    static constexpr double second_beta = 0.98, epsilon = 1e-9;
    static constexpr double usual_rate(Optimiser optimiser) { return optimiser == Optimiser::adamw ? 0.003 : 0.01; }
};

}  // namespace vitrine
