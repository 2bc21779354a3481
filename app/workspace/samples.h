#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/files/image.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/experiment.h"

// The pictures that are drawn by code, by their words.

namespace vitrine {

/// A set's own samples, in the order of the gallery: one of each class.
std::vector<std::string> sample_names(const PictureSet& set);

/// The picture that a sample's word means: a class's name, "cat", or one drawn afresh, "cat:17", "cat:17:hard",
/// "cat:17:hard:256" (number, difficulty, side in pixels); "picturebook:cat" says its set, and where none is said it is
/// `own` or, where that has no such class, the first that has it. None where the word means no picture.
std::optional<PictureRequest> sample_request(const std::string& word, Scenes own);
/// A word that says everything: "picturebook:cat:17:hard:256".
std::string sample_word(const PictureRequest& request);
/// Whether it means a picture of any set.
bool is_sample(const std::string& word);
/// "cat" of "picturebook:cat:17".
std::string class_of_sample(const std::string& word);

/// The same source, which says the set of a drawn picture.
ImageSource with_set(ImageSource source, Scenes own);

}  // namespace vitrine
