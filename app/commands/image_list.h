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
    bool many = false;  // named by a folder, a list or the standard input: each image then has a folder of its own
};

/// Each word is an image file, a drawn sample's name, a folder (its own pictures, sorted by name), @FILE (a list of
/// these, one a line or separated by NUL bytes) or - (such a list on the standard input). An existing file whose name
/// begins with @ is an image. Throws Error for a folder without pictures and for an empty list.
ImageList image_list(const std::vector<std::string>& words);

/// The models that words of the command line name.
struct ModelList {
    std::vector<std::string> models;  // as --model takes them
    bool many = false;                // named by a list or a folder of models, or more than one
};
/// Each word is a model as for --model, a folder whose subfolders are models (sorted by name), @FILE or - as above.
/// Throws Error for an empty list.
ModelList model_list(const std::vector<std::string>& words);

/// Calls `work` for each model of a list, with the options of `all`, and, if `json`, prints a line of JSON for each:
/// "model" and the result of `work`. Returns 0; at the end throws one Error with the errors of all models that failed.
int for_each_model(const ModelList& list, const ModelOptions& all, bool json,
                   const std::function<nlohmann::ordered_json(const ModelOptions&)>& work);

/// Sentences of the command line: each argument, or each line of @FILE and -.
struct SentenceList {
    std::vector<std::string> sentences;
    bool many = false;
};
SentenceList sentence_list(const std::vector<std::string>& words);

}  // namespace vitrine
