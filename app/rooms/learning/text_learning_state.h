#pragma once

#include <array>
#include <string>

#include "app/rooms/learning/chosen_runs.h"
#include "core/training/text/text_choice.h"

namespace vitrine {

/// The chosen runs of text Transformers, all of one task, and the view of them.
struct TextLearningState : ChosenRuns<Texts> {
    TextLearningState() { choices[0] = choices[1] = usual_choice(TextTask::translate); }

    int sample = 1;     // index of the text shown in detail; the number of samples means the typed text
    std::string typed;  // in the input language of the task
    float pace = 10;    // maximum steps per second; 0: unlimited

    bool operator==(const TextLearningState&) const = default;

    TextTask task() const { return choices[0].task; }
    TextLanguage to() const { return choices[0].to; }
    /// Chooses one default run of a task and direction; drops the typed text unless both are unchanged.
    void choose(TextTask task, TextLanguage to = TextLanguage::japanese);
    /// Chooses a direction of translation and keeps the custom runs. Does nothing if the direction is unchanged.
    void choose_direction(TextLanguage to);
    /// True if one run with the default settings of its task and direction is chosen.
    bool is_usual() const { return !two && choices[0] == usual_choice(task(), to()); }
    /// Keeps the custom runs; default runs do not replace kept ones.
    void keep_own();
    /// True if there are kept custom runs of this task.
    bool has_kept() const { return kept && kept->choices[0].task == task(); }
    /// Restores the kept custom runs of this task; does nothing if there are none.
    void go_back_to_own();
    /// Sets the typed text, cut to `most_typed` bytes, and shows it; if empty, shows a sample.
    void type(const std::string& text);
};

/// The selectable paces in steps per second; 0: unlimited.
inline constexpr std::array<float, 4> text_paces = {2, 10, 40, 0};

/// Longest typed text in bytes.
inline constexpr std::size_t most_typed = 240;

/// Converts the state to JSON, and back. `text_learning_from_json` throws Error if the JSON is not such a state.
std::string to_json(const TextLearningState& state);
TextLearningState text_learning_from_json(const std::string& json);

}  // namespace vitrine
