#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/text/text_model.h"

namespace vitrine {

struct Decoding;
struct TextRun;

/// Selection of a text model: a folder, or the bundled model of a task and a direction.
struct TextModelChoice {
    std::string task, to;  // no task: that of the folder's model
    std::filesystem::path folder;
};
/// Opens the chosen model. Throws Error if the folder's model has another task.
std::shared_ptr<const TextModel> text_model_of(const TextModelChoice& choice);

/// The vocabulary of a model's input: of its source, or of a language model's text.
const Vocabulary& read_vocabulary(const TextModel& model);

/// The words that a model does not know, in their order.
std::vector<std::string> unknown_words(const TextModel& model, const std::vector<std::string>& words);

/// A model's output as readable text: a sentence, or a label.
std::string text_of_output(const TextModel& model, const TextRun& run);

std::string joined_by_spaces(const std::vector<std::string>& words);

/// The input words for the model's task; throws Error if there are none, too many or more than one sentence.
std::vector<std::string> words_to_read(const TextModel& model, const std::string& typed);

/// A text model's identity for manifests and dumps: task, sizes and hashes of its files. `folder`: empty if bundled.
nlohmann::ordered_json facts_of_text_model(const TextModel& model, const std::filesystem::path& folder);
/// The inputs of a text's run (model, text, decoding), for a manifest and the metadata of a dump.
nlohmann::ordered_json facts_of_text_run(nlohmann::ordered_json model, const std::vector<std::string>& words,
                                         const Decoding& how);

}  // namespace vitrine
