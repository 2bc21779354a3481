#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/training/pictures/picture_set.h"
#include "core/vit/experiment.h"

// Drawn pictures by their words.

namespace vitrine {

/// A set's samples in the gallery's order: one for each class.
std::vector<std::string> sample_names(const PictureSet& set);

/// The picture of a sample's word: a class, "cat", or a particular picture, "cat:17", "cat:17:hard", "cat:17:hard:256"
/// (number, difficulty, side in pixels). "picturebook:cat" names the set; the default is `own`, or the first set with
/// that class. None if the word is invalid.
std::optional<PictureRequest> sample_request(const std::string& word, Scenes own);
/// The complete word: "picturebook:cat:17:hard:256".
std::string sample_word(const PictureRequest& request);
/// True if a word names a sample of any set.
bool is_sample(const std::string& word);
/// "cat" of "picturebook:cat:17".
std::string class_of_sample(const std::string& word);

/// The same source, with the set of a drawn picture filled in.
ImageSource with_set(ImageSource source, Scenes own);

}  // namespace vitrine
