#pragma once

#include <nlohmann/json.hpp>

#include "core/vit/model.h"

namespace vitrine {

/// A model's configuration as `info --json` and `trace --json` print it.
nlohmann::ordered_json describe(const Model& model);

/// "197 tokens, D 768, …": one line for people.
std::string summary_of(const Config& config);

}  // namespace vitrine
