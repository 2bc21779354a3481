#pragma once

#include <string>

#include "app/ui/ui.h"

namespace vitrine {

/// Lines of code at ImGui's cursor, across the remaining width, with muted comments. Marks "code".
void code_block(const Ui& ui, const std::string& listing);

}  // namespace vitrine
