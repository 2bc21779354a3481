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
    Scenes scenes = Scenes::pictograms;  // of both runs, which are looked at with the same pictures
    Activation activation = Activation::gelu;
    Norm norm = Norm::before;
    bool skips = true, positions = true;
    Optimiser optimiser = Optimiser::muon;
    float learning_rate = 0.01F;
    int batch = 32;
    float dropout = 0;
    int distinct = 0;   // so many different pictures; 0: endless
    float minutes = 3;  // promised; of learning, pauses not counted
    int pictures = 0;   // promised instead of minutes, where not 0

    bool operator==(const LearningChoice&) const = default;
};

Recipe recipe_of(const LearningChoice& choice);

/// What learns, and what of it is looked at.
struct LearningState {
    std::array<LearningChoice, 2> choices;
    bool two = false;    // runs side by side
    bool study = false;  // instead of them: Vision Transformer against convolutional net, from few and many pictures
    int edited = 0;      // whose choices the controls show

    int block = 0;               // ℓ of the attention that is drawn; 0: the last
    std::optional<int> head;     // none: the mean over the heads
    std::optional<float> scrub;  // 0 … 1, back through the kept moments; none: live

    bool operator==(const LearningState&) const = default;

    std::vector<Recipe> recipes() const;
    /// Whether the same runs learn, whatever is looked at.
    bool same_runs(const LearningState& other) const {
        return study == other.study && two == other.two && choices[0] == other.choices[0] &&
               (!two || choices[1] == other.choices[1]);
    }
};

/// The state as JSON, and back. Throws Error.
std::string to_json(const LearningState& state);
LearningState parse_learning(const std::string& json);

/// The pictures that a run whose pictures run out learns from, repetitions counted, so that it shows the same however
/// fast the machine is.
inline constexpr int counted_pictures = 80'000;

/// The names of the runs that show what a chapter speaks of: "plain", "dropout", "skips", …
const std::vector<std::string>& runs_to_choose();
/// Chooses those of a name.
void choose_runs(LearningState& state, std::string_view lesson);

}  // namespace vitrine
