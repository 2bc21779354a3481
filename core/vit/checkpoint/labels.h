#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine {

struct Model;

/// The names of classes in a file: one a line, or JSON, a list of names or an object {"0": "fish", …}. Throws Error.
std::vector<std::string> read_labels(const std::filesystem::path& path);

/// Names of classes beside those of the model's files.
struct OtherLabels {
    std::filesystem::path file = {};      // the user's; they take the place of the model's own
    std::vector<std::string> usual = {};  // ImageNet-1k's, for a classifier of as many classes without names
};

/// Gives a model's classes their names, and says in a note if they are the usual ones. Throws Error if the user's file
/// does not fit the classifier.
void name_classes(Model& model, const OtherLabels& others);

}  // namespace vitrine
