#pragma once

#include <array>
#include <string>

#include "app/rooms/learning/chosen_runs.h"

namespace vitrine {

/// Which text Transformers learn, of one task, and what of them is looked at.
struct TextLearningState : ChosenRuns<Texts> {
    TextLearningState() { choices[0] = choices[1] = usual_choice(TextTask::translate); }

    int sample = 1;     // the text that is looked at closely; as many as there are samples: the one that was typed
    std::string typed;  // in the task's language
    float pace = 10;    // steps a second at most; 0: as fast as it goes

    bool operator==(const TextLearningState&) const = default;

    TextTask task() const { return choices[0].task; }
    TextLanguage to() const { return choices[0].to; }
    /// Another task or direction, as its measured recipe has it; what was typed in another language is gone.
    void choose(TextTask task, TextLanguage to = TextLanguage::japanese);
    /// The other direction of a translation; runs of one's own are remembered. Nothing where it is that one already.
    void choose_direction(TextLanguage to);
    /// Whether it is what the task, in its direction, begins with.
    bool is_usual() const { return !two && choices[0] == usual_choice(task(), to()); }
    /// Remembers the runs where they are no experiment; what the task begins with does not push others of it out.
    void keep_own();
    /// Whether there are runs of one's own to go back to, of this task.
    bool has_kept() const { return kept && kept->choices[0].task == task(); }
    void go_back_to_own();
    /// A text of one's own; empty: none.
    void type(const std::string& text);
};

/// The steps a second that can be chosen, 0 for as fast as it goes.
inline constexpr std::array<float, 4> text_paces = {2, 10, 40, 0};

/// What may be typed, in bytes.
inline constexpr std::size_t most_typed = 240;

/// The state as JSON, and back. Throws Error.
std::string to_json(const TextLearningState& state);
TextLearningState text_learning_from_json(const std::string& json);

}  // namespace vitrine
