#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/text/text_model.h"

namespace vitrine {

/// Which text model a command means: a folder's, or the bundled one of a task and a direction.
struct TextModelChoice {
    std::string task, to;  // no task: whatever the folder's model is for
    std::filesystem::path folder;
};
/// Throws Error where the folder's model is for another task.
std::shared_ptr<const TextModel> text_model_of(const TextModelChoice& choice);

/// The words that a model reads: of its source, or of a language model's text.
const Vocabulary& read_vocabulary(const TextModel& model);

/// Those of some words that a model does not know, in their order.
std::vector<std::string> unknown_words(const TextModel& model, const std::vector<std::string>& words);

/// What a model produced, as one reads it: a sentence, or a label.
std::string text_of_output(const TextModel& model, const std::vector<std::string>& words);

}  // namespace vitrine
