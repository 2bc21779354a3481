#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/rooms/learning/chosen_runs.h"
#include "app/rooms/learning/text_learning_state.h"
#include "core/training/learning_choice.h"

namespace vitrine {

/// The chosen runs and the view of them. The base and the members are for runs on pictures, except `texts`, `text` and
/// `scrub`.
struct LearningState : ChosenRuns<Pictures> {
    bool texts = false;  // text Transformers instead of models of pictures
    TextLearningState text;

    bool study = false;          // the study of Vision Transformers and convolutional nets instead of runs
    int block = 0;               // ℓ of the drawn attention; 0: the last
    std::optional<int> head;     // of the drawn attention; none: the mean over the heads
    std::optional<float> scrub;  // 0 … 1, a kept moment; none: live

    bool recorded = false;  // the experiment's recorded runs instead of live ones
    float played = 0;       // played share of the recording, 0 … 1
    bool playing = false;

    bool operator==(const LearningState&) const = default;

    /// Chooses pictures, or texts of a task; if the task is already chosen, its runs stay.
    void choose_subject(std::optional<TextTask> task);
    /// Recipes of the runs on pictures, or of the study.
    std::vector<Recipe> recipes() const;
    /// Keeps the custom runs on pictures; default runs do not replace kept ones.
    void keep_own();
    /// Restores the kept custom runs on pictures.
    void go_back_to_own();
    /// True if the runs are the same; the view of them may differ.
    bool same_runs(const LearningState& other) const {
        return texts == other.texts && (texts ? text.same_runs(other.text) : same_pictures(other));
    }
    /// The same for the runs on pictures, shown or not.
    bool same_pictures(const LearningState& other) const {
        return study == other.study && ChosenRuns::same_runs(other);
    }
};

/// Converts the state to JSON, and back. `parse_learning` throws Error if the JSON is not such a state.
std::string to_json(const LearningState& state);
LearningState parse_learning(const std::string& json);

/// Number of training pictures, counting repetitions, for runs with a fixed length, whose results then do not depend on
/// the machine's speed.
inline constexpr int counted_pictures = 80'000;

/// The experiment on pictures whose two runs are chosen without changes; null if there is none.
const Preset<Pictures>* experiment_of(const LearningState& state);

/// True if the runs' duration is shown before they begin: for experiments, on their tab.
bool shows_duration(const LearningState& state);

/// True if a recording advances with every frame.
bool is_playing(const LearningState& state);

/// Advances a playing recording by `seconds`; without animations (`motions` false) it jumps to the end.
void play_recording(LearningState& state, float seconds, bool motions);

/// Names of the runs that chapters refer to: "plain", "dropout", "skips", …
const std::vector<std::string>& runs_to_choose();
/// Chooses the runs of one of those names, and keeps the custom runs that they replace.
void choose_runs(LearningState& state, std::string_view name);
/// True if there are kept custom runs of the current family.
bool has_kept(const LearningState& state);
/// Restores the kept custom runs of the current family and shows their controls.
void go_back_to_own(LearningState& state);

}  // namespace vitrine
