#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/vit/experiment.h"

namespace vitrine {

struct ModelOptions;

/// The images that words of the command line name.
struct ImageList {
    std::vector<ImageSource> images;
    bool many = false;  // by a folder, a list or the standard input: each image then has a folder of its own
};

/// Reads a file or a drawn sample by its name, a folder (its own pictures, by name), @FILE (a list: one of these a
/// line, or between NUL bytes) and - (such a list on the standard input). A file whose name begins with @ is read as
/// itself. Throws Error for a folder without pictures and for an empty list.
ImageList image_list(const std::vector<std::string>& words);

/// The models that words of the command line name.
struct ModelList {
    std::vector<std::string> models;  // as --model takes them
    bool many = false;                // by a list or a folder of models, or more than one
};
/// Reads a model as --model does, a folder whose subfolders are models (by name), @FILE and - as above. Throws Error
/// for an empty list.
ModelList model_list(const std::vector<std::string>& words);

/// Carries out `work` for each model of a list, with the options of `all`, and, if `json`, prints a line of JSON each:
/// "model" and the result of `work`. The errors of models that fail are thrown as one Error at the end.
int for_each_model(const ModelList& list, const ModelOptions& all, bool json,
                   const std::function<nlohmann::ordered_json(const ModelOptions&)>& work);

/// Sentences of the command line: each word that the shell hands over, or each line of @FILE and -.
struct SentenceList {
    std::vector<std::string> sentences;
    bool many = false;
};
SentenceList sentence_list(const std::vector<std::string>& words);

}  // namespace vitrine
