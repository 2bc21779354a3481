#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/files/safetensors.h"
#include "core/text/text_model.h"

namespace vitrine {

/// A configuration as config.json and recipes hold it, without the sizes of vocabularies, and back. Throws Error, with
/// `name`, where the text is no such object or `check` refuses what it says.
std::string to_json(const TextConfig& config);
TextConfig text_config_from_json(const std::string& text, const std::string& name);

/// Throws Error where no Transformer is like that: sizes out of range or that do not divide, stacks that the shape has
/// not. Vocabularies and classes are not looked at.
void check(const TextConfig& config);

/// Writes a model as a folder: config.json, vocabulary.json, model.safetensors with the names of `parameters_of`. The
/// folder and its parents are made; every file says that Vitrine wrote it. Throws Error where it cannot be written.
void save_text_model(const TextModel& model, const std::filesystem::path& folder, Precision precision);

/// The parts of a text model, wherever they lie.
struct TextModelFiles {
    std::string name;  // for messages
    Safetensors weights;
    std::string config_json, vocabulary_json;
};

/// Reads strictly: every parameter exactly once, shapes checked. Throws Error with a sentence that names the file, what
/// is wrong and the remedy.
TextModel load_text_model(const TextModelFiles& files);
TextModel load_text_model(const std::filesystem::path& folder);

/// The files that a model in a folder is read from.
std::vector<std::filesystem::path> files_of_text_model(const std::filesystem::path& folder);

/// Whether a folder holds a text model rather than one of pictures or none.
bool is_text_model(const std::filesystem::path& folder);

}  // namespace vitrine
