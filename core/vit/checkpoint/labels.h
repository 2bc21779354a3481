#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine {

struct Model;

/// The names of classes in a file: one a line, or JSON, a list of names or an object {"0": "fish", …}. Throws Error.
std::vector<std::string> read_labels(const std::filesystem::path& path);

/// Names of classes that do not come from the model's files.
struct OtherLabels {
    std::filesystem::path file = {};      // the user's, which replaces the model's own
    std::vector<std::string> usual = {};  // ImageNet-1k's, for a classifier of 1,000 classes without names
};

/// Gives a model's classes their names, and adds a note if these are the usual ones. Throws Error if the user's file
/// does not fit the classifier.
void name_classes(Model& model, const OtherLabels& others);

}  // namespace vitrine
