#pragma once

#include "app/ui/ui.h"
#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

/// Slider for the number of a what-if in all blocks; at its neutral value the what-if is removed. Text keys are
/// "switches.<name>" and "switches.<name>_tip", the probe id is "switch.<name>".
void what_if_slider(const Ui& ui, const WhatIf& row, std::vector<Intervention>& what_ifs);

}  // namespace vitrine
