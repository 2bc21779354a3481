#pragma once

#include "app/ui/ui.h"
#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

/// The number of a what-if for all blocks, as its row's slider walks through it; where it changes nothing, there is no
/// such what-if. Words "switches.<name>" and "switches.<name>_tip", probe id "switch.<name>".
void what_if_slider(const Ui& ui, const WhatIf& row, std::vector<Intervention>& what_ifs);

}  // namespace vitrine
