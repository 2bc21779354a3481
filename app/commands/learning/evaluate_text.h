#pragma once

#include "app/commands/commands.h"

namespace vitrine {

/// True if `vitrine evaluate` is about a text Transformer: by --task, or by the model.
bool asks_about_text(const EvaluateOptions& options);

int evaluate_text_command(const EvaluateOptions& options);

}  // namespace vitrine
