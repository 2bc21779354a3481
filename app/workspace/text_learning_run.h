#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workspace/learning_run.h"
#include "core/text/text_samples.h"
#include "core/training/text/text_evaluation.h"
#include "core/training/text/text_trainer.h"

// What the learning room shows of text Transformers while they learn: made by app/jobs/text_learning.

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

/// A run at one moment: all that is drawn of it. Immutable.
struct TextMoment {
    TextStepReport report;
    double loss = 0;                     // smoothed over the last steps, in nats a word or a review
    double held_out = 0, attention = 0;  // right_of and attention_of, when they were last measured
    TalliedHead head;                    // the one that looks most at what decides; a translation is shown by the mean
    double seconds = 0;                  // of learning
    std::shared_ptr<const TextModel> model;
    std::vector<SaidText> said;  // of each text that it is looked at with
};

/// A run's course.
struct TextCurve {
    std::vector<double> sentences, loss;
    /// Now and then, on held-out examples: right_of and attention_of.
    std::vector<double> checked, held_out, attention;
};

/// One run as the window sees it.
struct TextRunView {
    TextRecipe recipe;
    RunStage stage = RunStage::ready;
    double progress = 0;              // 0 … 1
    double sentences_per_second = 0;  // lately
    std::shared_ptr<const TextMoment> now;
    std::vector<std::shared_ptr<const TextMoment>> kept;  // from the first on, evenly thinned
    std::shared_ptr<const TextCurve> curve;
    /// Sentences a second of this run alone, as a few steps took that were timed aside before it began; once that is
    /// known.
    std::optional<double> expected_pace = {};
};

/// How long all runs together take on this machine, from nothing to their end, at most `pace` steps of all of them a
/// second (0: as fast as it goes), looking at them and measuring them left out; nothing while that is not known.
std::optional<double> expected_seconds(const std::vector<TextRunView>& runs, double pace);

/// What a model makes of texts; `head` is the one that reviews and stories are shown by.
std::vector<SaidText> say(const TextModel& model, const std::vector<LookedText>& texts, const TalliedHead& head);

/// Whether there are runs, and none of them learns any more.
bool are_over(const std::vector<TextRunView>& runs);
/// Whether one of them could learn longer: it did not diverge.
bool can_go_on(const std::vector<TextRunView>& runs);

}  // namespace vitrine
