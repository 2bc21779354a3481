#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/rooms/learning/chosen_runs.h"
#include "app/rooms/learning/text_learning_state.h"

namespace vitrine {

/// What learns, and what of it is looked at. The chosen runs are those of pictures, as all else but `scrub` is.
struct LearningState : ChosenRuns<Pictures> {
    bool texts = false;  // text Transformers learn, instead of those of pictures
    TextLearningState text;

    bool study = false;  // instead of runs: Vision Transformer against convolutional net, from few and many pictures
    int block = 0;       // ℓ of the attention that is drawn; 0: the last
    std::optional<int> head;     // none: the mean over the heads
    std::optional<float> scrub;  // 0 … 1, back through the kept moments; none: live

    bool recorded = false;  // instead of live runs: those that were recorded of the experiment
    float played = 0;       // how far of them is shown, 0 … 1
    bool playing = false;

    bool operator==(const LearningState&) const = default;

    /// What learns: pictures, or texts of a task, whose runs stay where they are of that task already.
    void choose_subject(std::optional<TextTask> task);
    /// Those of pictures, or the study's.
    std::vector<Recipe> recipes() const;
    /// Remembers the runs of pictures where they are no experiment; the choices that all begin with do not push others
    /// out.
    void keep_own();
    /// Pictures again: the kept runs of one's own.
    void go_back_to_own();
    /// Whether the same runs learn, whatever is looked at.
    bool same_runs(const LearningState& other) const {
        return texts == other.texts && (texts ? text.same_runs(other.text) : same_pictures(other));
    }
    /// The same of those that learn pictures, shown or not.
    bool same_pictures(const LearningState& other) const {
        return study == other.study && ChosenRuns::same_runs(other);
    }
};

/// The state as JSON, and back. Throws Error.
std::string to_json(const LearningState& state);
LearningState parse_learning(const std::string& json);

/// The pictures that a run whose pictures run out learns from, repetitions counted, so that it shows the same however
/// fast the machine is.
inline constexpr int counted_pictures = 80'000;

/// The experiment of pictures that both runs are, unchanged; null where they are none.
const Preset<Pictures>* experiment_of(const LearningState& state);

/// Whether it is shown how long the runs take before they begin: those of an experiment, on the tab of experiments.
bool says_time(const LearningState& state);

/// Whether a recording moves on with every frame.
bool is_playing(const LearningState& state);

/// A recording that plays goes on; without motions it is at its end at once.
void play_recording(LearningState& state, float seconds, bool motions);

/// The names of the runs that show what a chapter speaks of: "plain", "dropout", "skips", …
const std::vector<std::string>& runs_to_choose();
/// Chooses those of a name; those of one's own that were in their place are kept.
void choose_runs(LearningState& state, std::string_view lesson);
/// Whether there are runs of one's own to go back to, of what learns now.
bool has_kept(const LearningState& state);
/// Puts the kept runs of one's own in their place again, with the controls of their choices.
void go_back_to_own(LearningState& state);

}  // namespace vitrine
