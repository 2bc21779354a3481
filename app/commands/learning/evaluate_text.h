#pragma once

#include "app/commands/commands.h"

namespace vitrine {

/// Whether `vitrine evaluate` is asked about a text Transformer: by --task, or because the model is one.
bool asks_about_text(const EvaluateOptions& options);

int evaluate_text_command(const EvaluateOptions& options);

}  // namespace vitrine
