#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/files/safetensors.h"
#include "core/text/text_model.h"

namespace vitrine {

/// A configuration as JSON, as in config.json and recipes, without the sizes of vocabularies, and back. Throws Error,
/// naming `name`, if the text is not such an object or `check` rejects it.
std::string to_json(const TextConfig& config);
TextConfig text_config_from_json(const std::string& text, const std::string& name);

/// Throws Error if no such Transformer can exist: sizes out of range or not divisible, stacks that do not fit the
/// shape. Does not check vocabularies and classes.
void check(const TextConfig& config);

/// Writes a model as a folder: config.json, vocabulary.json and model.safetensors with the names of `parameters_of`.
/// Creates the folder and its parents; every file is marked as written by Vitrine. Throws Error if it cannot be
/// written.
void save_text_model(const TextModel& model, const std::filesystem::path& folder, Precision precision);

/// Contents of a text model's files, wherever they are stored.
struct TextModelFiles {
    std::string name;  // for messages
    Safetensors weights;
    std::string config_json, vocabulary_json;
};

/// Reads strictly: every parameter exactly once, shapes checked. Throws Error with file, problem and remedy.
TextModel load_text_model(const TextModelFiles& files);
TextModel load_text_model(const std::filesystem::path& folder);

/// The files of a model in a folder.
std::vector<std::filesystem::path> files_of_text_model(const std::filesystem::path& folder);

/// True if a folder holds a text model, rather than a model of pictures or none.
bool is_text_model(const std::filesystem::path& folder);

}  // namespace vitrine
