#pragma once

#include <nlohmann/json.hpp>

#include "core/measures/answer_change.h"
#include "core/vit/model.h"

namespace vitrine {

/// A model's configuration in the JSON of `info` and `trace`.
nlohmann::ordered_json describe(const Model& model);

/// How an image becomes the model's pixels, as JSON and as a line of text.
nlohmann::ordered_json describe(const Preprocessing& how, const PixelShape& shape);
std::string summary_of(const Preprocessing& how, const PixelShape& shape);

/// Everything besides the weights that determines a run's numbers: configuration and preprocessing, with the settings
/// that were inferred and the tensors that were ignored.
nlohmann::ordered_json provenance_of(const Model& model);

/// Summary on one line: "224 × 224 pixels, patches of 16: N = 197, D = 768, …".
std::string summary_of(const Config& config);

/// Effect of a what-if on an answer, as JSON and as a line of text.
nlohmann::ordered_json describe(const AnswerChange& change, const Model& model);
std::string summary_of(const AnswerChange& change, const Model& model);

}  // namespace vitrine
