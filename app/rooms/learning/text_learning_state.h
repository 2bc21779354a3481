#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/training/text/text_presets.h"

namespace vitrine {

struct TextRecipe;

/// Text Transformers of one's own, kept while those of an experiment stand in their place.
struct OwnTexts {
    std::array<TextChoice, 2> choices;
    bool two = false;

    bool operator==(const OwnTexts&) const = default;
};

/// Which text Transformers learn, and what of them is looked at.
struct TextLearningState {
    std::array<TextChoice, 2> choices = {usual_choice(TextTask::translate), usual_choice(TextTask::translate)};
    bool two = false;              // runs side by side, of one task
    int edited = 0;                // whose choices the controls show
    bool own = false;              // the controls show choices of one's own, instead of the list of experiments
    std::optional<OwnTexts> kept;  // where an experiment stands in their place

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
    std::vector<TextRecipe> recipes() const;
    /// Whether the same runs learn, whatever is looked at.
    bool same_runs(const TextLearningState& other) const {
        return two == other.two && choices[0] == other.choices[0] && (!two || choices[1] == other.choices[1]);
    }
};

/// The steps a second that can be chosen, 0 for as fast as it goes.
inline constexpr std::array<float, 4> text_paces = {2, 10, 40, 0};

/// What may be typed, in bytes.
inline constexpr std::size_t most_typed = 240;

/// The experiment that both runs are, unchanged; null where they are none.
const TextPreset* experiment_of(const TextLearningState& state);

/// The state as JSON, and back. Throws Error.
std::string to_json(const TextLearningState& state);
TextLearningState text_learning_from_json(const std::string& json);

}  // namespace vitrine
