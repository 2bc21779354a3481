#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/training/recipe.h"

namespace vitrine {

/// The sizes of model that a class can watch.
enum class LearningSize { tiny, standard, deep };

/// A run as a user chooses it.
struct LearningChoice {
    LearningSize size = LearningSize::standard;
    Activation activation = Activation::gelu;
    Norm norm = Norm::before;
    bool skips = true, positions = true;
    Optimiser optimiser = Optimiser::muon;
    float learning_rate = 0.01F;
    int batch = 32;
    float dropout = 0;
    float minutes = 3;  // promised; of learning, pauses not counted

    bool operator==(const LearningChoice&) const = default;
};

Recipe recipe_of(const LearningChoice& choice);

/// The learning view's own state: what is chosen, what is looked at, and what is asked for in this frame.
struct LearningState {
    std::array<LearningChoice, 2> choices;
    bool two = false;  // runs side by side
    int edited = 0;    // whose choices the controls show

    int block = 0;               // ℓ of the attention that is drawn; 0: the last
    std::optional<int> head;     // none: the mean over the heads
    std::optional<float> scrub;  // 0 … 1, back through the kept moments; none: live

    bool toggle_asked = false, step_asked = false, reset_asked = false;
    std::optional<int> open_asked, save_asked;  // a run's number
    std::string told;                           // what saving has done

    std::vector<Recipe> recipes() const;
};

/// The runs that show what a chapter speaks of: plain, dropout, skips, norms, wiring, activation or positions.
void choose_runs(LearningState& state, std::string_view lesson);

}  // namespace vitrine
