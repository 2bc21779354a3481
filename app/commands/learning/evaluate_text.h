#pragma once

#include <nlohmann/json.hpp>

namespace vitrine {

struct EvaluateOptions;

/// True if `vitrine evaluate` is about a text Transformer: by --task, or by the model.
bool asks_about_text(const EvaluateOptions& options);

/// Evaluates a text Transformer; returns the figures as JSON, and prints them as text unless `options.json`.
nlohmann::ordered_json evaluated_text(const EvaluateOptions& options);

}  // namespace vitrine
