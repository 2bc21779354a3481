#pragma once

#include <string>
#include <vector>

#include "app/workspace/run_view.h"
#include "core/text/text_samples.h"
#include "core/training/text/text_evaluation.h"
#include "core/training/text/text_recipe.h"

// The view of text Transformers in training.

namespace vitrine {

/// A text shown to every run.
struct LookedText {
    std::vector<std::string> words;     // input
    std::vector<std::string> expected;  // expected output; none if unknown
    bool operator==(const LookedText&) const = default;
};

/// The samples of a task in order, followed by the typed text if it has words. Translations and reviews are whole
/// sentences; a story is given as its beginning.
std::vector<LookedText> looked_texts(TextTask task, TextLanguage to, const std::string& typed);

/// A model's output for a text.
struct SaidText {
    std::vector<std::string> input;   // as it was read
    std::vector<std::string> output;  // a translation, the next words of a story, or only a review's label
    bool right = false;               // the output is the expected one
    double probability = 0;           // of a review's label, or of a story's next word

    // Attention: the row of each word produced, or of [CLS].
    std::vector<std::string> queries = {}, keys = {};
    std::vector<float> attention = {};  // (queries, keys)
};

template <>
struct RunMoment<Texts> : RunMomentBase<Texts> {
    double held_out = 0, attention = 0;  // right_of and attention_of, as last measured
    TalliedHead head;                    // the head that attends most to the deciding words; translations show the mean
    std::vector<SaidText> said;          // for each shown text; empty for a run that diverged
};

/// A model's outputs for texts; `head` is shown for reviews and stories.
std::vector<SaidText> say(const TextModel& model, const std::vector<LookedText>& texts, const TalliedHead& head);

}  // namespace vitrine
