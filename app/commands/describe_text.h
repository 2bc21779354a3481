#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/text/text_model.h"

namespace vitrine {

struct TextRun;

/// Selection of a text model: a folder, or the bundled model of a task and a direction.
struct TextModelChoice {
    std::string task, to;  // no task: that of the folder's model
    std::filesystem::path folder;
};
/// Throws Error if the folder's model has another task.
std::shared_ptr<const TextModel> text_model_of(const TextModelChoice& choice);

/// The vocabulary of a model's input: of its source, or of a language model's text.
const Vocabulary& read_vocabulary(const TextModel& model);

/// The words that a model does not know, in their order.
std::vector<std::string> unknown_words(const TextModel& model, const std::vector<std::string>& words);

/// A model's output as readable text: a sentence, or a label.
std::string text_of_output(const TextModel& model, const TextRun& run);

}  // namespace vitrine
