#pragma once

#include "app/ui/ui.h"
#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

/// Slider for the number of a what-if in all blocks; at its neutral value the what-if is removed. Words
/// "switches.<name>" and "switches.<name>_tip", probe id "switch.<name>".
void what_if_slider(const Ui& ui, const WhatIf& row, std::vector<Intervention>& what_ifs);

}  // namespace vitrine
