#pragma once

#include <string>

#include "app/ui/ui.h"

namespace vitrine {

/// Lines of code at ImGui's cursor, as wide as what is left; comments are quieter than code. Marks "code".
void code_block(const Ui& ui, const std::string& listing);

}  // namespace vitrine
