#pragma once

#include <nlohmann/json.hpp>

#include "core/measures/answer_change.h"
#include "core/vit/model.h"

namespace vitrine {

/// A model's configuration as `info --json` and `trace --json` print it.
nlohmann::ordered_json describe(const Model& model);

/// "197 tokens, D 768, …": one line for people.
std::string summary_of(const Config& config);

/// What a what-if does to an answer, for machines and as a line for people.
nlohmann::ordered_json describe(const AnswerChange& change, const Model& model);
std::string summary_of(const AnswerChange& change, const Model& model);

}  // namespace vitrine
