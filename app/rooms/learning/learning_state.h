#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/rooms/learning/chosen_runs.h"
#include "app/rooms/learning/text_learning_state.h"
#include "core/training/learning_choice.h"

namespace vitrine {

/// The chosen runs and the view of them. The base is for pictures, like everything else but `scrub`.
struct LearningState : ChosenRuns<Pictures> {
    bool texts = false;  // text Transformers instead of models of pictures
    TextLearningState text;

    bool study =
        false;      // the study instead of runs: Vision Transformer versus convolutional net, on few and many pictures
    int block = 0;  // ℓ of the drawn attention; 0: the last
    std::optional<int> head;     // none: the mean over the heads
    std::optional<float> scrub;  // 0 … 1, a kept moment; none: live

    bool recorded = false;  // the experiment's recorded runs instead of live ones
    float played = 0;       // played share, 0 … 1
    bool playing = false;

    bool operator==(const LearningState&) const = default;

    /// Chooses pictures, or texts of a task; runs of that task stay if they are there already.
    void choose_subject(std::optional<TextTask> task);
    /// Recipes for pictures, or the study's.
    std::vector<Recipe> recipes() const;
    /// Keeps the custom runs of pictures; the default choices do not replace others.
    void keep_own();
    /// Pictures again, with the kept custom runs.
    void go_back_to_own();
    /// True if the runs are the same, whatever the view.
    bool same_runs(const LearningState& other) const {
        return texts == other.texts && (texts ? text.same_runs(other.text) : same_pictures(other));
    }
    /// The same for the runs of pictures, shown or not.
    bool same_pictures(const LearningState& other) const {
        return study == other.study && ChosenRuns::same_runs(other);
    }
};

/// JSON of the state, and back. Throws Error.
std::string to_json(const LearningState& state);
LearningState parse_learning(const std::string& json);

/// Number of training pictures, repetitions counted, for runs with finite pictures, so that they show the same however
/// fast the machine is.
inline constexpr int counted_pictures = 80'000;

/// The experiment of pictures that both runs belong to, unchanged; null if there is none.
const Preset<Pictures>* experiment_of(const LearningState& state);

/// True if the runs' duration is shown before they begin: for experiments, on their tab.
bool shows_duration(const LearningState& state);

/// True if a recording advances with every frame.
bool is_playing(const LearningState& state);

/// Advances a playing recording; without animations it jumps to the end.
void play_recording(LearningState& state, float seconds, bool motions);

/// Names of the runs that chapters refer to: "plain", "dropout", "skips", …
const std::vector<std::string>& runs_to_choose();
/// Chooses the runs of a name; keeps the custom runs they replace.
void choose_runs(LearningState& state, std::string_view lesson);
/// True if there are kept custom runs of the current family.
bool has_kept(const LearningState& state);
/// Restores the kept custom runs, with their tab.
void go_back_to_own(LearningState& state);

}  // namespace vitrine
