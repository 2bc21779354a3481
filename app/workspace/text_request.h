#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workspace/text_look.h"
#include "core/transformer/intervention.h"

// What the Text room asks for, and how far that is.

namespace vitrine {

struct TextModel;
struct TextResult;

/// What an exercise's wrong line does to a run.
struct CodeMistake {
    std::vector<Intervention> edits;
    Ending ending = Ending::at_eos;

    bool operator==(const CodeMistake&) const = default;
};

/// A text, a model and how the next words are chosen. What only changes the look is no part of it.
struct TextRequest {
    TextTask task = TextTask::translate;
    TextLanguage to = TextLanguage::japanese;
    std::shared_ptr<const TextModel> learned;  // null: the bundled one of the task
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

/// How far a text is.
struct TextShown {
    std::shared_ptr<const TextResult> result;  // the newest finished one; none before the first
    bool running = false;
    double seconds = 0;  // since it was taken up
};

}  // namespace vitrine
