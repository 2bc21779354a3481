#pragma once

#include "core/base/names.h"
#include "core/training/families.h"
#include "core/training/pictures/picture_set.h"
#include "core/transformer/config.h"

// Options of a model trained live in class: for the learning room's controls, experiments and the claims about them.

namespace vitrine {

/// Sizes of model small enough to watch in training.
enum class LearningSize { tiny, standard, deep };
inline constexpr Named<LearningSize> size_names[] = {
    {LearningSize::tiny, "tiny"}, {LearningSize::standard, "standard"}, {LearningSize::deep, "deep"}};

/// A run's options as set by the user.
struct LearningChoice {
    using Family = Pictures;

    LearningSize size = LearningSize::standard;
    int patch = 4;  // P, of 32 pixels; 8 gives a quarter of the tokens and trains in a quarter of the time
    Scenes scenes = Scenes::pictograms;  // of both runs, which are compared on the same pictures
    Activation activation = Activation::gelu;
    Norm norm = Norm::before;
    bool skips = true, positions = true;
    Optimiser optimiser = Optimiser::muon;
    ChosenRate learning_rate = 0.01F;
    int batch = 32;
    float dropout = 0;
    int distinct = 0;   // number of distinct pictures; 0: endless
    float minutes = 3;  // planned training time, without pauses
    int pictures = 0;   // planned length instead of minutes, if not 0

    bool operator==(const LearningChoice&) const = default;
};

Recipe recipe_of(const LearningChoice& choice);

}  // namespace vitrine
