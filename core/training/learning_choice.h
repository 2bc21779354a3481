#pragma once

#include "core/base/names.h"
#include "core/training/chosen_rate.h"
#include "core/training/families.h"
#include "core/training/optimiser_kind.h"
#include "core/training/pictures/pictures.h"
#include "core/transformer/config.h"

// What can be chosen of a model that a class watches while it learns: the learning room's controls, experiments, and
// what is claimed of them.

namespace vitrine {

/// The sizes of model that a class can watch.
enum class LearningSize { tiny, standard, deep };
inline constexpr Named<LearningSize> size_names[] = {
    {LearningSize::tiny, "tiny"}, {LearningSize::standard, "standard"}, {LearningSize::deep, "deep"}};

/// A run as a user chooses it.
struct LearningChoice {
    using Family = Pictures;

    LearningSize size = LearningSize::standard;
    int patch = 4;  // P, of 32 pixels; with 8 there are a quarter of the tokens, learned in a quarter of the time
    Scenes scenes = Scenes::pictograms;  // of both runs, which are looked at with the same pictures
    Activation activation = Activation::gelu;
    Norm norm = Norm::before;
    bool skips = true, positions = true;
    Optimiser optimiser = Optimiser::muon;
    ChosenRate learning_rate = 0.01F;
    int batch = 32;
    float dropout = 0;
    int distinct = 0;   // so many different pictures; 0: endless
    float minutes = 3;  // promised; of learning, pauses not counted
    int pictures = 0;   // promised instead of minutes, where not 0

    bool operator==(const LearningChoice&) const = default;
};

Recipe recipe_of(const LearningChoice& choice);

}  // namespace vitrine
