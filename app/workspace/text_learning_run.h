#pragma once

#include <string>
#include <vector>

#include "app/workspace/run_view.h"
#include "core/text/text_samples.h"
#include "core/training/text/text_evaluation.h"
#include "core/training/text/text_recipe.h"

// What is shown of text Transformers while they learn.

namespace vitrine {

/// A text that every run is looked at with.
struct LookedText {
    std::vector<std::string> words;     // that are read
    std::vector<std::string> expected;  // that should be said; none where nobody knows
    bool operator==(const LookedText&) const = default;
};

/// The samples of a task in their order, and behind them what was typed, where it has words. A translation and a review
/// are whole sentences; a story is what it goes on from.
std::vector<LookedText> looked_texts(TextTask task, TextLanguage to, const std::string& typed);

/// What a model makes of a text.
struct SaidText {
    std::vector<std::string> input;   // as it was read
    std::vector<std::string> output;  // a translation, a story's next words, a review's label alone
    bool right = false;               // it says what was expected
    double probability = 0;           // of a review's label, or of a story's next word

    // Where it looks: the row of each word that is produced, or of [CLS].
    std::vector<std::string> queries = {}, keys = {};
    std::vector<float> attention = {};  // (queries, keys)
};

template <>
struct RunMoment<Texts> : RunMomentBase<Texts> {
    double held_out = 0, attention = 0;  // right_of and attention_of, when they were last measured
    TalliedHead head;                    // the one that looks most at what decides; a translation is shown by the mean
    std::vector<SaidText> said;          // of each text that it is looked at with; nothing of a run that diverged
};

/// What a model makes of texts; `head` is the one that reviews and stories are shown by.
std::vector<SaidText> say(const TextModel& model, const std::vector<LookedText>& texts, const TalliedHead& head);

}  // namespace vitrine
