#pragma once

#include <nlohmann/json.hpp>

namespace vitrine {

struct EvaluateOptions;

/// True if `vitrine evaluate` is about a text Transformer: by --task, or by the model.
bool asks_about_text(const EvaluateOptions& options);

/// Measures a text Transformer, and prints it unless JSON is wanted.
nlohmann::ordered_json evaluated_text(const EvaluateOptions& options);

}  // namespace vitrine
