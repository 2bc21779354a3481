#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workspace/text_look.h"
#include "core/transformer/intervention.h"

// Requests of the Text room, and their progress.

namespace vitrine {

struct TextModel;
struct TextResult;

/// The effect on a run of a wrong line of code in an exercise.
struct CodeMistake {
    std::vector<Intervention> edits;
    Ending ending = Ending::at_eos;

    bool operator==(const CodeMistake&) const = default;
};

/// Maximum number of words that continue a story: as many as fit side by side.
inline constexpr int most_words_of_story = 9;

/// A text, a model and a decoding method. Does not include settings of the display.
struct TextRequest {
    TextTask task = TextTask::translate;
    TextLanguage to = TextLanguage::japanese;
    std::shared_ptr<const TextModel> learned;  // null: the task's bundled model
    std::string text;
    std::vector<std::string> forced, what_ifs;
    std::optional<CodeMistake> mistake;
    WordSwap swap;
    DecodingMethod method = DecodingMethod::greedy;
    int width = 4, top_k = 0, seed = 1;
    float temperature = 1, top_p = 1;

    bool operator==(const TextRequest&) const = default;
};
TextRequest request_of(const TextExperiment& experiment, TextChapter chapter);

/// State of a request.
struct TextShown {
    std::shared_ptr<const TextResult> result;  // the newest one; none before the first
    bool running = false;
    bool measuring = false;            // the result is being measured for the laboratory
    double seconds = 0, fraction = 0;  // time since the request was accepted; progress of the measuring, 0 … 1
};

}  // namespace vitrine
